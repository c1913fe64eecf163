// Change points approached: a status, or an answer as good as the distance from them lets it be. Truth is the reference
// scalar's answer, or the equation of motion of the one freedom that is left, which knows of no change point.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "loops/coupling_rods.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"
#include "oracle/random_state.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;
constexpr double gravity = 9.81;

/// A mechanism on the way to its change point, at a distance from it (rad), in motion.
struct Approach {
  std::string name;
  Description description;
  std::function<TestState(double)> at;
  std::function<VectorXd(const TestState&)> truth;  ///< empty: none is known
};

double mass(const Description& d, const char* body) {
  for (const BodyDescription& b : d.bodies)
    if (b.name == body) return b.inertial->mass;
  return NAN;
}

/// The cranks' heights and the rod's follow one angle, and inertia does not depend on it.
Approach coupling_rod(const CouplingRod& rod, double rate) {
  Approach x{"coupling rod of " + std::to_string(rod.pivots.size()) + " cranks, line " + std::to_string(rod.line),
             rod.description(),
             {},
             {}};
  const double fold = rod.line - rod.angle;
  x.at = [rod, rate, fold](double distance) {
    TestState s;
    s.q = rod.along(fold + distance), s.v = rod.along(rate);
    s.tau = VectorXd::LinSpaced(s.q.size(), 1, -0.5);
    return s;
  };
  x.truth = [rod, d = x.description](const TestState& s) {
    const double m = mass(d, "crank1"), n = static_cast<double>(rod.pivots.size()), m_rod = mass(d, "rod");
    const double inertia = n * m * rod.crank * rod.crank / 3 + m_rod * rod.crank * rod.crank;
    const double pull = gravity * (n * m * rod.crank / 2 + m_rod * rod.crank) * std::cos(rod.angle + s.q[0]);
    return rod.along((s.tau.sum() - 2 * s.tau[1] + pull) / inertia);
  };
  return x;
}

/// Crank and rod of one length: the slider may stay on the crank's pivot.
Approach slider_crank(double rate) {
  constexpr double r = 0.3, slider_mass = 0.7;
  Approach x{"slider-crank", {}, {}, {}};
  Description& d = x.description;
  d.name = "slider_crank";
  d.bodies = {rod("crank", "world", 0, r), rod("rod", "crank", r, r)};
  BodyDescription slider;
  slider.name = "slider", slider.parent = "world";
  slider.joint.name = "slider_joint", slider.joint.type = "prismatic", slider.joint.axis = {1, 0, 0};
  slider.inertial = InertialDescription{slider_mass, {}, {0.01, 0.01, 0.01, 0, 0, 0}};
  d.bodies.push_back(slider);
  LoopDescription pin;
  pin.name = "pin", pin.type = "revolute", pin.axis = {0, 1, 0};
  pin.first.body = "rod", pin.first.frame.xyz = {r, 0, 0}, pin.second.body = "slider";
  d.loops.push_back(pin);
  x.at = [rate](double distance) {  // upright crank: sine and cosine of the distance itself
    const double angle = M_PI / 2 - distance;
    TestState s;
    s.q = VectorXd{{angle, -2 * angle, 2 * r * std::cos(angle)}};
    s.v = VectorXd{{rate, -2 * rate, -2 * r * std::sin(angle) * rate}};
    s.tau = VectorXd{{1, -0.3, 2}};
    return s;
  };
  x.truth = [rate, d](const TestState& s) {
    const double c = std::cos(s.q[0]), sine = std::sin(s.q[0]), m = mass(d, "crank"), n = mass(d, "rod");
    const double inertia = (m / 3 + n / 12) * r * r + n * r * r * (2.25 * sine * sine + 0.25 * c * c) +
                           slider_mass * 4 * r * r * sine * sine;
    const double half_slope = n * r * r * 2 * sine * c + slider_mass * 4 * r * r * sine * c;
    const double force = s.tau[0] - 2 * s.tau[1] - 2 * r * sine * s.tau[2] + gravity * (m * r / 2 + n * r / 2) * c -
                         half_slope * rate * rate;
    const double a = force / inertia;
    return VectorXd{{a, -2 * a, -2 * r * (sine * a + c * rate * rate)}};
  };
  return x;
}

/// Two pairs of equal bars: where the crank's end meets the rocker's pivot, coupler and rocker may turn alone.
Approach kite() {
  constexpr double a = 0.4, b = 0.3;
  Approach x{"kite", flat_four_bar(a, b, b), {}, {}};
  x.at = [](double distance) {
    const double d = 2 * a * std::sin(distance / 2);  // from the crank's end to the rocker's pivot
    const double coupler = distance / 2 - M_PI / 2 + std::acos(d / 2 / b);  // of the world, down from x
    const double rocker = distance / 2 + M_PI / 2 - std::acos(d / 2 / b);
    TestState s;
    s.q = VectorXd{{distance, coupler - distance, rocker}};
    s.v = VectorXd::Zero(3), s.tau = VectorXd{{1, -0.5, 0.3}};
    return s;
  };
  return x;
}

