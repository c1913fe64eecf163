// Damping, friction and springs of joints: springs have a potential, damping and friction take energy away, every
// joint type; batches, float, and calls that are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/kinetree.hpp>
#include <numeric>

#include "bench/sweep/random_states.hpp"
#include "engine/joint/spring.hpp"
#include "engine/model/model_data.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A joint of every type, each with the forces that `give` gives it.
template <class Give>
Model every_joint_with(Give&& give) {
  Random random(3);
  Description d;
  std::string parent = "world";
  for (std::size_t t = 0; t < joint_type_names.size(); ++t) {
    const auto type = static_cast<JointType>(t);
    d.bodies.push_back(random_body(random, "b" + std::to_string(t), parent, type));
    give(d.bodies.back().joint, type);
    parent = d.bodies.back().name;
  }
  return make_model(d);
}

VectorXd passive(const Model& model, const VectorXd& q, const VectorXd& v, double slow = 0) {
  VectorXd tau = VectorXd::Zero(model.nv());
  EXPECT_TRUE(add_passive_forces(model, q, v, tau, slow).ok());
  return tau;
}

/// Half the stiffness times the square of the displacement, whose turns are those between two quaternions.
double energy_of_springs(const Model& model, const VectorXd& q) {
  double energy = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    double x[6];
    spring_displacement(model.joint_type(i), model.spring_reference().data() + model.q_index(i),
                        q.data() + model.q_index(i), x);
    for (int k = 0; k < velocity_count(model.joint_type(i)); ++k)
      energy += 0.5 * model.stiffness()[static_cast<std::size_t>(model.v_index(i) + k)] * x[k] * x[k];
  }
  return energy;
}

TEST(PassiveForces, OfSpringsAreTheGradientOfTheirEnergy) {
  const Model model = every_joint_with([](JointDescription& j, JointType type) {
    const bool single = velocity_count(type) == 1;
    j.passive.stiffness = {2.5};
    if (single) j.passive.reference = {0.4};
    if (type == JointType::spherical) j.passive.reference = {0.5, 0.5, -0.5, 0.5};
    if (type == JointType::floating) j.passive.reference = {1, 2, 3, 0, 0.6, 0, 0.8};
  });
  const TestState s = random_state(model, 6);
  const VectorXd tau = passive(model, s.q, s.v);
  constexpr double h = 1e-5;
  for (int k = 0; k < model.nv(); ++k) {  // each velocity for itself, so that all of tau is seen
    const auto energy = [&](double t) {
      VectorXd q(model.nq());
      EXPECT_TRUE(integrate(model, s.q, VectorXd(t * VectorXd::Unit(model.nv(), k)), q).ok());
      return energy_of_springs(model, q);
    };
    EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), -tau[k], 1e-7 * (1 + std::abs(tau[k]))) << k;
  }
  EXPECT_LE(passive(model, Eigen::Map<const VectorXd>(model.spring_reference().data(), model.nq()), s.v).norm(), 1e-15);
}

TEST(PassiveForces, OfDampingAndFrictionFollowTheirLaw) {
  const Model model = every_joint_with([](JointDescription& j, JointType type) {
    j.passive.friction = {0.7};
    for (int k = 0; k < velocity_count(type); ++k) j.passive.damping.push_back(0.1 + k);
  });
  TestState s = random_state(model, 6);
  s.v[2] = 0;
  const VectorXd tau = passive(model, s.q, s.v), faded = passive(model, s.q, s.v, 0.5);
  for (int k = 0; k < model.nv(); ++k) {
    const double damping = 0.1 + (k - model.v_index(model.body_of_velocity(k))), v = s.v[k];
    EXPECT_DOUBLE_EQ(model.damping()[static_cast<std::size_t>(k)], damping);
    EXPECT_NEAR(tau[k], -damping * v - 0.7 * (v > 0 ? 1 : v < 0 ? -1 : 0), 1e-14);
    EXPECT_NEAR(faded[k], -damping * v - 0.7 * std::tanh(v / 0.5), 1e-14);
  }
}

TEST(PassiveForces, BatchesAndFloatAreTheSameAndAddUp) {
  const Model model = every_joint_with(
      [](JointDescription& j, JointType) { j.passive.damping = j.passive.friction = j.passive.stiffness = {0.3}; });
  const auto s = bench::random_states(model, 5, 7);
  MatrixXd tau = MatrixXd::Constant(model.nv(), 5, 2);
  Eigen::MatrixXf in_float = Eigen::MatrixXf::Constant(model.nv(), 5, 2);
  ASSERT_TRUE(add_passive_forces(model, s.q, s.v, tau).ok());
  ASSERT_TRUE(add_passive_forces(model, s.q.cast<float>(), s.v.cast<float>(), in_float).ok());
  for (Eigen::Index c = 0; c < 5; ++c) {
    const VectorXd one = passive(model, s.q.col(c), s.v.col(c));
    EXPECT_LE((tau.col(c) - VectorXd::Constant(model.nv(), 2) - one).norm(), 1e-14);
  }
  EXPECT_LE((in_float.cast<double>() - tau).norm(), 1e-5 * tau.norm());
  if (!can_count_allocations()) return;
  start_counting();
  (void)add_passive_forces(model, s.q, s.v, tau);
  EXPECT_EQ(stop_counting().ours, 0U);
}

TEST(PassiveForces, WrongCallsAreNamed) {
  const Model model = make_model("chain:2", {.floating_base = true});
  MatrixXd q = neutral(model).replicate(1, 3), v = MatrixXd::Zero(model.nv(), 3), tau = MatrixXd::Constant(7, 3, 7);
  const Status size = add_passive_forces(model, q, v, tau.topRows(5));
  EXPECT_EQ(size.message(model).substr(0, 36), "tau has 5 rows; 7 are expected (q ta") << size.message(model);
  EXPECT_EQ(add_passive_forces(model, q, v.topRows(3), tau).code, StatusCode::wrong_size);
  EXPECT_EQ(add_passive_forces(model, q, v, v).code, StatusCode::shared_memory);
  EXPECT_EQ(tau, MatrixXd::Constant(7, 3, 7));
  q.col(1).segment<4>(3) *= 2;
  const Status bad = add_passive_forces(model, q, v, tau);
  EXPECT_EQ(bad.code, StatusCode::not_normalized);
  EXPECT_EQ(bad.column, 1);
  EXPECT_TRUE(tau.col(1).array().isNaN().all());
  EXPECT_TRUE(tau.col(2).allFinite());
}

}  // namespace
}  // namespace kinetree::oracle
