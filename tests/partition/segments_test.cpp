// A segment ends where a body branches, at a joint that is not revolute, at a joint that a third screw places, at a
// cut, and between a joint with a rotor and one without. A sweep may ask that a segment begin at some body.
#include <gtest/gtest.h>

#include <kinetree/model.hpp>
#include <string>
#include <vector>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree {
namespace {

/// A digit per body, its segment's first body, where the segment is one of revolute joints ('r' is added behind those
/// with rotors); '-' elsewhere.
std::string first_bodies(const Model& model, const ModuleOptions& options = {}) {
  const Modules modules = make_modules(model.data(), options);
  const NodeTable nodes = find_nodes(model.data(), modules);
  std::vector<std::string> text(at(model.body_count()));
  for (std::size_t module = 0; module < modules.modules.size(); ++module)
    for (const Segment& segment : nodes.segments_of(modules.modules[module].step))
      for (int i = segment.begin; i < segment.end; ++i) {
        EXPECT_EQ(text[at(i)], "") << "a body is in one segment";
        EXPECT_EQ(modules.module_of[at(i)], static_cast<int>(module));
        text[at(i)] = segment.joints == Segment::Joints::one ? '-' : static_cast<char>('0' + segment.begin);
        if (segment.joints == Segment::Joints::revolute_rotor) text[at(i)] += 'r';
      }
  std::string all;
  for (const std::string& body : text) {
    EXPECT_NE(body, "") << "each body is in a segment";
    all += body;
  }
  return all;
}
std::string first_bodies(const std::string& family, bool floating = false, const ModuleOptions& options = {}) {
  return first_bodies(make_model(family, {.floating_base = floating}), options);
}

TEST(Segments, EndWhereABodyBranches) {
  EXPECT_EQ(first_bodies("chain:5"), "00000");
  EXPECT_EQ(first_bodies("star:2x3"), "000333");
  EXPECT_EQ(first_bodies("tree:2x3"), "0123456") << "every other body has two children";
}

TEST(Segments, HoldRevoluteJoints) {
  EXPECT_EQ(first_bodies("chain:4:joints=spherical"), "----");
  EXPECT_EQ(first_bodies("chain:4:joints=prismatic"), "----");
  EXPECT_EQ(first_bodies("chain:4", true).substr(0, 1), "-") << "a floating joint";
  EXPECT_EQ(first_bodies("chain:4", true).substr(1), "111");
  EXPECT_EQ(first_bodies("fourbars:1"), "012") << "members of an embedded aggregate are alone";
}

/// One joint with a rotor leaves the others their type of inertia.
TEST(Segments, PartWhereRotorsBeginOrEnd) {
  Description d = make_description("chain:6");
  d.bodies[2].joint.armature = d.bodies[3].joint.armature = 0.1;
  EXPECT_EQ(first_bodies(make_model(d)), "002r2r44");
}

TEST(Segments, EndAtCuts) {
  EXPECT_EQ(first_bodies("chain:6", false, {.grain = 3}), "011344") << "the base of a module is alone";
  EXPECT_EQ(first_bodies("chain:3", false, {.grain = 1}), "012");
}

}  // namespace
}  // namespace kinetree