std::vector<Approach> approaches() {
  std::vector<Approach> all;
  CouplingRod two, three;
  two.pivots = {0, 0.5}, two.angle = 0;
  three.angle = 0;
  for (CouplingRod* rod : {&two, &three}) {
    all.push_back(coupling_rod(*rod, 1.7));
    rod->angle = rod->line = 0.4;
    all.push_back(coupling_rod(*rod, 1.7));
  }
  all.push_back(slider_crank(1.3));
  return all;
}

/// Bodies lopsided, so that no term of the equations is zero.
Description lopsided_parallelogram() {
  constexpr double crank = 0.3, ground = 0.5;
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

std::vector<double> ladder() {
  std::vector<double> all;
  for (int k = 1; k <= 28; ++k) all.push_back(std::pow(10, -0.5 * k));
  all.push_back(0);
  return all;
}

TEST(ChangePoints, DigitsGoInProportionToTheDistance) {
  const Model model = make_model(lopsided_parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
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

TEST(ChangePoints, ThemselvesAreAStatusThatNamesTheLoop) {
  const Model model = make_model(lopsided_parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
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

TEST(ChangePoints, AStatusOrAnAnswerAsGoodAsCanBe) {
  std::vector<Options> ways{serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::cfa),
                            serial(Algorithm::ab)};
  ways.back().loops = Loops::multipliers;
  for (const Approach& x : approaches()) {
    const Model model = make_model(x.description);
    ASSERT_EQ(model.data().aggregates[0].freedoms, 1) << x.name;
    Closure closure(model.data());
    for (const Options& way : ways) {
      const bool multipliers = way.loops == Loops::multipliers;
      ForwardDynamics dynamics(model, way);
      double last = 1, worst = 0;
      for (const double distance : ladder())
        for (const double side : {1.0, -1.0}) {
          const TestState s = x.at(side * distance);
          const VectorXd truth = x.truth(s);
          VectorXd a(model.nv());
          const Status status = dynamics.solve(s.q, s.v, s.tau, a);
          const double error = (a - truth).norm() / truth.norm();
          if (!status.ok()) {
            EXPECT_EQ(status.code, StatusCode::singular_loop);
            // multipliers know the constraints' own pivots by an estimate on the safe side
            EXPECT_LE(distance, multipliers ? 1e-8 : 1e-9) << x.name << ", " << describe(way) << ": " << distance;
            continue;
          }
          EXPECT_GE(distance, 3e-11) << x.name << ", " << describe(way);
          const double digits = 3e-15 / distance + 1e-14;
          EXPECT_TRUE(error <= digits) << x.name << ", " << describe(way) << ": " << distance << ", off " << error;
          if (!(error * distance <= worst)) worst = error * distance;
          last = std::min(last, distance);
        }
      std::printf("%s, %s%s: answers down to %.0e, errors at most %.1e over the distance\n", x.name.c_str(),
                  describe(way).c_str(), multipliers ? " by multipliers" : "", last, worst);
    }
  }
}

TEST(ChangePoints, MultipliersSayLostRankAsEarlyAsEmbedding) {
  std::vector<Approach> all = approaches();
  all.push_back(kite());
  int lost = 0;
  for (const double heavy : {1.0, 1e-4, 1e4})
    for (Approach x : all)
      for (std::size_t body = 0; body < x.description.bodies.size(); ++body) {
        if (!x.description.bodies[body].inertial) continue;
        Description d = x.description;
        d.bodies[body].inertial->mass *= heavy;
        for (double& i : d.bodies[body].inertial->inertia) i *= heavy;
        const Model model = make_model(d);
        Options o = serial(Algorithm::ab);
        ForwardDynamics embed(model, o);
        o.loops = Loops::multipliers;
        ForwardDynamics multipliers(model, o);
        for (const double distance : ladder()) {
          const TestState s = x.at(distance);
          VectorXd a(model.nv());
          if (embed.solve(s.q, s.v, s.tau, a).ok()) continue;
          ++lost;
          EXPECT_EQ(multipliers.solve(s.q, s.v, s.tau, a).code, StatusCode::singular_loop)
              << x.name << ", " << distance << ", body " << body << " times " << heavy;
        }
      }
  EXPECT_GE(lost, 100);
}

/// The measure that the command takes for digits: it falls with the distance, and is none of lengths.
TEST(ChangePoints, TheMarginIsTheDistance) {
  for (const Approach& x : approaches()) {
    const Model model = make_model(x.description);
    Closure closure(model.data());
    for (const double distance : {1e-1, 1e-3, 1e-6, 1e-9}) {
      const TestState s = x.at(distance);
      const double margin = margin_at(model.data(), closure, model.data().aggregates[0], s.q.data());
      EXPECT_GE(margin, 0.05 * distance) << x.name;
      EXPECT_LE(margin, 3 * distance) << x.name;
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
