// Which joints may be cut, as far as inertias go.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/model/model_data.hpp"

namespace kinetree::test {
namespace {

std::vector<bool> may_cut(const Description& d) { return make_model(d).data().may_cut; }
long cuttable(const std::string& family) {
  const std::vector<bool> may = make_model(family).data().may_cut;
  return std::count(may.begin(), may.end(), true);
}

/// chain:8 whose fourth body is 2 kg with one moment all round, about the middle of the link or about its joint.
std::vector<bool> with_point(double moment, bool at_joint) {
  Description d = make_description("chain:8");
  InertialDescription& inertial = *d.bodies[3].inertial;
  inertial.mass = 2;
  inertial.inertia = {moment, moment, moment, 0, 0, 0};
  if (at_joint) inertial.frame.xyz = {0, 0, 0}, d.bodies[4].joint.origin.xyz = {0, 0, 0};
  return may_cut(d);
}

TEST(CutRule, AbsoluteMeasureOfAMoment) {
  const std::vector<bool> all(8, true);
  std::vector<bool> not_there = all;
  not_there[3] = false;
  EXPECT_EQ(with_point(1e-3, false), all);
  EXPECT_EQ(with_point(1e-6, false), all);
  EXPECT_EQ(with_point(1e-8, false), not_there) << "its moments are alike, but nothing against 2 kg at 0.15 m";
  EXPECT_EQ(with_point(1e-14, false), not_there);
  EXPECT_EQ(with_point(1e-6, true), all);
  EXPECT_EQ(with_point(1e-14, true), not_there) << "nothing against what hangs from it";
}

TEST(CutRule, DummyLinks) {
  EXPECT_EQ(cuttable("rope:4:dummy=1e-6"), 12);
  EXPECT_EQ(cuttable("rope:4:dummy=1e-9"), 4) << "the segments; the first of two dummies is seen through the second";
  EXPECT_EQ(cuttable("rope:4:dummy=0"), 4);
}

TEST(CutRule, OrdinaryChainsOfAnyLength) {
  EXPECT_EQ(cuttable("chain:5000"), 5000) << "all that hangs further out is no measure";
  EXPECT_EQ(cuttable("chain:64:ratio=1e6"), 64);
  EXPECT_EQ(cuttable("tree:2x8"), 255);
}

}  // namespace
}  // namespace kinetree::test
