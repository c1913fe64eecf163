// MuJoCo as an oracle that none of us wrote, given the same mechanisms as MJCF: accelerations by every plan; poses,
// velocities, accelerations and Jacobians of points, momentum, mass matrix, joint forces and energies.
#include <gtest/gtest.h>

#include <kinetree/kinematics.hpp>
#include <string>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/mujoco_mechanism.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void forward_dynamics_agrees(const Description& d) {
  const Model model = make_model(d);
  MujocoMechanism mujoco(d, model);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TestState s = random_state(model, seed);
    mujoco.set(s);
    const VectorXd theirs = mujoco.forward_dynamics();
    for (const Options& options : all_plans(-1)) {
      if (options.cuts == Cuts::all) continue;
      ForwardDynamics dynamics(model, options);
      const VectorXd ours = accelerations(dynamics, s);
      EXPECT_LE(largest_of(ours - theirs), 1e-9 * largest_of(theirs))
          << d.name << ", " << describe(options) << ", seed " << seed;
    }
  }
}

TEST(Mujoco, Chains) {
  forward_dynamics_agrees(make_description("chain:1"));
  forward_dynamics_agrees(make_description("chain:10"));
  forward_dynamics_agrees(told_in_their_words("chain:15", false));
}
TEST(Mujoco, Trees) {
  forward_dynamics_agrees(make_description("tree:2x4"));
  forward_dynamics_agrees(make_description("comb:6"));
  forward_dynamics_agrees(told_in_their_words("random:25:seed=11:joints=revolute", false));
}
TEST(Mujoco, FixedLinks) { forward_dynamics_agrees(told_in_their_words("random:20:seed=12", false)); }
TEST(Mujoco, FloatingBase) {
  forward_dynamics_agrees(make_description("tree:3x3", {.floating_base = true}));
  forward_dynamics_agrees(told_in_their_words("random:25:seed=13:joints=revolute", true));
}

/// Within 1e-9 of the largest number of `theirs`.
void near(const MatrixXd& ours, const MatrixXd& theirs, const std::string& where) {
  EXPECT_LE(largest_of(ours - theirs), 1e-9 * largest_of(theirs)) << where;
}

/// All functions of `count` states in one call, each column held against MuJoCo.
void functions_agree(const Description& d, Eigen::Index count) {
  const Model model = make_model(d);
  MujocoMechanism mujoco(d, model);
  std::vector<TestState> states;
  MatrixXd q(model.nq(), count), v(model.nv(), count), a = v, tau = v, bias = v;
  for (Eigen::Index c = 0; c < count; ++c) {
    states.push_back(random_state(model, static_cast<std::uint64_t>(c) + 1));
    q.col(c) = states.back().q, v.col(c) = states.back().v, a.col(c) = states.back().tau;
  }
  Random random(5);
  std::vector<LinkPoint> points, origins;
  for (std::size_t k = 0; k < model.data().frames.size(); ++k) {
    origins.emplace_back(static_cast<int>(k));
    points.emplace_back(static_cast<int>(k), random_numbers(random, 0.4));
  }
  const Eigen::Index n = static_cast<Eigen::Index>(points.size()), nv = model.nv();
  MatrixXd pose(12 * n, count), velocity(6 * n, count), acceleration = velocity, rate = velocity, J(6 * n, nv * count),
                                                        H(nv, nv * count), moving(12, count), A(6, nv * count),
                                                        energies(2, count);
  Workspace w(model);
  const Axes axes = Axes::world_aligned;
  ASSERT_TRUE(point_kinematics(model, w, q, v, a, origins, axes, pose, velocity, acceleration).ok());
  ASSERT_TRUE(jacobian_rates(model, w, q, v, origins, axes, rate).ok());
  ASSERT_TRUE(jacobians(model, w, q, points, axes, J).ok());
  ASSERT_TRUE(momentum(model, w, q, v, moving).ok());
  ASSERT_TRUE(momentum_matrix(model, w, q, A).ok());
  ASSERT_TRUE(mass_matrix(model, w, q, H).ok());
  ASSERT_TRUE(inverse_dynamics(model, w, q, v, a, tau).ok());
  ASSERT_TRUE(bias_forces(model, w, q, v, bias).ok());
  ASSERT_TRUE(energy(model, w, q, v, energies).ok());
  for (Eigen::Index c = 0; c < count; ++c) {
    const std::string where = d.name + ", state " + std::to_string(c) + " of " + std::to_string(count);
    mujoco.set(states[static_cast<std::size_t>(c)]);
    const VectorXd rest = VectorXd::Zero(nv);
    for (Eigen::Index k = 0; k < n; ++k) {
      const std::string link(model.data().frames[static_cast<std::size_t>(k)].name);
      const MujocoMechanism::Motion motion = mujoco.motion(link, a.col(c));
      const std::string at = where + ", " + link;
      near(pose.col(c).segment<12>(12 * k), motion.pose.reshaped(), at);
      near(velocity.col(c).segment<6>(6 * k), motion.velocity, at);
      near(acceleration.col(c).segment<6>(6 * k), motion.acceleration, at);
      near(rate.col(c).segment<6>(6 * k), mujoco.motion(link, rest).acceleration, at);
      const auto& offset = points[static_cast<std::size_t>(k)].offset;
      near(J.block(6 * k, nv * c, 6, nv), mujoco.jacobian(link, {offset[0], offset[1], offset[2]}), at);
    }
    near(H.middleCols(nv * c, nv), mujoco.mass_matrix(), where);
    near(tau.col(c), mujoco.inverse_dynamics(a.col(c)), where);
    near(bias.col(c), mujoco.inverse_dynamics(rest), where);
    near(moving.col(c), mujoco.momentum(), where);
    near(A.middleCols(nv * c, nv) * v.col(c), mujoco.momentum().segment<6>(6), where);
    const Energy e = mujoco.energy();
    near(energies.col(c), Eigen::Vector2d(e.kinetic, e.potential), where);
  }
}

TEST(Mujoco, FunctionsBesideForwardDynamics) {
  for (const Description& d : {make_description("chain:10"), told_in_their_words("chain:15", false),
                               told_in_their_words("random:20:seed=12", false),
                               told_in_their_words("random:25:seed=13:joints=revolute", true)})
    functions_agree(d, 1);
  const Description d = told_in_their_words("random:25:seed=14", true);
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    functions_agree(d, lane_width(set) + 1);
  }
}

}  // namespace
}  // namespace kinetree::oracle
