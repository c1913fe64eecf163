// A parallelogram near its change point, where all its links lie on one line and its constraints lose rank: digits go
// in proportion to the distance, by either way of holding loops, and at the point itself the status says so.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

constexpr double crank = 0.3, ground = 0.5;

Description parallelogram() {
  Description d;
  d.name = "parallelogram";
  const auto add = [&](const std::string& name, const std::string& parent, double x, double length) {
    BodyDescription b;
    b.name = name, b.parent = parent;
    b.joint.name = "to_" + name, b.joint.type = "revolute", b.joint.axis = {0, 1, 0};
    b.joint.origin.xyz = {x, 0, 0};
    InertialDescription i;
    i.mass = 1 + length;
    i.frame.xyz = {0.4 * length, 0.01, 0.03};
    i.inertia = {0.002, 0.02, 0.019, 0, 0, 0};
    b.inertial = i;
    d.bodies.push_back(b);
  };
  add("crank", "world", 0, crank);
  add("coupler", "crank", crank, ground);
  add("rocker", "world", ground, crank);
  LoopDescription loop;
  loop.name = "closure", loop.type = "revolute", loop.axis = {0, 1, 0};
  loop.first.body = "coupler", loop.first.frame.xyz = {ground, 0, 0};
  loop.second.body = "rocker", loop.second.frame.xyz = {crank, 0, 0};
  d.loops.push_back(loop);
  d.assembled = {{"to_crank", {0.7}, 0}, {"to_coupler", {-0.7}, 0}, {"to_rocker", {0.7}, 0}};
  return d;
}

/// The crank at an angle, turning by a rad/s; the coupler keeps its direction.
TestState at_angle(double angle) {
  TestState s;
  s.q = Eigen::Vector3d(angle, -angle, angle);
  s.v = Eigen::Vector3d(1, -1, 1);
  s.tau = Eigen::Vector3d(0.4, 0.1, -0.3);
  return s;
}

TEST(ChangePoint, DigitsGoInProportionToTheDistance) {
  const Model model = make_model(parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    Options options = serial(Algorithm::ab);
    options.loops = loops;
    ForwardDynamics dynamics(model, options);
    for (double angle = 0.1; angle > 5e-9; angle /= 10) {
      for (const double side : {angle, -angle, 3 * angle, std::acos(-1.0) - angle}) {
        const TestState s = at_angle(side);
        const std::vector<Reference> truth = reference_accelerations(model, s);
        Eigen::VectorXd a(3);
        const Status status = dynamics.solve(s.q, s.v, s.tau, a);
        ASSERT_TRUE(status.ok()) << side << ": " << status.message(model);
        const double error = relative_difference(a, truth);
        EXPECT_LE(error, 1e-15 / angle) << side << (loops == Loops::embed ? ", embedded" : ", multipliers");
        std::printf("%s at %.3g rad: %.1e\n", loops == Loops::embed ? "embedded" : "multipliers", side, error);
      }
    }
  }
}

TEST(ChangePoint, ItselfIsAStatusThatNamesTheLoop) {
  const Model model = make_model(parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    Options options = serial(Algorithm::ab);
    options.loops = loops;
    ForwardDynamics dynamics(model, options);
    for (const double angle : {0., 1e-14}) {
      const TestState s = at_angle(angle);
      Eigen::VectorXd a(3);
      const Status status = dynamics.solve(s.q, s.v, s.tau, a);
      EXPECT_FALSE(status.ok()) << angle;
      EXPECT_NE(status.message(model).find("closure"), std::string::npos) << status.message(model);
      EXPECT_TRUE(a.array().isNaN().all());
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
