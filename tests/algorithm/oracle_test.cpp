// Every algorithm against the oracle in absolute coordinates, 60 digits: each joint type, and random trees.
#include <gtest/gtest.h>

#include <kinetree/scalar/reference.hpp>

#include "model/every_joint_type.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// Both with and without external forces; default refinements, and none.
void agree(const Description& description, std::uint64_t seed, double tolerance, bool every_cutting) {
  const Model model = make_model(description);
  const TestState s = random_state(model, seed);
  DenseOracle<Reference> oracle(description, model);
  for (const bool external : {false, true}) {
    oracle.set(s.q, s.v, external ? s.f_ext : Eigen::VectorXd());
    const std::vector<Reference> truth = oracle.accelerations(s.tau);
    for (const int refinements : {-1, 0})
      for (const Options& options : all_plans(refinements)) {
        if (!every_cutting && options.cuts != Cuts::paths) continue;
        ForwardDynamics dynamics(model, options);
        EXPECT_LE(relative_difference(accelerations(dynamics, s, external), truth), tolerance)
            << description.name << ", " << describe(options) << (external ? ", f_ext" : "") << ", seed " << seed;
      }
  }
}

class OracleJoint : public testing::TestWithParam<JointType> {};

TEST_P(OracleJoint, AloneOnTheGround) {
  if (GetParam() == JointType::fixed) return;  // nothing moves
  for (std::uint64_t seed = 1; seed <= 4; ++seed) agree(around(GetParam(), true, seed), seed, 1e-12, true);
}
TEST_P(OracleJoint, InTheMiddleOfATree) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) agree(around(GetParam(), false, seed), seed, 1e-11, true);
}
TEST_P(OracleJoint, AxisAlongEachDirection) {
  if (!has_axis(GetParam())) return;
  for (const Numbers3 axis : {Numbers3{2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -3, 0}, {0, 0, -1}}) {
    Description d = around(GetParam(), false, 9);
    d.bodies[1].joint.axis = axis;
    if (d.bodies[1].joint.axis2) d.bodies[1].joint.axis2 = Numbers3{axis[1], axis[2], axis[0]};
    agree(d, 3, 1e-11, false);
  }
}
INSTANTIATE_TEST_SUITE_P(Types, OracleJoint, testing::ValuesIn([] {
                           std::vector<JointType> types = moving_types();
                           types.push_back(JointType::fixed);
                           return types;
                         }()),
                         [](const auto& info) { return std::string(kinetree::name_of(info.param)); });

std::string random_tree(int bodies, int seed) {
  return "random:" + std::to_string(bodies) + ":seed=" + std::to_string(seed) +
         ":floating=" + std::to_string(seed % 2) + ":special=" + std::to_string(seed / 2 % 2);
}

TEST(Oracle, RandomTrees) {
  for (int seed = 1; seed <= 16; ++seed)
    agree(make_description(random_tree(1 + 5 * seed % 23, seed)), static_cast<std::uint64_t>(seed), 1e-9, false);
}

TEST(OracleLong, RandomTrees) {
  for (int seed = 100; seed < 220; ++seed)
    agree(make_description(random_tree(1 + 7 * seed % 33, seed)), static_cast<std::uint64_t>(seed), 1e-9, true);
}

TEST(Oracle, GravityAlongEachAxis) {
  for (const Numbers3 gravity : {Numbers3{9, 0, 0}, {0, -9, 0}, {0, 0, 9}}) {
    Description d = make_description("random:9:seed=5");
    d.gravity = gravity;
    agree(d, 8, 1e-10, false);
  }
}

TEST(Oracle, ChildrenBeforeTheirParents) {
  Description d = around(JointType::spherical, false, 21);
  std::swap(d.bodies[0], d.bodies[3]);
  std::swap(d.bodies[1], d.bodies[4]);
  agree(d, 2, 1e-11, false);
}

}  // namespace
}  // namespace kinetree::oracle
