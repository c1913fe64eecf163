// Independent coordinates: X_S against differences of closed configurations and against mass_matrix, its rate, and
// dynamics in coordinates that are named per call.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinetree.hpp>

#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace independent {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd picked(const VectorXd& all, const std::vector<int>& entries) {
  VectorXd some(static_cast<Eigen::Index>(entries.size()));
  for (std::size_t k = 0; k < entries.size(); ++k) some[static_cast<Eigen::Index>(k)] = all[entries[k]];
  return some;
}

/// The mass matrix of the spanning tree, column by column.
MatrixXd spanning_mass(const Model& model, Workspace& workspace, const VectorXd& q) {
  MatrixXd M(model.nv(), model.nv());
  const VectorXd zero = VectorXd::Zero(model.nv());
  VectorXd h(model.nv()), column(model.nv());
  EXPECT_TRUE(inverse_dynamics(model, workspace, q, zero, zero, h).ok());
  for (int k = 0; k < model.nv(); ++k) {
    EXPECT_TRUE(inverse_dynamics(model, workspace, q, zero, VectorXd::Unit(model.nv(), k), column).ok());
    M.col(k) = column - h;
  }
  return M;
}

TEST(IndependentCoordinatesOfUsers, DynamicsInThemAreThoseOfTheMechanism) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    const std::vector<int> entries = independent_velocities(model);
    const auto n = static_cast<Eigen::Index>(entries.size());
    MatrixXd X(model.nv(), n), H(n, n);
    const Status status = spanning_matrix(model, workspace, m.state.q, X);
    if (status.code == StatusCode::singular_loop) continue;  // these coordinates show badly here
    ASSERT_TRUE(status.ok()) << status.message(model);
    ASSERT_TRUE(mass_matrix(model, workspace, m.state.q, H).ok());
    const MatrixXd of_tree = X.transpose() * spanning_mass(model, workspace, m.state.q) * X;
    EXPECT_LE((H - of_tree).cwiseAbs().maxCoeff(), 1e-9 * H.cwiseAbs().maxCoeff()) << seed;
    VectorXd v(model.nv()), a(model.nv()), again(model.nv()), tau(n), bias(n), asked(n), weights(n), coriolis(n);
    ASSERT_TRUE(spanning_velocities(model, workspace, m.state.q, picked(m.state.v, entries), v).ok());
    EXPECT_LE(largest_of(v - m.state.v), 1e-8 * std::max(1.0, largest_of(v))) << seed;
    // M_R a_R + h_R = tau_R of the motion that forward dynamics finds
    ForwardDynamics dynamics(model);
    ASSERT_TRUE(dynamics.solve(m.state.q, m.state.v, m.state.tau, a).ok());
    ASSERT_TRUE(independent_forces(model, workspace, m.state.q, m.state.tau, tau).ok());
    ASSERT_TRUE(independent_bias_forces(model, workspace, m.state.q, m.state.v, bias).ok());
    const double scale = std::max({1.0, largest_of(tau), largest_of(bias), H.cwiseAbs().maxCoeff() * largest_of(a)});
    EXPECT_LE(largest_of(H * picked(a, entries) + bias - tau), 1e-9 * scale) << seed;
    keep_worst(worst, largest_of(H * picked(a, entries) + bias - tau) / scale);
    ASSERT_TRUE(independent_inverse_dynamics(model, workspace, m.state.q, m.state.v, a, asked).ok());
    EXPECT_LE(largest_of(asked - tau), 1e-9 * scale) << seed;
    ASSERT_TRUE(independent_gravity_forces(model, workspace, m.state.q, weights).ok());
    ASSERT_TRUE(independent_coriolis_forces(model, workspace, m.state.q, m.state.v, coriolis).ok());
    EXPECT_LE(largest_of(weights + coriolis - bias), 1e-11 * scale) << seed;
    ASSERT_TRUE(spanning_accelerations(model, workspace, m.state.q, m.state.v, picked(a, entries), again).ok());
    EXPECT_LE(largest_of(again - a), 1e-8 * std::max(1.0, largest_of(a))) << seed;
  }
  std::printf("M_R a_R + h_R - tau_R is %.1e\n", worst);
}

