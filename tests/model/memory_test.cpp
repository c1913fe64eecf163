// What a body takes of memory, counted on models that are small and yet large enough for what does not grow with them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model_data.hpp"
#include "model/describe.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::test {
namespace {

constexpr int bodies = 20'000;

/// Bytes a body at the most while `run` runs.
template <class Run>
double most_a_body(int count, Run&& run) {
  oracle::start_counting();
  run();
  return static_cast<double>(oracle::stop_counting().most_bytes) / count;
}

/// A model, and one state solved on it; every number that a caller brings is counted.
void build_and_solve(const std::string& family) {
  const Model model = make_model(family);
  ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab, .threads = 1});
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(model.nq(), 0.1), v = Eigen::VectorXd::Constant(model.nv(), 0.1);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd a(model.nv());
  EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok());
}

TEST(Memory, TenMillionBodiesFitInTwelveGigabytes) {
  if (!oracle::can_count_allocations()) GTEST_SKIP() << "a sanitizer's allocator is not counted";
  const std::string chain = "chain:" + std::to_string(bodies);
  EXPECT_LE(most_a_body(bodies, [&] { (void)make_model(chain); }), 1150);
  EXPECT_LE(most_a_body(bodies, [&] { build_and_solve(chain); }), 1200);
  EXPECT_LE(most_a_body(16'383, [] { build_and_solve("tree:2x14"); }), 1350);
}

/// A spherical joint, a slide, and a floating body beside them.
Description of_three() {
  return mechanism({body("a", "world", "spherical"), body("b", "a", "prismatic"), body("c", "world", "floating")});
}

std::vector<double> list(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }

/// Blocks of their own for each body leave holes behind that nothing later fills: 0.1 kB a body of two maps of names.
TEST(Memory, NoBodyTakesABlockOfItsOwn) {
  if (!oracle::can_count_allocations()) GTEST_SKIP() << "a sanitizer's allocator is not counted";
  oracle::start_counting();
  (void)make_model("chain:" + std::to_string(bodies));
  EXPECT_LE(oracle::stop_counting().most_blocks, 1000u);
}

TEST(Memory, WhatNoJointStatesIsReadAllTheSame) {
  const Model model = make_model(of_three());
  EXPECT_TRUE(model.data().limits.upper.empty());
  EXPECT_TRUE(model.data().passive.reference.empty());
  const double none = std::numeric_limits<double>::infinity();
  const std::vector<double> zeros(10, 0), infinite(10, none);
  EXPECT_EQ(list(model.damping()), zeros);
  EXPECT_EQ(list(model.friction()), zeros);
  EXPECT_EQ(list(model.stiffness()), zeros);
  EXPECT_EQ(list(model.spring_reference()), (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(list(model.lower_limits()), std::vector<double>(12, -none));
  EXPECT_EQ(list(model.upper_limits()), std::vector<double>(12, none));
  EXPECT_EQ(list(model.velocity_limits()), infinite);
  EXPECT_EQ(list(model.effort_limits()), infinite);
  EXPECT_TRUE(model.visuals(2).empty());
  EXPECT_TRUE(model.collisions(0).empty());
  const Model copy = model;  // a copy and another call read the same numbers
  EXPECT_EQ(copy.lower_limits().data(), model.lower_limits().data());
  EXPECT_NE(model.lower_limits().data(), model.upper_limits().data());
}

TEST(Memory, OneJointThatStatesANumberIsAmongTheOthers) {
  Description d = of_three();
  d.bodies[1].joint.limits.upper = {2}, d.bodies[1].joint.limits.lower = {-std::numeric_limits<double>::infinity()};
  d.bodies[1].joint.passive.friction = {3}, d.bodies[0].joint.passive.reference = {0, 0, 1, 0};
  ShapeDescription& ball = d.bodies[2].collisions.emplace_back();
  ball.type = "sphere", ball.size = {1};
  const Model model = make_model(d);
  EXPECT_TRUE(model.data().limits.lower.empty());
  EXPECT_EQ(list(model.upper_limits())[4], 2);
  EXPECT_EQ(list(model.upper_limits())[3], std::numeric_limits<double>::infinity());
  EXPECT_EQ(list(model.friction()), (std::vector<double>{0, 0, 0, 3, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(list(model.damping()), std::vector<double>(10, 0));
  EXPECT_EQ(list(model.spring_reference()), (std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(model.collisions(0).empty());
  EXPECT_EQ(model.collisions(2).size(), 1u);
}

TEST(Memory, ASpringWithoutStiffnessKeepsItsReference) {
  Description d = of_three();
  d.bodies[1].joint.passive.reference = {0.5};
  const Model model = make_model(d);
  EXPECT_FALSE(model.data().passive.any);
  EXPECT_EQ(model.spring_reference()[4], 0.5);
  EXPECT_EQ(model.stiffness()[3], 0);
}

}  // namespace
}  // namespace kinetree::test
