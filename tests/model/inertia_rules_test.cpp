// Joints that move no inertia, and which joints may be cut.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/model/model_data.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

BodyDescription massless(BodyDescription b) {
  b.inertial.reset();
  return b;
}

InertialDescription rod(const Numbers3& com) { return {1, {com, {0, 0, 0, 1}}, {0.1, 0.1, 0, 0, 0, 0}, 0}; }

/// `joint "…"` of every error.
std::vector<std::string> refused(const Description& d) {
  std::vector<std::string> elements;
  try {
    make_model(d);
  } catch (const InputError& e) {
    for (const Finding& f : e.findings())
      if (f.severity == Severity::error) elements.push_back(f.element);
  }
  return elements;
}
using Names = std::vector<std::string>;

TEST(InertiaRules, AMasslessTipIsRefusedAloneAndTheRestIsNot) {
  EXPECT_EQ(refused(mechanism({body("a", "world"), massless(body("b", "a"))})), Names{"joint \"jb\""});
}

TEST(InertiaRules, AMasslessBodyThatCarriesMassIsValid) {
  EXPECT_EQ(refused(mechanism({massless(body("a", "world")), body("b", "a", "revolute", {0, 1, 0})})), Names{});
  EXPECT_EQ(refused(mechanism({massless(body("a", "world")), massless(body("b", "a", "revolute", {0, 1, 0})),
                               body("c", "b", "revolute", {1, 0, 0})})),
            Names{});
}

TEST(InertiaRules, TwoJointsAboutOneLineWithNothingBetweenAreNot) {
  const Placement same{};
  EXPECT_EQ(refused(mechanism({massless(body("a", "world", "revolute", {0, 0, 1}, same)),
                               body("b", "a", "revolute", {0, 0, 1}, same)})),
            Names{"joint \"ja\""});
}

TEST(InertiaRules, AThinRodMayTurnAboutAnythingButItself) {
  BodyDescription across = body("a", "world", "revolute", {1, 0, 0}), along = body("a", "world", "revolute", {0, 0, 1});
  across.inertial = rod({0, 0, 0.5});
  along.inertial = rod({0, 0, 0.5});
  EXPECT_EQ(refused(mechanism({across})), Names{});
  EXPECT_EQ(refused(mechanism({along})), Names{"joint \"ja\""});
  across.joint.type = "spherical";
  EXPECT_EQ(refused(mechanism({across})), Names{"joint \"ja\""});
}

TEST(InertiaRules, ARodFarOutDoesNotCondemnTheBase) {
  Description d = make_description("chain:2000");
  d.bodies.back().inertial = rod({0.1, 0, 0});
  d.bodies[0].inertial.reset();
  EXPECT_EQ(refused(d), Names{});
}

TEST(InertiaRules, SmallBodiesAreNotTakenForNothing) {
  BodyDescription screw = body("a", "world");
  screw.inertial = InertialDescription{1e-3, {}, {1e-9, 1e-9, 1e-9, 0, 0, 0}, 0};
  EXPECT_EQ(refused(mechanism({screw})), Names{});
}

/// A direction counts as idle below 1e-10 of all that the body and what hangs from it have, whatever their sizes.
TEST(InertiaRules, ATurnIsIdleUpToTheLimitOfItsMoment) {
  for (const double size : {1e-6, 1.0, 1e6})
    for (const double part : {0.98, 1.02}) {
      BodyDescription needle = body("a", "world", "revolute", {0, 0, 1}, Placement{});
      needle.inertial = InertialDescription{size, {}, {0.1 * size, 0.1 * size, 0, 0, 0, 0}, 0};
      const double all = 0.2 * size + 3 * size;  // traces of both halves of the inertia
      needle.inertial->inertia[2] = part * 1e-10 * all;
      EXPECT_EQ(refused(mechanism({needle})), part < 1 ? Names{"joint \"ja\""} : Names{}) << size << ", " << part;
    }
}

TEST(InertiaRules, WhatMayBeCut) {
  BodyDescription thin = body("thin", "a");
  thin.inertial = rod({0.3, 0, 0});
  const Model model = make_model(
      mechanism({body("a", "world"), thin, massless(body("b", "a")), body("c", "b", "revolute", {1, 0, 0})}));
  EXPECT_EQ(model.data().may_cut, (std::vector<bool>{true, false, false, true}));
}

