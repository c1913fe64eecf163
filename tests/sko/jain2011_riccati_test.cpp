// Jain 2011, Sec. 5 and 6: the Riccati equation, and what it factors and solves, against plain matrices and against
// kinetree's composite bodies. Lemmas 9 and 10 and Sec. 6.2 stand in files of their own.
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/products.hpp>
#include <limits>

#include "engine/scalar/worst.hpp"
#include "oracle/plans.hpp"
#include "sko/dense.hpp"
#include "sko/random_trees.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

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
    EXPECT_TRUE(same_within(1e-12, placed(inverse_D(r)), o.D_inverse));
    EXPECT_TRUE(same_within(1e-12, placed(r.G), o.G));
    EXPECT_TRUE(same_within(1e-12, placed(r.tau), o.tau));
    EXPECT_TRUE(same_within(1e-12, placed(r.tau_bar), o.tau_bar));
    EXPECT_TRUE(same_within(1e-12, placed(r.P_plus), P_plus, scale));
    EXPECT_TRUE(same_within(1e-12, o.P_plus, o.tau_bar * o.P * o.tau_bar.transpose(), scale));
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
      EXPECT_TRUE(same_within(1e-11, inverse(J * inverse(mass) * J.transpose()), r.P(k))) << "node " << k;
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
    EXPECT_TRUE(same(o.mass, forth * o.D * forth.transpose()));                               // Eq. 49
    EXPECT_TRUE(same(inverse(forth), back));                                                  // Eq. 50
    EXPECT_TRUE(same_within(1e-11, inverse(o.mass), back.transpose() * o.D_inverse * back));  // Eq. 51
    using X = const Stacked<double>&;
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_times(model, r, x); }), forth));
    EXPECT_TRUE(
        same(matrix_of(model, [&](X x) { return innovations_transpose_times(model, r, x); }), forth.transpose()));
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_inverse_times(model, r, x); }), back));
    EXPECT_TRUE(same(matrix_of(model, [&](X x) { return innovations_inverse_transpose_times(model, r, x); }),
                     back.transpose()));
    EXPECT_TRUE(same_within(1e-11, matrix_of(model, [&](X x) { return inverse_mass_matrix_times(model, r, x); }),
                            inverse(o.mass)));
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
      EXPECT_NEAR(forth.determinant(), 1, 1e-13);
    }
    const double expected = o.mass.size() ? o.mass.partialPivLu().determinant() : 1;
    EXPECT_NEAR(determinant(r), expected, 1e-10 * std::abs(expected));  // Eq. 53
    EXPECT_NEAR(log_determinant(r), std::log(expected), 1e-10 * (1 + std::abs(std::log(expected))));
  });
  // where the determinant itself is beyond double
  const RigidBody<double> small = resting_family<double>("chain:100"), large = resting_family<double>("chain:2000");
  EXPECT_LT(log_determinant(riccati(large.model)), -1000);
  EXPECT_LT(determinant(riccati(large.model)), std::numeric_limits<double>::min());
  EXPECT_NEAR(log_determinant(riccati(small.model)), std::log(determinant(riccati(small.model))), 1e-12);
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
    EXPECT_TRUE(same_within(
        1e-10,
        back.transpose() * o.D_inverse * (T.value - o.H * o.psi * (o.K * T.value + o.P * a.value + b.value)) -
            o.K.transpose() * o.psi.transpose() * a.value,
        expected));  // Eq. 54
    const Stacked<double> solved = forward_dynamics(model, r, T, a, b);
    EXPECT_TRUE(same_within(1e-10, solved, expected));  // Alg. 6.1
    EXPECT_TRUE(same_within(1e-11, inverse_dynamics(model, solved, a, b), MatrixXd(T.value), expected.size() ? 1 : 0));
  });
}

TEST(Jain2011, Algorithm61IsTheAccelerationOfCompositeBodies) {
  on_random_trees([](const RandomTree& tree) {
    ForwardDynamics dynamics(tree.model, oracle::serial(Algorithm::crb));
    const VectorXd expected = oracle::accelerations(dynamics, tree.state, true);
    const RigidBody<double>& body = tree.body;
    const Stacked<double> solved = forward_dynamics(
        body.model, riccati(body.model), joint_rows(body, tree.model, tree.state.tau.data()), body.a, body.b);
    EXPECT_TRUE(same_within(1e-10, MatrixXd(in_model_order(tree.model, solved)), MatrixXd(expected)));
  });
}

}  // namespace
}  // namespace kinetree::sko
