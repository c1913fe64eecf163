// Jain 2011, section by section: each numbered result of Sec. 2 to 6.2 against plain matrices, and against kinetree's
// algorithms on bodies, which share no line with the recursions here. Lemmas 9 and 10 and Sec. 6.2 stand in files of
// their own, Sec. 7 with the digraphs, Sec. 8 in assemble_test.cpp.
#include <kinetree/scalar/worst.hpp>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/lyapunov.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/products.hpp>
#include <limits>

#include "oracle/plans.hpp"
#include "sko/dense.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

VectorXd in_model_order(const RandomTree& tree, const Stacked<double>& rows) {
  const std::vector<double> v = model_order(tree.model, rows);
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// check(tree) on the random trees alone, where the algorithms on bodies have a say.
template <class Check>
void on_random_trees(Check&& check) {
  for (int number = 0; number < random_tree_count && !::testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    check(random_tree(number));
  }
}

// ---- Section 2 -----------------------------------------------------------------------------------------------------

TEST(Jain2011, Sec2EquationsOfMotion) {
  on_all_models([](const SkoModel<double>& model) {
    const Dense o(model);
    const Stacked<double> rate = random_stacked(model.space, Kind::joint, 1),
                          acceleration = random_stacked(model.space, Kind::joint, 2),
                          a = random_stacked(model.space, Kind::node, 3),
                          b = random_stacked(model.space, Kind::node, 4);
    // Eq. 1, line by line
    EXPECT_TRUE(
        same(transpose_times(model.A, transpose_times(model.H, rate)), o.A.transpose() * o.H.transpose() * rate.value));
    const MatrixXd alpha = o.A.transpose() * (o.H.transpose() * acceleration.value + a.value);
    const MatrixXd f = o.A * (o.M * alpha + b.value);
    const Stacked<double> T = inverse_dynamics(model, acceleration, a, b);
    EXPECT_TRUE(same(T, o.H * f));
    // Eq. 2, 3
    const MatrixXd C = o.H * o.A * (o.M * o.A.transpose() * a.value + b.value);
    EXPECT_TRUE(same(T, o.mass * acceleration.value + C, C.size() ? largest_of(C) : 0));
    EXPECT_TRUE(same(newton_euler_product(model).matrix, o.mass));
    EXPECT_TRUE(same(mass_matrix_times(model, rate), o.mass * rate.value));
    EXPECT_TRUE(same(partial_velocities(model).matrix, o.A.transpose() * o.H.transpose()));
  });
}

TEST(Jain2011, Sec2OperatorsAreNilpotentAndTriangular) {
  on_all_models([](const SkoModel<double>& model) {
    const Dense o(model);
    EXPECT_TRUE(is_exactly_zero(adjacency(model.A).matrix - o.E));
    EXPECT_TRUE(same(resolvent(model.A).matrix, o.A));
    EXPECT_TRUE(same(strict_resolvent(model.A).matrix, o.A_tilde, 1));
    MatrixXd power = o.I, sum = o.I;
    for (int k = 0; k < model.space->nodes(); ++k) sum += power = power * o.E;
    EXPECT_TRUE(is_exactly_zero(power));
    EXPECT_TRUE(same(sum, o.A));
    const Explicit<double> A = resolvent(model.A);
    for_pairs(*model.space, [&](int i, int j) {
      if (!model.tree().at_or_above(i, j)) {
        EXPECT_TRUE(is_exactly_zero(A(i, j))) << i << ", " << j;
      }
    });
  });
}

// ---- Section 3 -----------------------------------------------------------------------------------------------------

TEST(Jain2011, Lemma1Lemma2Corollary31) {
  on_all_models([](const SkoModel<double>& model) {
    const Dense o(model);
    const Stacked<double> x = random_stacked(model.space, Kind::node, 1);
    EXPECT_TRUE(same(model.A * x, o.A * x.value));                              // Eq. 5
    EXPECT_TRUE(same(transpose_times(model.A, x), o.A.transpose() * x.value));  // Eq. 8
    EXPECT_TRUE(same(strict_times(model.A, x), o.A_tilde * x.value, 1));        // Cor. 3.1
    EXPECT_TRUE(same(strict_transpose_times(model.A, x), o.A_tilde.transpose() * x.value, 1));
    EXPECT_TRUE(same(adjacency_times(model.A, x), o.E * x.value));
    EXPECT_TRUE(same(adjacency_transpose_times(model.A, x), o.E.transpose() * x.value));
  });
}

TEST(Jain2011, Algorithm31IsInverseDynamics) {
  on_random_trees([](const RandomTree& tree) {
    Workspace workspace(tree.model);
    const VectorXd a = VectorXd::LinSpaced(tree.model.nv(), -1, 2);
    VectorXd tau(tree.model.nv());
    ASSERT_TRUE(inverse_dynamics(tree.model, workspace, tree.state.q, tree.state.v, a, tree.state.f_ext, tau).ok());
    const RigidBody<double>& body = tree.body;
    const Stacked<double> T = inverse_dynamics(body.model, joint_rows(body, tree.model, a.data()), body.a, body.b);
    EXPECT_TRUE(same(MatrixXd(in_model_order(tree, T)), MatrixXd(tau)));
  });
}

// ---- Section 4 -----------------------------------------------------------------------------------------------------

TEST(Jain2011, Lemma3ForwardLyapunov) {
  on_all_models([](const SkoModel<double>& model) {
    const SpaceRef& space = model.space;
    const Spo<double> B = random_weights(space, 5);
    const BlockDiagonal<double> X = random_blocks(space, Kind::node, Kind::node, 6);
    const MatrixXd E = placed(model.A), E_B = placed(B), A = inverse(one(E.rows()) - E),
                   B_ = inverse(one(E.rows()) - E_B);
    const MatrixXd Z = A * placed(X) * B_.transpose();
    const BlockDiagonal<double> Y = forward_lyapunov(model.A, X, B);
    EXPECT_TRUE(same(placed(Y), diagonal_of(Z, *space)));
    EXPECT_TRUE(same(placed(X), placed(Y) - E * placed(Y) * E_B.transpose(), largest_of(placed(Y))));  // Eq. 12
    const Explicit<double> whole = forward_decomposition(model.A, Y, B);                               // Eq. 11
    EXPECT_TRUE(same(whole.matrix, Z));
    const double scale = largest_of(Z);
    for_pairs(*space, [&](int i, int j) {  // Eq. 15
      const MatrixXd block = forward_block(model.A, Y, B, i, j);
      EXPECT_TRUE(same(block, node_block(Z, *space, i, j), scale)) << i << ", " << j;
      if (!model.tree().related(i, j)) {
        EXPECT_TRUE(is_exactly_zero(block) && is_exactly_zero(whole(i, j)));
      }
    });
  });
}

TEST(Jain2011, Lemma4MassMatrix) {
  on_all_models([](const SkoModel<double>& model) {
    const Dense o(model);
    const BlockDiagonal<double> composite = composite_inertias(model);
    const MatrixXd R = placed(composite), HR = o.H * R;
    EXPECT_TRUE(same(o.M, R - o.E * R * o.E.transpose(), largest_of(R)));                           // Eq. 18
    EXPECT_TRUE(same(o.A * o.M * o.A.transpose(), R + o.A_tilde * R + R * o.A_tilde.transpose()));  // Eq. 19
    const MatrixXd upper = HR * o.A_tilde.transpose() * o.H.transpose();
    EXPECT_TRUE(same(o.mass, HR * o.H.transpose() + upper.transpose() + upper));  // Eq. 17
    for (int k = 0; k < model.space->nodes(); ++k) {  // Eq. 20: what hangs from a node, seen from it
      MatrixXd sum = 0 * composite(k);
      for (int j = 0; j < model.space->nodes(); ++j) {
        const MatrixXd A = node_block(o.A, *model.space, k, j);
        sum += A * model.M(j) * A.transpose();
      }
      EXPECT_TRUE(same(composite(k), sum)) << k;
    }
    const Explicit<double> mass = mass_matrix(model);  // Alg. 4.2
    EXPECT_TRUE(same(mass.matrix, o.mass));
    for_pairs(*model.space, [&](int i, int j) {
      if (!model.tree().related(i, j)) {
        EXPECT_TRUE(is_exactly_zero(mass(i, j))) << i << ", " << j;
      }
    });
  });
}

TEST(Jain2011, Algorithm42IsTheMassMatrixOfCompositeBodies) {
  on_random_trees([](const RandomTree& tree) {
    const int n = tree.model.nv();
    Workspace workspace(tree.model);
    MatrixXd H(n, n), mine(n, n);
    ASSERT_TRUE(mass_matrix(tree.model, workspace, tree.state.q, H).ok());
    const Explicit<double> mass = mass_matrix(tree.body.model);
    for (int c = 0; c < n; ++c) {
      const VectorXd unit = VectorXd::Unit(n, c);
      mine.col(c) = in_model_order(tree, mass * joint_rows(tree.body, tree.model, unit.data()));
    }
    EXPECT_TRUE(same(mine, H));
  });
}

/// R of Eq. 21: the pairs that only meet at an ancestor of both.
MatrixXd unrelated_part(const Space& space, const MatrixXd& A, const MatrixXd& Y, const MatrixXd& B) {
  MatrixXd R = 0 * Y;
  for_pairs(space, [&](int i, int j) {
    const int k = space.tree().common_ancestor(i, j);
    if (k < 0 || k == i || k == j) return;
    R.block(space.offset(Kind::node, i), space.offset(Kind::node, j), space.size(Kind::node, i),
            space.size(Kind::node, j)) =
        node_block(A, space, k, i).transpose() * node_block(Y, space, k, k) * node_block(B, space, k, j);
  });
  return R;
}

TEST(Jain2011, Lemma5BackwardLyapunovAndAlgorithm43) {
  int cases[5]{};  // the four of Alg. 4.3, and pairs without a common ancestor
  on_all_models([&](const SkoModel<double>& model) {
    const SpaceRef& space = model.space;
    const Tree& tree = model.tree();
    const Spo<double> B = random_weights(space, 7);
    const BlockDiagonal<double> X = random_blocks(space, Kind::node, Kind::node, 8);
    const MatrixXd E = placed(model.A), E_B = placed(B), A = inverse(one(E.rows()) - E),
                   B_ = inverse(one(E.rows()) - E_B);
    const MatrixXd Z = A.transpose() * placed(X) * B_;
    const BlockDiagonal<double> blocks = backward_lyapunov(model.A, X, B);
    const MatrixXd Y = placed(blocks);
    EXPECT_TRUE(same(Y, diagonal_of(Z, *space)));
    EXPECT_TRUE(same(placed(X), Y - diagonal_of(E.transpose() * Y * E_B, *space), largest_of(Y)));  // Eq. 22
    EXPECT_TRUE(same(Z, Y + (A - one(A.rows())).transpose() * Y + Y * (B_ - one(A.rows())) +
                            unrelated_part(*space, A, Y, B_)));  // Eq. 21
    const Explicit<double> whole = backward_decomposition(model.A, blocks, B);
    EXPECT_TRUE(same(whole.matrix, Z));
    const double scale = largest_of(Z);
    for_pairs(*space, [&](int i, int j) {  // Eq. 25
      const MatrixXd block = backward_block(model.A, blocks, B, i, j);
      EXPECT_TRUE(same(block, node_block(Z, *space, i, j), scale)) << i << ", " << j;
      const bool apart = tree.common_ancestor(i, j) < 0;
      if (apart) {
        EXPECT_TRUE(is_exactly_zero(block) && is_exactly_zero(whole(i, j)));
      }
      ++cases[apart ? 4 : i == j ? 0 : tree.at_or_above(j, i) ? 1 : tree.at_or_above(i, j) ? 2 : 3];
    });
  });
  for (const int count : cases) EXPECT_GT(count, 100);
}

TEST(Jain2011, Lemma6BackwardLyapunovOnAChain) {
  std::vector<SkoModel<double>> chains{resting_family<double>("chain:12").model,
                                       PointMechanism(7, 3, 2, true).model(PointMechanism::Nodes::one)};
  for (const SkoModel<double>& model : chains) {
    const Space& space = *model.space;
    const int n = space.nodes();
    const Spo<double> B = random_weights(model.space, 9);
    const BlockDiagonal<double> X = random_blocks(model.space, Kind::node, Kind::node, 10);
    const BlockDiagonal<double> blocks = backward_lyapunov(model.A, X, B);
    const MatrixXd E = placed(model.A), E_B = placed(B), Y = placed(blocks), I = one(E.rows());
    const MatrixXd A = inverse(I - E), B_ = inverse(I - E_B), Z = A.transpose() * placed(X) * B_;
    EXPECT_TRUE(same(Z, Y + (A - I).transpose() * Y + Y * (B_ - I)));          // Eq. 27: R = 0
    EXPECT_TRUE(same(placed(X), Y - E.transpose() * Y * E_B, largest_of(Y)));  // Eq. 28: diagOf not needed
    for (int k = n - 1; k >= 0; --k) {                                         // Eq. 29, base to tip
      MatrixXd expected = X(k);
      if (k + 1 < n) expected += model.A(k).transpose() * blocks(k + 1) * B(k);
      EXPECT_TRUE(same(blocks(k), expected));
    }
    for_pairs(space, [&](int i, int j) {  // Eq. 30
      const auto block = [&](int r, int c) -> MatrixXd { return backward_block(model.A, blocks, B, r, c); };
      if (i < j) {
        EXPECT_TRUE(same(block(i, j), model.A(i).transpose() * block(i + 1, j)));
      }
      if (i > j) {
        EXPECT_TRUE(same(block(i, j), block(i, j + 1) * B(j)));
      }
    });
  }
}

// ---- Section 5 -----------------------------------------------------------------------------------------------------

TEST(Jain2011, Lemma7Riccati) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    EXPECT_TRUE(same(o.P, o.P.transpose()));
    const MatrixXd PH = o.P * o.H.transpose();
    const MatrixXd P_plus = o.P - PH * inverse(o.H * PH) * PH.transpose();
    EXPECT_TRUE(same(o.M, o.P - o.E * P_plus * o.E.transpose(), largest_of(o.P)));  // Eq. 31
    const double scale = largest_of(o.P);
    EXPECT_TRUE(same(placed(r.D), o.D));  // Eq. 32
    EXPECT_TRUE(same(placed(inverse_D(r)), o.D_inverse));
    EXPECT_TRUE(same(placed(r.G), o.G));
    EXPECT_TRUE(same(placed(r.tau), o.tau));
    EXPECT_TRUE(same(placed(r.tau_bar), o.tau_bar));
    EXPECT_TRUE(same(placed(r.P_plus), P_plus, scale));
    EXPECT_TRUE(same(o.P_plus, o.tau_bar * o.P * o.tau_bar.transpose(), scale));
  });
}

