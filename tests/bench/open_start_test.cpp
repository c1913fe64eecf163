// `kinetree simulate` from a start that leaves a loop open: refused with the words of `solve`, or assembled, and told.
#include <gtest/gtest.h>

#include <filesystem>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

const char* const open_four_bar = R"(name: open_start
gravity: [0, -9.81, 0]
bodies:
  - {name: r0, parent: world, joint: {name: p0, type: revolute, axis: [0,0,1]}, inertial: {mass: 1, com: [0,.5,0], inertia: [.083333333333,0,.083333333333,0,0,0]}}
  - {name: c0, parent: r0, joint: {name: k0, type: revolute, axis: [0,0,1], origin: {xyz: [0,1,0]}}, inertial: {mass: 1, com: [.5,0,0], inertia: [0,.083333333333,.083333333333,0,0,0]}}
  - {name: r1, parent: world, joint: {name: p1, type: revolute, axis: [0,0,1], origin: {xyz: [1,0,0]}}, inertial: {mass: 1, com: [0,.5,0], inertia: [.083333333333,0,.083333333333,0,0,0]}}
loops:
  - {name: l0, type: revolute, axis: [0,0,1], between: [{body: c0, xyz: [1,0,0]}, {body: r1, xyz: [0,1,0]}]}
)";

TEST(OpenStart, IsRefusedAsSolveRefusesIt) {
  const Folder folder;
  const std::string model = (folder / "fourbar.yaml").string(), states = (folder / "states.json").string();
  std::ofstream(model) << open_four_bar;
  for (const auto& [state, words] :
       {std::pair{R"({"q":[0,0,0],"v":[-1,0,0]})", "loop \"l0\" is broken by the velocities, by 0.5 (1e-8 is allowed)"},
        std::pair{R"({"q":[0.3,0,0]})", "loop \"l0\" is broken by the positions, by 0.3"}}) {
    std::ofstream(states) << R"({"states":[)" << state << "]}";
    const Outcome solved = run({"solve", model, "--states", states});
    const Outcome refused = run({"simulate", model, "--states", states, "--seconds", "0.1", "--out", folder.path()});
    EXPECT_EQ(refused.status, solved.status);
    EXPECT_EQ(refused.status, 3);
    for (const Outcome& outcome : {solved, refused})
      EXPECT_NE(outcome.err.find("state 0: " + std::string(words)), std::string::npos) << outcome.err;
    EXPECT_NE(refused.err.find("--assemble"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "trajectory.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "trajectory.incomplete.csv"));
  }
}

TEST(OpenStart, IsAssembledOnDemandAndTold) {
  const Folder folder;
  const std::string model = (folder / "fourbar.yaml").string(), states = (folder / "states.json").string();
  std::ofstream(model) << open_four_bar;
  const auto assembled = [&](const char* state) {
    std::ofstream(states) << R"({"states":[)" << state << "]}";
    const Outcome outcome =
        run({"simulate", model, "--states", states, "--seconds", "0.1", "--assemble", "--out", folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  const std::string moved = assembled(R"({"q":[0,0,0],"v":[-1,0,0]})");
  EXPECT_NE(moved.find("assembled    joint \"p0\": velocity -1 -> -0.3333333333\n"), std::string::npos) << moved;
  EXPECT_NE(moved.find("             joint \"k0\": velocity 0 -> 0.3333333333\n"), std::string::npos) << moved;
  EXPECT_NE(assembled(R"({"q":[0.3,0,0]})").find("joint \"p0\": position 0.3 -> 0."), std::string::npos);
  EXPECT_NE(assembled(R"({"q":[0,0,0],"v":[-1,1,-1]})").find("assembled    nothing moved"), std::string::npos);
}

}  // namespace
}  // namespace kinetree::bench
