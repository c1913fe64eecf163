// Products with the inverse of the mass matrix against forward dynamics, and with the Delassus operator against
// Jacobians.
#include <gtest/gtest.h>

#include <kinetree/derivative_products.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double off_by(const MatrixXd& x, const MatrixXd& y) { return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff(); }

/// By differences of forward dynamics, which is linear in tau.
TEST(InverseMassProduct, IsWhatForcesAddToAccelerations) {
  for (const char* family :
       {"random:9:seed=6:floating=1", "chain:12:armature=0.1", "geared:5", "fourbars:2", "tree:2x4"}) {
    const Model model = make_model(family);
    const VectorXd q = random_configuration(model, 5), v = VectorXd::Zero(model.nv());
    Random random(7);
    MatrixXd B(model.nv(), 7), X = B, with = B, at_rest = B;
    for (Eigen::Index k = 0; k < B.size(); ++k) B.data()[k] = random.uniform(-30, 30);
    Workspace workspace(model);
    ASSERT_TRUE(inverse_mass_product(model, workspace, q, B, X).ok()) << family;
    ForwardDynamics dynamics(model, Options{.algorithm = Algorithm::ab, .threads = 1});
    const MatrixXd positions = q.replicate(1, 7), still = v.replicate(1, 7);
    ASSERT_TRUE(dynamics.solve(positions, still, B, with).ok());
    ASSERT_TRUE(dynamics.solve(positions, still, MatrixXd::Zero(model.nv(), 7), at_rest).ok());
    EXPECT_LE(off_by(X, with - at_rest), 1e-11) << family;
    VectorXd alone(model.nv());
    ASSERT_TRUE(inverse_mass_product(model, workspace, q, B.col(3), alone).ok());
    EXPECT_LE(off_by(alone, X.col(3)), 1e-12) << family;
  }
}

TEST(DelassusProduct, IsJacobiansAroundTheInverseMassMatrix) {
  for (const char* family : {"random:12:seed=8:floating=1", "tree:3x3", "chain:5:joints=helical", "geared:4"}) {
    const Model model = make_model(family);
    const TestState s = random_state(model, 4);
    Workspace workspace(model);
    const std::vector<LinkPoint> points{{model.frame_count() - 1, {0.1, -0.2, 0.3}},
                                        {0},
                                        {model.frame_count() / 2, {0, 0.4, 0}},
                                        {model.frame_count() - 1, {-0.3, 0, 0}}};
    const Eigen::Index rows = 6 * static_cast<Eigen::Index>(points.size());
    for (const Axes axes : {Axes::link, Axes::world_aligned, Axes::world}) {
      MatrixXd J(rows, model.nv()), X(model.nv(), rows), C(rows, rows);
      ASSERT_TRUE(jacobians(model, workspace, s.q, points, axes, J).ok());
      ASSERT_TRUE(inverse_mass_product(model, workspace, s.q, J.transpose(), X).ok());
      ASSERT_TRUE(
          delassus_product(model, workspace, s.q, points, axes, PointRows::all, 0.0, MatrixXd::Identity(rows, rows), C)
              .ok());
      const MatrixXd expected = J * X;
      EXPECT_LE(off_by(C, expected), 1e-13) << family << ", axes " << static_cast<int>(axes);
      if (axes == Axes::link) {
        MatrixXd dense(rows, rows);
        ASSERT_TRUE(operational_space_compliance(model, workspace, s.q, points, dense).ok());
        EXPECT_LE(off_by(C, dense), 1e-13) << family;
      }
      // linear rows alone, damped
      const Eigen::Index few = rows / 2;
      Random random(6);
      const VectorXd f = uniform_vector(random, few, 1);
      VectorXd all = VectorXd::Zero(rows), linear(few), wanted(few);
      for (Eigen::Index p = 0; p < few / 3; ++p) all.segment<3>(6 * p + 3) = f.segment<3>(3 * p);
      all = expected * all;
      for (Eigen::Index p = 0; p < few / 3; ++p)
        wanted.segment<3>(3 * p) = all.segment<3>(6 * p + 3) + 0.25 * f.segment<3>(3 * p);
      ASSERT_TRUE(delassus_product(model, workspace, s.q, points, axes, PointRows::linear, 0.25, f, linear).ok());
      EXPECT_LE(off_by(linear, wanted), 1e-13) << family << ", axes " << static_cast<int>(axes);
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