TEST(Jain2011, Lemma7ArticulatedInertiaIsFeltAtTheNode) {
  // P(k) is what a force on node k meets when k and all outboard of it are torn off and left to float: the inverse of
  // that mechanism's compliance. No recursion: a mass matrix, inverted.
  int tried = 0;
  on_all_models([&](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model);
    const Space& space = *model.space;
    for (int k = 0; k < space.nodes(); k += 3) {
      if (!r.P(k).fullPivLu().isInvertible() || r.P(k).ldlt().rcond() < 1e-4) continue;
      // H with node k free and everything that is not outboard of it left out
      std::vector<MatrixXd> rows;
      Eigen::Index n = 0;
      for (int j = 0; j < space.nodes(); ++j) {
        if (!model.tree().at_or_above(k, j)) continue;
        MatrixXd row = MatrixXd::Zero(j == k ? space.size(Kind::node, k) : space.size(Kind::joint, j), o.I.cols());
        row.middleCols(space.offset(Kind::node, j), space.size(Kind::node, j)) =
            j == k ? one(space.size(Kind::node, k)) : MatrixXd(model.H(j));
        n += row.rows();
        rows.push_back(row);
      }
      MatrixXd H(n, o.I.cols());
      n = 0;
      for (const MatrixXd& row : rows) H.middleRows(n, row.rows()) = row, n += row.rows();
      const MatrixXd J = (H * o.A).middleCols(space.offset(Kind::node, k), space.size(Kind::node, k)).transpose();
      const MatrixXd mass = H * o.A * o.M * o.A.transpose() * H.transpose();
      EXPECT_TRUE(same(inverse(J * inverse(mass) * J.transpose()), r.P(k))) << "node " << k;
      ++tried;
    }
  });
  EXPECT_GT(tried, 400);
}