Finding only_finding(const Description& d, const LoadOptions& options = {}) {
  const Model model = make_model(d, options);
  EXPECT_EQ(model.findings().size(), 1u);
  return model.findings().size() == 1 ? model.findings()[0] : Finding{};
}

TEST(InertiaRules, AMomentBeyondTheSumOfTheOthersIsAWarningOfAnySize) {
  for (const double largest : {2.001, 2.1, 3., 1e4}) {
    BodyDescription odd = body("odd", "world");
    odd.inertial->inertia = {1, 1, largest, 0, 0, 0};
    const Finding f = only_finding(mechanism({odd}));
    EXPECT_EQ(f.severity, Severity::warning) << largest;
    EXPECT_EQ(f.element, "link \"odd\"");
    char moments[64];
    std::snprintf(moments, sizeof moments, "principal moments 1, 1, %.9g", largest);
    EXPECT_NE(f.message.find(moments), std::string::npos) << f.message;
    EXPECT_NE(f.message.find("exceed the sum"), std::string::npos) << f.message;
  }
}

TEST(InertiaRules, ANegativeMomentIsAnErrorBeyondRounding) {
  BodyDescription odd = body("odd", "world", "revolute", {1, 0, 0});
  odd.inertial->inertia = {1, 1, -1e-5, 0, 0, 0};
  EXPECT_EQ(refused(mechanism({odd})), Names{"link \"odd\""});
  for (double& moment : odd.inertial->inertia) moment *= 1e-9;  // relative to the largest, whatever that is
  EXPECT_EQ(refused(mechanism({odd})), Names{"link \"odd\""});
  odd.inertial->inertia = {1, 1, -1e-8, 0, 0, 0};
  EXPECT_EQ(only_finding(mechanism({odd})).severity, Severity::warning);
}

/// What printing leaves is a warning up to a millionth of the largest moment.
TEST(InertiaRules, ANegativeMomentIsAnErrorFromAMillionthOn) {
  BodyDescription odd = body("odd", "world");
  odd.inertial->inertia = {1, 1, -0.9e-6, 0, 0, 0};
  EXPECT_EQ(only_finding(mechanism({odd})).severity, Severity::warning);
  odd.inertial->inertia = {1, 1, -1.1e-6, 0, 0, 0};
  EXPECT_EQ(refused(mechanism({odd})), Names{"link \"odd\""});
}

TEST(InertiaRules, OnTheGroundANegativeMomentIsAWarning) {
  BodyDescription stand = body("stand", "world", "fixed");
  stand.inertial->inertia = {1, 1, -1, 0, 0, 0};
  const Description d = mechanism({stand, body("arm", "stand")});
  const Finding f = only_finding(d);
  EXPECT_EQ(f.severity, Severity::warning);
  EXPECT_NE(f.message.find("fixed to the world"), std::string::npos) << f.message;
  LoadOptions floating;
  floating.floating_base = true;  // now it moves
  EXPECT_THROW(make_model(d, floating), InputError);
}

/// The centre of mass is not to be found again from a mass whose inverse is infinite: a NaN must not pass the rules.
TEST(InertiaRules, AMomentThatIsNoNumberIsAnError) {
  BodyDescription speck = body("speck", "a");
  speck.inertial = InertialDescription{5e-324, {{1e10, 0, 0}, {0, 0, 0, 1}}, {1, 1, 1, 0, 0, 0}, 0};
  EXPECT_EQ(refused(mechanism({body("a", "world"), speck})), Names{"link \"speck\""});
}

TEST(InertiaRules, ALinkMayBeImpossibleWhereItsBodyIsNot) {
  BodyDescription part = body("part", "a", "fixed");
  part.inertial = InertialDescription{0.01, {}, {0.001, 0.001, -0.003, 0, 0, 0}, 0};
  const Model model = make_model(mechanism({body("a", "world"), part}));
  ASSERT_EQ(model.findings().size(), 1u);
  EXPECT_EQ(model.findings()[0].severity, Severity::warning);
  EXPECT_EQ(model.findings()[0].element, "link \"part\"");
  part.inertial->inertia = {1, 1, -3, 0, 0, 0};  // now the body is impossible too
  EXPECT_EQ(refused(mechanism({body("a", "world"), part})), Names{"link \"a\""});
}

}  // namespace
}  // namespace kinetree::test
