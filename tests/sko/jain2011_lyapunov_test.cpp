// Jain 2011, Sec. 4: forward and backward Lyapunov equations, and the mass matrix as the first of them, against plain
// matrices and against kinetree's composite bodies.
#include <kinetree/kinetree.hpp>
#include <kinetree/sko/lyapunov.hpp>
#include <kinetree/sko/mass_matrix.hpp>

#include "engine/scalar/worst.hpp"
#include "sko/dense.hpp"
#include "sko/random_trees.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

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
      mine.col(c) = in_model_order(tree.model, mass * joint_rows(tree.body, tree.model, unit.data()));
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

}  // namespace
}  // namespace kinetree::sko