TEST(Jain2011, Lemma8) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    EXPECT_TRUE(same(adjacency(r.psi).matrix, o.E_psi));  // Eq. 34
    EXPECT_TRUE(same(resolvent(r.psi).matrix, o.psi));    // Eq. 35
    EXPECT_TRUE(same(shifted_gain(model, r).matrix, o.K));
    const double scale = largest_of(o.P);
    EXPECT_TRUE(same(o.M, o.P - o.E_psi * o.P * o.E_psi.transpose(), scale));  // Eq. 36
    EXPECT_TRUE(same(o.M, o.P - o.E_psi * o.P * o.E.transpose(), scale));      // its second half, mended
  });
  // and as printed it fails, on any joint that moves
  const SkoModel<double> chain = resting_family<double>("chain:3").model;
  const Dense o(chain, riccati(chain));
  EXPECT_GT(largest_of(o.M - (o.P - o.E * o.P * o.E.transpose())), 0.1 * largest_of(o.M));
}

// ---- Section 6 -----------------------------------------------------------------------------------------------------

/// The matrix of a map on joint rows, column by column.
template <class Map>
MatrixXd matrix_of(const SkoModel<double>& model, Map&& map) {
  const int n = model.freedoms();
  MatrixXd X(n, n);
  for (int c = 0; c < n; ++c) X.col(c) = map(Stacked<double>{model.space, Kind::joint, VectorXd::Unit(n, c)}).value;
  return X;
}

