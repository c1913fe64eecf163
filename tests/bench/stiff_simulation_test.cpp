// `kinetree simulate` on a mechanism that takes very short steps: it says so, which joint sets them and why.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

/// A kilogram of this inertia (kg m²), hinged 0.03 mm off its centre at the end of an arm that turns at 3000 rad/s:
/// what pulls at the hinge is of kilograms, what resists there is not.
Outcome spun(const Folder& folder, const std::string& inertia, const std::string& seconds,
             const std::string& integrator = "adaptive") {
  std::ofstream(folder / "m.yaml") << R"(name: flail
gravity: [0, 0, 0]
bodies:
  - {name: arm, parent: world, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]},
     inertial: {mass: 30, com: [0, 0, 0], inertia: [5, 5, 5, 0, 0, 0]}}
  - {name: weight, parent: arm, joint: {name: hinge, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.4, 0, 0]}},
     inertial: {mass: 1, com: [3e-5, 0, 0], inertia: [)"
                                   << inertia << ", " << inertia << ", " << inertia << ", 0, 0, 0]}}\n";
  std::ofstream(folder / "s.json") << R"({"states": [{"q": [0, 0.5], "v": [3000, 0]}]})";
  return run({"simulate", (folder / "m.yaml").string(), "--states", (folder / "s.json").string(), "--seconds", seconds,
              "--step", "2e-6", "--integrator", integrator, "--out", folder.path()});
}

TEST(StiffSimulation, NamesTheJointAndTheInertia) {
  const Folder folder;
  const Outcome outcome = spun(folder, "1e-9", "0.002");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("flail: stiff: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << "once: " << outcome.err;
  EXPECT_NE(outcome.err.find(" for all of 0.002 s; "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("% of them are set by joint \"hinge\", where a force meets an inertia of "),
            std::string::npos)
      << outcome.err;
  ASSERT_NE(outcome.err.find(" at body \"weight\"; --integrator stiff may take fewer\n"), std::string::npos)
      << outcome.err;
  // 1e-9 and 1 kg * (3e-5 m)², less what the arm gives way: (3e-5 m * 0.4 m * 1 kg)² / 5.2 kg m² at most
  const double inertia = std::stod(outcome.err.substr(outcome.err.find("inertia of ") + 11));
  EXPECT_LE(inertia, 1.901e-9);
  EXPECT_GE(inertia, 1.87e-9);
}

TEST(StiffSimulation, IsNotSaidOfOthers) {
  const Folder folder;
  const Outcome heavy = spun(folder, "1e-2", "4");
  EXPECT_EQ(heavy.status, 0);
  EXPECT_EQ(heavy.err, "");
  EXPECT_EQ(spun(folder, "1e-9", "0.002", "semi-implicit-euler").err, "") << "fixed steps are the caller's";
  // rounding alone misses this tolerance
  EXPECT_EQ(run({"simulate", "chain:2", "--tolerance", "1e-30", "--out", folder.path()}).err.find("stiff:"),
            std::string::npos);
  EXPECT_NE(run({"simulate", "chain:2", "--integrator", "stiff", "--step", "1", "--out", folder.path()})
                .err.find("stiff finds its own: leave it out"),
            std::string::npos);
  for (const char* model : {"chain:6", KINETREE_MODELS "/four_bar.yaml"}) {
    const Outcome outcome = run({"simulate", model, "--seconds", "4", "--out", folder.path()});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err.find("stiff"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace kinetree::bench
