// `kinetree simulate` holds the forces on links that its state has: they act at the links' origins, merged links too.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

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

}  // namespace
}  // namespace kinetree::bench
