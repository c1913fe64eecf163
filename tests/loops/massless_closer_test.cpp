// A massless pin that closes a loop: without the loop nothing resists it, so that multipliers have no inertia to go by.
#include <gtest/gtest.h>

#include <kinetree/configuration.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {
namespace massless_closer {

using Eigen::VectorXd;

/// A four-bar whose rocker carries a pin that is welded to the coupler's end; or, with `mass`, a heavy pin. `links`
/// make the coupler longer, so that multipliers take fewer operations.
Description pinned(double mass, int links = 1) {
  Description d;
  d.name = "pinned";
  d.bodies = {rod("crank", "world", 0, .2), rod("link1", "crank", .2, .2)};
  for (int k = 2; k <= links; ++k)
    d.bodies.push_back(rod("link" + std::to_string(k), "link" + std::to_string(k - 1), .2, .2));
  d.bodies.push_back(rod("rocker", "world", 0, .25)), d.bodies.back().joint.origin.xyz = {.3, 0, 0};
  d.bodies.push_back(rod("pin", "rocker", .25, .1));
  d.bodies.back().inertial.reset();
  if (mass > 0) d.bodies.back().inertial = InertialDescription{mass, {}, {.1 * mass, .1 * mass, .1 * mass, 0, 0, 0}};
  LoopDescription weld;
  weld.name = "close", weld.type = "weld";
  weld.first.body = "link" + std::to_string(links), weld.first.frame.xyz = {.2, 0, 0};
  weld.second.body = "pin";
  d.loops.push_back(weld);
  return d;
}

TEST(MasslessCloser, IsSolvedEmbeddedAndNeverLeftToMultipliers) {
  bool cheaper = false;
  for (const int links : {1, 4, 8}) {
    const Description d = pinned(0, links);
    const Model model = make_model(d);
    const LoopCost cost = loop_costs(model.data())[0];
    EXPECT_TRUE(cost.idle);
    cheaper = cheaper || cost.multipliers < cost.embed;
    VectorXd q(model.nq()), v(model.nv()), tau = VectorXd::LinSpaced(model.nv(), 1, -2), a(model.nv()), b = a;
    ASSERT_TRUE(random_state(model, 3, q, v).ok());
    for (const Loops loops : {Loops::embed, Loops::automatic}) {
      ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab, .loops = loops});
      const Status status = dynamics.solve(q, v, tau, loops == Loops::embed ? a : b);
      ASSERT_TRUE(status.ok()) << status.message(model);
    }
    EXPECT_EQ(a, b) << "embedded both times";
    // the same without the pin: a loop that turns where it sat
    Description without = d;
    without.bodies.pop_back();
    without.loops[0].type = "revolute", without.loops[0].axis = {0, 1, 0};
    without.loops[0].second = {"rocker", {{.25, 0, 0}}};
    const Model theirs = make_model(without);
    const int n = theirs.nv();
    ASSERT_EQ(model.v_index("pin_joint"), n);
    VectorXd c(n);
    tau[n] = 0;
    ForwardDynamics embedded(model, {.algorithm = Algorithm::ab}), other(theirs, {.algorithm = Algorithm::ab});
    ASSERT_TRUE(embedded.solve(q, v, tau, a).ok());
    ASSERT_TRUE(other.solve(q.head(n), v.head(n), tau.head(n), c).ok());
    EXPECT_LE((a.head(n) - c).norm(), 1e-11 * c.norm());
    ForwardDynamics multipliers(model, {.algorithm = Algorithm::ab, .loops = Loops::multipliers});
    const Status status = multipliers.solve(q, v, tau, b);
    EXPECT_EQ(status.code, StatusCode::singular);
    const std::string words = status.message(model);
    for (const char* part : {"joint \"pin_joint\"", "in every configuration", "loop \"close\"", "take embed"})
      EXPECT_NE(words.find(part), std::string::npos) << words;
  }
  EXPECT_TRUE(cheaper) << "else nothing was tried";
}

/// A pin with mass is no such case, and its message no such message.
TEST(MasslessCloser, AHeavyOneIsNone) {
  const Model model = make_model(pinned(0.1, 8));
  EXPECT_FALSE(loop_costs(model.data())[0].idle);
  EXPECT_TRUE(loop_costs(model.data())[0].by_multipliers(Loops::automatic));
  const Status status{StatusCode::singular, 0, model.body_of_joint("pin_joint"), 0};
  EXPECT_EQ(status.message(model).find("every configuration"), std::string::npos) << status.message(model);
}

}  // namespace massless_closer
}  // namespace kinetree::oracle