/// The crank's, the coupler's or the rocker's angle: each as the user says in the call. Against closed configurations
/// on both sides of one.
TEST(IndependentCoordinatesOfUsers, AnyJointOfAFourBarMayBeNamed) {
  const Model model = make_model("fourbars:1");
  Workspace workspace(model);
  const VectorXd q = neutral(model);
  constexpr double h = 1e-4;
  for (const char* joint : {"crank1_joint", "coupler1_joint", "rocker1_joint"}) {
    const std::vector<int> named = velocities_of(model, {joint});
    MatrixXd X(model.nv(), 1);
    ASSERT_TRUE(spanning_matrix(model, workspace, q, X, named).ok());
    EXPECT_EQ(X(named[0], 0), 1);
    const auto moved = [&](double by) {
      VectorXd at = q, v = X.col(0);
      at[model.q_index(joint)] += by, v[named[0]] = 1;
      EXPECT_TRUE(close(model, workspace, at, v, named).ok());
      return std::pair(at, v);
    };
    const auto [after, v_after] = moved(h);
    const auto [before, v_before] = moved(-h);
    EXPECT_LE(largest_of((after - before) / (2 * h) - X.col(0)), 1e-7);
    // the rate of X_S at unit speed
    VectorXd rate(model.nv());
    ASSERT_TRUE(spanning_accelerations(model, workspace, q, X.col(0), VectorXd::Zero(1), rate, named).ok());
    EXPECT_LE(largest_of((v_after - v_before) / (2 * h) - rate), 1e-6 * std::max(1.0, largest_of(rate)));
  }
  // refusals
  MatrixXd X(model.nv(), 1);
  const Status many = spanning_matrix(model, workspace, q, X, velocities_of(model, {"crank1_joint", "rocker1_joint"}));
  EXPECT_EQ(many.code, StatusCode::wrong_size);
  EXPECT_STREQ(many.argument, "independent");
  EXPECT_EQ(spanning_matrix(model, workspace, q, X, std::vector<int>{-1}).code, StatusCode::no_such_column);
  VectorXd nan = q;
  nan[0] = NAN;
  EXPECT_EQ(spanning_matrix(model, workspace, nan, X).code, StatusCode::not_finite);
  EXPECT_TRUE(X.hasNaN());
}

TEST(IndependentCoordinatesOfUsers, ColumnsFloatAndNoAllocation) {
  const Model model = make_model("fourbars:2");
  Workspace workspace(model);
  const auto n = static_cast<Eigen::Index>(independent_velocities(model).size());
  const MatrixXd q = neutral(model).replicate(1, 2);
  MatrixXd v(model.nv(), 2), result(n, 2), v_R = MatrixXd::Ones(n, 2);
  v_R.col(1) *= 2;
  const auto call = [&] {
    (void)spanning_velocities(model, workspace, q, v_R, v);
    return independent_bias_forces(model, workspace, q, v, result);
  };
  ASSERT_TRUE(call().ok());
  VectorXd alone(n);
  ASSERT_TRUE(independent_bias_forces(model, workspace, q.col(1), v.col(1), alone).ok());
  EXPECT_LE(largest_of(alone - result.col(1)), 1e-14 * largest_of(alone));
  Eigen::VectorXf in_float(n);
  ASSERT_TRUE(independent_bias_forces(model, workspace, q.col(1).cast<float>(), v.col(1).cast<float>(), in_float).ok());
  EXPECT_LE(largest_of(in_float.cast<double>() - alone), 1e-4 * std::max(1.0, largest_of(alone)));
  // several configurations, one of which is refused
  MatrixXd several = neutral(model).replicate(1, 3), speeds = MatrixXd::Ones(model.nv(), 3), forces(n, 3);
  several(model.q_index("crank1_joint"), 0) += 0.1, several(model.q_index("crank2_joint"), 2) -= 0.2;
  ASSERT_TRUE(close(model, workspace, several, speeds, velocities_of(model, {"crank1_joint", "crank2_joint"})).ok());
  several(0, 1) = NAN;
  const auto compare = [&](const auto& function) {
    EXPECT_EQ(function(several, speeds, forces).code, StatusCode::not_finite);
    EXPECT_TRUE(forces.col(1).hasNaN());
    for (const Eigen::Index c : {0, 2}) {
      ASSERT_TRUE(function(several.col(c), speeds.col(c), alone).ok());
      EXPECT_LE(largest_of(alone - forces.col(c)), 1e-14 * largest_of(alone));
    }
  };
  compare([&](const auto& at, const auto& rate, auto& to) {
    return independent_bias_forces(model, workspace, at, rate, to);
  });
  compare([&](const auto& at, const auto& rate, auto& to) {
    return independent_coriolis_forces(model, workspace, at, rate, to);
  });
  if (!can_count_allocations()) return;
  start_counting();
  (void)call();
  EXPECT_EQ(stop_counting().ours, 0u);
}

}  // namespace independent
}  // namespace kinetree::oracle
