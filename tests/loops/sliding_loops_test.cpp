// Loops that slide: a body on a sleeve, a rail or a plane, the frames of the loop apart. Each motion that the first
// order allows goes on, so that nothing is shaky.
#include <gtest/gtest.h>

#include <kinetree/configuration.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace sliding_loops {

/// A crank, and a floating body that a loop joint of that type ties to it, or to the world; at zero it stands `apart`
/// (m) from where the loop joint is at zero, in a direction that stays free.
Description slider(const std::string& type, double apart, bool on_crank) {
  Description d;
  d.name = type;
  const auto inertial = InertialDescription{1, {{.1, .02, .03}}, {.01, .02, .025, 0, 0, 0}};
  for (const char* name : {"crank", "slider"}) {
    BodyDescription& b = d.bodies.emplace_back();
    b.name = name, b.parent = "world", b.joint.name = std::string("j_") + name;
    b.inertial = inertial;
  }
  d.bodies[0].joint.type = "revolute", d.bodies[0].joint.axis = {0, 1, 0};
  d.bodies[1].joint.type = "floating";
  LoopDescription loop;
  loop.name = "slide", loop.type = type;
  loop.axis = type == "planar" ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0};
  loop.first = {on_crank ? "crank" : "world", {{apart, 0, 0}}}, loop.second = {"slider", {}};
  d.loops.push_back(loop);
  return d;
}

TEST(SlidingLoops, AreNotShaky) {
  for (const char* type : {"cylindrical", "prismatic", "planar"})
    for (const double apart : {0.0, 0.3, 3.0, 30.0})
      for (const bool on_crank : {false, true}) {
        const Model model = make_model(slider(type, apart, on_crank));
        const std::vector<Finding> said(model.findings().begin(), model.findings().end());
        EXPECT_TRUE(said.empty()) << type << ", " << apart << ":\n" << all(said);
        const Aggregate& a = model.data().aggregates[0];
        const int held = std::string_view(type) == "cylindrical" ? 4 : std::string_view(type) == "planar" ? 3 : 5;
        EXPECT_EQ(a.freedoms, a.velocities - held) << type;
        EXPECT_EQ(a.ranks.size(), 1u);
      }
}

}  // namespace sliding_loops
}  // namespace kinetree::test
