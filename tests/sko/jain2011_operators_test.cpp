// Jain 2011, Sec. 2 and 3: the equations of motion in operators, and products with these by scatter and gather; against
// plain matrices, and against kinetree's algorithms on bodies, which share no line with the recursions here. The rest
// of the paper: jain2011_*_test.cpp for Sec. 4 to 6, jain2012_digraphs_test.cpp for Sec. 7, assemble_test.cpp for 8.
#include <kinetree/kinetree.hpp>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/products.hpp>

#include "engine/scalar/worst.hpp"
#include "sko/dense.hpp"
#include "sko/random_trees.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

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
    EXPECT_TRUE(same(MatrixXd(in_model_order(tree.model, T)), MatrixXd(tau)));
  });
}

}  // namespace
}  // namespace kinetree::sko
