// `kinetree simulate` holds the forces on links that its state has: they act at the links' origins, merged links too.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

/// A plate of 2 kg that a pad beside its centre of mass holds up.
TEST(SimulateForces, HoldAPlateByAPadBesideIt) {
  const Folder folder;
  const std::string model = (folder / "plate.yaml").string(), states = (folder / "states.json").string(),
                    out = (folder / "out").string();
  std::ofstream(model) << R"(name: plate
bodies:
  - name: plate
    parent: world
    joint: {name: floating_base, type: floating}
    inertial: {mass: 2, inertia: [0.1, 0.1, 0.2, 0, 0, 0]}
  - name: pad
    parent: plate
    joint: {name: glue, type: fixed, origin: {xyz: [0.5, 0, 0], rpy: [0, 0, 0.3]}}
)";
  // about the pad the weight has a moment of -0.5 m * 19.62 N about y, which the pad's own moment answers
  std::ofstream(states) << R"({"states": [{"q": [0, 0, 0, 0, 0, 0, 1], "v": [0, 0, 0, 0, 0, 0],
    "f_ext": {"pad": [0, 9.81, 0, 0, 0, 19.62]}}]})";
  const Outcome outcome =
      run({"simulate", model, "--states", states, "--seconds", "0.5", "--every", "0.5", "--out", out});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  std::istringstream csv(slurp(folder / "out" / "trajectory.csv"));
  std::string line, last;
  while (std::getline(csv, line)) last = line;
  std::istringstream cells(last);
  std::string cell;
  std::getline(cells, cell, ',');  // the time
  for (int k = 0; k < 6; ++k) {
    ASSERT_TRUE(std::getline(cells, cell, ','));
    EXPECT_LE(std::abs(std::stod(cell)), 1e-9) << "position " << k;
  }
}

/// A wheel in damped bearings: v = v0 exp(-t d / I).
TEST(SimulateForces, PassiveForcesActWhereTheyAreAskedFor) {
  const Folder folder;
  const std::string model = (folder / "wheel.yaml").string(), states = (folder / "states.json").string();
  std::ofstream(model) << "bodies: [{name: wheel, parent: world, joint: {name: axle, type: continuous, axis: [0, 0, "
                          "1], damping: 1}, inertial: {mass: 1, inertia: [0.5, 0.5, 0.5, 0, 0, 0]}}]\n";
  std::ofstream(states) << R"({"states": [{"q": [0], "v": [2], "tau": [0]}]})";
  for (const bool passive : {false, true}) {
    const std::string out = (folder / (passive ? "passive" : "free")).string();
    std::vector<std::string> words{"simulate", model,     "--states", states,  "--seconds",
                                   "0.5",      "--every", "0.5",      "--out", out};
    if (passive) words.push_back("--passive");
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err.find("with --passive alone") == std::string::npos, passive) << outcome.err;
    std::istringstream csv(slurp(std::filesystem::path(out) / "trajectory.csv"));
    std::string line, last, cell;
    while (std::getline(csv, line)) last = line;
    std::istringstream cells(last);
    for (int k = 0; k < 3; ++k) std::getline(cells, cell, ',');  // time, q, v
    EXPECT_NEAR(std::stod(cell), passive ? 2 * std::exp(-1.0) : 2, 1e-8);
  }
  const Outcome none =
      run({"simulate", "chain:2", "--seconds", "0.01", "--passive", "--out", (folder / "none").string()});
  EXPECT_NE(none.err.find("chain:2: notice: --passive changes nothing"), std::string::npos) << none.err;
}

/// A wheel that hangs still on its axle: the axle carries its weight in every line; a gear's multiplier is what holds
/// the other wheel's load.
TEST(SimulateForces, AreWrittenWhereTheyAreAskedFor) {
  const Folder folder;
  const std::string model = (folder / "wheels.yaml").string(), states = (folder / "states.json").string();
  const auto wheel = [](const std::string& name) {
    return "  - {name: " + name + ", parent: world, joint: {name: " + name +
           "_axle, type: continuous, axis: [0, 1, 0]}, "
           "inertial: {mass: 2, inertia: [0.5, 0.5, 0.5, 0, 0, 0]}}\n";
  };
  std::ofstream(model) << "bodies:\n"
                       << wheel("a") << wheel("b") << "couplings: [{name: gear, terms: {a_axle: 3, b_axle: 1}}]\n";
  std::ofstream(states) << R"({"joints": ["a_axle", "b_axle"], "states": [{"q": [0, 0], "v": [0, 0], "tau": [3, 1]}]})";
  const std::string out = (folder / "out").string();
  const Outcome outcome = run({"simulate", model, "--states", states, "--seconds", "0.1", "--every", "0.05", "--forces",
                               "joints,couplings,loops", "--out", out});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("--forces loops writes nothing: the model has no loops"), std::string::npos);
  std::istringstream csv(slurp(std::filesystem::path(out) / "trajectory.csv"));
  std::string line, cell;
  ASSERT_TRUE(std::getline(csv, line));
  EXPECT_NE(line.find(R"("coupling:gear","reaction:a_axle:mx")"), std::string::npos) << line;
  int lines = 0;
  for (; std::getline(csv, line); ++lines) {
    std::vector<double> numbers;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
    ASSERT_EQ(numbers.size(), 9u + 1 + 12);  // time, q, v, energies, residual; multiplier; two wrenches
    EXPECT_NEAR(numbers[9], -1, 1e-12);
    // along the axle what accelerates the wheel: nothing; across, the weight in the wheel's own axes
    EXPECT_NEAR(numbers[11], 0, 1e-12);
    EXPECT_NEAR(std::hypot(numbers[13], numbers[15]), 2 * 9.81, 1e-12);
  }
  EXPECT_EQ(lines, 3);
  const Outcome wrong = run({"simulate", model, "--forces", "joint", "--out", out});
  EXPECT_NE(wrong.err.find("--forces is joint; known are loops, couplings, joints"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace kinetree::bench