TEST(Jain2011, Lemma11FactorizationAndInverse) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const MatrixXd forth = o.I_joint + o.H * o.A * o.K, back = o.I_joint - o.H * o.psi * o.K;
    EXPECT_TRUE(same(o.mass, forth * o.D * forth.transpose()));                 // Eq. 49
    EXPECT_TRUE(same(inverse(forth), back));                                    // Eq. 50
    EXPECT_TRUE(same(inverse(o.mass), back.transpose() * o.D_inverse * back));  // Eq. 51
    using X = const Stacked<double>&;
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_times(model, r, x); }), forth));
    EXPECT_TRUE(
        same(matrix_of(model, [&](X x) { return innovations_transpose_times(model, r, x); }), forth.transpose()));
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_inverse_times(model, r, x); }), back));
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_inverse_transpose_times(model, r, x); }),
                     back.transpose()));
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return inverse_mass_matrix_times(model, r, x); }), inverse(o.mass)));
  });
}

TEST(Jain2011, Corollary61Determinant) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const Space& space = *model.space;
    using X = const Stacked<double>&;
    const MatrixXd forth = matrix_of(model, [&](X x) { return innovations_times(model, r, x); });
    const MatrixXd back = matrix_of(model, [&](X x) { return innovations_inverse_times(model, r, x); });
    for_pairs(space, [&](int i, int j) {  // lower triangular, 1 on the diagonal: exactly
      const auto own = [&](const MatrixXd& X) { return block(X, space, Kind::joint, Kind::joint, i, j); };
      if (i < j) {
        EXPECT_TRUE(is_exactly_zero(own(forth)) && is_exactly_zero(own(back)));
      }
      if (i == j) {
        EXPECT_TRUE(own(forth).isIdentity(0) && own(back).isIdentity(0));
      }
    });
    if (forth.size()) {  // Eq. 52
      EXPECT_NEAR(forth.determinant(), 1, 1e-10);
    }
    const double expected = o.mass.size() ? o.mass.partialPivLu().determinant() : 1;
    EXPECT_NEAR(determinant(r), expected, 1e-10 * std::abs(expected));  // Eq. 53
    EXPECT_NEAR(log_determinant(r), std::log(expected), 1e-10 * (1 + std::abs(std::log(expected))));
  });
  // where the determinant itself is beyond double
  const RigidBody<double> small = resting_family<double>("chain:100"), large = resting_family<double>("chain:2000");
  EXPECT_LT(log_determinant(riccati(large.model)), -1000);
  EXPECT_LT(determinant(riccati(large.model)), std::numeric_limits<double>::min());
  EXPECT_NEAR(log_determinant(riccati(small.model)), std::log(determinant(riccati(small.model))), 1e-9);
}

