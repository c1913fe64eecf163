// Mechanisms far from the world's origin, or with frames of loops far from each other, move as they do anywhere.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/simulation/simulation.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "simulation/change_point_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// A free body held by one loop to the world, or the world to it.
Description held(const std::string& type, bool by_the_body) {
  Description d;
  d.name = type, d.gravity = {0, 0, 0};
  BodyDescription b;
  b.name = "puck", b.parent = "world", b.joint.name = "joint", b.joint.type = "floating";
  b.inertial = InertialDescription{1, {{0.1, 0, 0}, {0, 0, 0, 1}}, {0.01, 0.02, 0.025, 0, 0, 0}, 0};
  d.bodies = {b};
  LoopDescription loop;
  loop.name = "guide", loop.type = type;
  loop.axis = type == "planar" ? Numbers3{0, 0, 1} : Numbers3{1, 0, 0};
  loop.first.body = by_the_body ? "puck" : "world", loop.second.body = by_the_body ? "world" : "puck";
  d.loops = {loop};
  return d;
}

/// Planes, rails, sleeves and lines: 300 m in a minute without a stop, and the same 1 km away.
TEST(FarMechanisms, SlideAsFarAsTheyGo) {
  for (const std::string type : {"planar", "prismatic", "cylindrical", "point_on_line"})
    for (const bool by_the_body : {false, true}) {
      const Model model = make_model(held(type, by_the_body));
      VectorXd ends[2];
      for (const int far : {0, 1}) {
        Simulation simulation(model);
        VectorXd q = VectorXd::Zero(7), v = VectorXd::Zero(6);
        q[0] = 1000 * far, q[6] = 1, v[0] = 5;
        if (type == "planar") v[5] = 0.5;
        if (type == "cylindrical" || type == "point_on_line") v[3] = 0.5;
        ASSERT_TRUE(simulation.reset(q, v).ok()) << type;
        const Status status = simulation.advance_to(60);
        ASSERT_TRUE(status.ok()) << type << ": " << simulation.time() << " s, " << status.message(model);
        EXPECT_LE(simulation.closure_error(), 1e-12) << type;
        ends[far] = simulation.q();
        ends[far][0] -= 1000 * far;
      }
      EXPECT_GT(ends[0][0], 290) << type;
      EXPECT_LE((ends[1] - ends[0]).norm(), 1e-9) << type << " " << by_the_body;
    }
}

/// The file ../cases: a puck that spins while it slides keeps its centre of mass straight.
TEST(FarMechanisms, APucksCentreOfMassGoesStraight) {
  const Model model = make_model(held("planar", false));
  Simulation simulation(model);
  VectorXd q = VectorXd::Zero(7), v = VectorXd::Zero(6);
  q[6] = 1, v[0] = 5, v[5] = 0.5;
  ASSERT_TRUE(simulation.reset(q, v).ok());
  ASSERT_TRUE(simulation.advance_to(60).ok());
  const double angle = 2 * std::atan2(simulation.q()[5], simulation.q()[6]);
  EXPECT_NEAR(std::remainder(angle - 30, 2 * std::acos(-1.0)), 0, 1e-7);
  EXPECT_NEAR(simulation.q()[0] + 0.1 * std::cos(angle), 0.1 + 300, 1e-6);
  EXPECT_NEAR(simulation.q()[1] + 0.1 * std::sin(angle), 0.05 * 60, 1e-6);
}

/// The measure of a change point is the same however far a loop's frames have gone apart.
TEST(FarMechanisms, RegularityKnowsNoLever) {
  for (const std::string type : {"planar", "prismatic", "cylindrical"})
    for (const bool by_the_body : {false, true}) {
      const Model model = make_model(held(type, by_the_body));
      const ModelData& m = model.data();
      Closure closure(m);
      std::vector<double> q{0, 0, 0, 0, 0, 0, 1};
      const Aggregate& a = m.aggregates[0];
      const double here = closure.regularity(a, q.data(), a.rows);
      q[0] = 1000;
      EXPECT_NEAR(closure.regularity(a, q.data(), a.rows) / here, 1, 1e-9) << type << " " << by_the_body;
    }
}

/// A turn by 1e-9 breaks a plane by 1e-9, and a spin by 1e-9 rad/s likewise, 1 km away as at its origin.
TEST(FarMechanisms, ViolationsKnowNoLever) {
  for (const bool by_the_body : {false, true}) {
    const Model model = make_model(held("planar", by_the_body));
    Closure closure(model.data());
    for (const double x : {0.0, 1000.0}) {
      const double q[]{x, 0, 0, 0, 0.5e-9, 0, 1}, v[]{0, 0, 0, 0, 1e-9, 0};
      EXPECT_TRUE(closure.violations(q, v).empty()) << by_the_body << " " << x;
      const double off_q[]{x, 0, 0, 0, 0.5e-7, 0, 1}, off_v[]{0, 0, 0, 0, 1e-7, 0};
      EXPECT_EQ(closure.violations(off_q, off_v).size(), 2u) << by_the_body << " " << x;
    }
  }
}

/// As far out as a satellite positions are rounded to 4e-9 m, and loops close no better.
TEST(FarMechanisms, CloseAsWellAsTheirPositionsAreRounded) {
  Description d = held("planar", false);
  d.loops[0].axis = {1, 2, 3};
  d.loops[0].first.frame.xyz = {1.1e7, -2.3e7, 3.7e6};
  d.assembled = {{"joint", {1.1e7, -2.3e7, 3.7e6, 0, 0, 0, 1}}};
  const Model model = make_model(d);
  Simulation simulation(model);
  VectorXd q(7), v = VectorXd::Zero(6);
  q << 1.1e7, -2.3e7, 3.7e6, 0, 0, 0, 1;
  v << 3, 3, -3, 0.1, 0.2, 0.3;  // along the plane, and about its normal
  ASSERT_TRUE(simulation.reset(q, v).ok());
  const Status status = simulation.advance_to(10);
  ASSERT_TRUE(status.ok()) << simulation.time() << " s, " << status.message(model);
  EXPECT_LE(simulation.closure_error(), 3e-8);
  EXPECT_NEAR(simulation.energy().kinetic, 0.5 * 27, 3) << "it slides";
}

/// Linkages that pass change points on the way.
TEST(FarMechanisms, LinkagesMoveAlikeAKilometreAway) {
  for (ChangePointMechanism m : {parallelogram(0.25, 0.5, true), kite(0.25, 0.5, true), windowed_four_bars(3),
                                 on_a_turntable(slider_crank(0.25, true))}) {
    VectorXd ends[2];
    for (const int far : {0, 1}) {
      Description d = m.description;
      if (far == 1)
        for (BodyDescription& b : d.bodies)
          if (b.parent == "world") b.joint.origin.xyz[0] += 1024, b.joint.origin.xyz[1] += 512;
      const Model model = make_model(d);
      Simulation simulation(model, {}, {Integrator::adaptive, 1e-3, 1e-11});
      ASSERT_TRUE(simulation.assemble(m.q, 3 * m.v).ok()) << d.name;
      const Status status = simulation.advance_to(2);
      ASSERT_TRUE(status.ok()) << d.name << ": " << simulation.time() << " s, " << status.message(model);
      ends[far].resize(model.nq() + model.nv());
      ends[far] << simulation.q(), simulation.v();
    }
    EXPECT_LE((ends[1] - ends[0]).norm(), 1e-9 * ends[0].norm()) << m.description.name;
  }
}

}  // namespace
}  // namespace kinetree::oracle