TEST(Jain2011, Lemma12AndAlgorithm61ForwardDynamics) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const Stacked<double> T = random_stacked(model.space, Kind::joint, 1),
                          a = random_stacked(model.space, Kind::node, 2),
                          b = random_stacked(model.space, Kind::node, 3);
    const MatrixXd C = o.H * o.A * (o.M * o.A.transpose() * a.value + b.value);
    const MatrixXd expected = inverse(o.mass) * (T.value - C);
    const MatrixXd back = o.I_joint - o.H * o.psi * o.K;
    EXPECT_TRUE(
        same(back.transpose() * o.D_inverse * (T.value - o.H * o.psi * (o.K * T.value + o.P * a.value + b.value)) -
                 o.K.transpose() * o.psi.transpose() * a.value,
             expected));  // Eq. 54
    const Stacked<double> solved = forward_dynamics(model, r, T, a, b);
    EXPECT_TRUE(same(solved, expected));  // Alg. 6.1
    EXPECT_TRUE(same(inverse_dynamics(model, solved, a, b), MatrixXd(T.value), expected.size() ? 1 : 0));
  });
}

TEST(Jain2011, Algorithm61IsTheAccelerationOfCompositeBodies) {
  on_random_trees([](const RandomTree& tree) {
    ForwardDynamics dynamics(tree.model, oracle::serial(Algorithm::crb));
    const VectorXd expected = oracle::accelerations(dynamics, tree.state, true);
    const RigidBody<double>& body = tree.body;
    const Stacked<double> solved = forward_dynamics(
        body.model, riccati(body.model), joint_rows(body, tree.model, tree.state.tau.data()), body.a, body.b);
    EXPECT_TRUE(same(MatrixXd(in_model_order(tree, solved)), MatrixXd(expected)));
  });
}

}  // namespace
}  // namespace kinetree::sko
