// `kinetree simulate` with fixed steps to a state that has no accelerations: it says where and why, and leaves the
// trajectory up to there.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

/// Two equal cranks and a coupler as long as the ground between them: where all lie on one line constraints lose rank.
const std::string parallelogram = R"(name: parallelogram
gravity: [0, 0, 0]
bodies:
  - {name: crank, parent: world, joint: {name: first, type: revolute, axis: [0, 1, 0]},
     inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004, 0, 0, 0]}}
  - {name: coupler, parent: crank, joint: {name: second, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.2, 0, 0]}},
     inertial: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, 0.04, 0, 0, 0]}}
  - {name: rocker, parent: world, joint: {name: third, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.5, 0, 0]}},
     inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004, 0, 0, 0]}}
loops:
  - {name: closure, type: revolute, axis: [0, 1, 0],
     between: [{body: coupler, xyz: [0.5, 0, 0]}, {body: rocker, xyz: [0.2, 0, 0]}]}
)";
const std::string to_the_line = R"({"states": [{"q": [-0.5, 0.5, -0.5], "v": [1, -1, 1]}]})";

/// A slender rod that swings on a turning arm without mass: where it lies along the arm nothing resists the turn.
const std::string baton = R"(name: baton
gravity: [0, 0, 0]
bodies:
  - {name: arm, parent: world, joint: {name: turn, type: revolute, axis: [1, 0, 0]}}
  - {name: rod, parent: arm, joint: {name: swing, type: revolute, axis: [0, 1, 0]},
     inertial: {mass: 1, com: [0.2, 0, 0], inertia: [0, 0.02, 0.02, 0, 0, 0]}}
)";
const std::string to_the_arm = R"({"states": [{"q": [0, -0.5], "v": [0, 1]}]})";

struct Trajectory {
  std::string header;
  std::vector<std::vector<double>> lines;
};

Trajectory read(const fs::path& file) {
  Trajectory t;
  std::istringstream stream(slurp(file));
  std::getline(stream, t.header);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream cells(line);
    t.lines.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) t.lines.back().push_back(std::stod(cell));
  }
  return t;
}

struct Failing {
  std::string model, state;
  std::string said;
};
const Failing fails{baton, to_the_arm, "joint \"turn\": the inertia it moves is singular"};
const std::vector<std::string> integrators{"rk4", "semi-implicit-euler"};

class FailedSimulation : public testing::Test {
 protected:
  Outcome simulate(const Failing& f, const std::string& integrator, const std::string& every = "0.015625") {
    std::ofstream(folder_ / "m.yaml") << f.model;
    std::ofstream(folder_ / "s.json") << f.state;
    // steps and lines of powers of two: the state that fails is met to the bit
    std::vector<std::string> words{"simulate", (folder_ / "m.yaml").string(), "--states",
                                   (folder_ / "s.json").string()};
    for (const char* word : {"--seconds", "1", "--step", "0.0009765625", "--integrator"}) words.emplace_back(word);
    words.insert(words.end(), {integrator, "--every", every, "--out", folder_.path()});
    return run(words);
  }
  const Folder folder_;
  const fs::path csv_ = folder_ / "trajectory.csv", part_ = folder_ / "trajectory.incomplete.csv";
};

TEST_F(FailedSimulation, SaysWhereAndLeavesWhatWasBefore) {
  for (const std::string& integrator : integrators) {
    std::ofstream(csv_) << "older";
    const Outcome outcome = simulate(fails, integrator);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find(fails.said), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("the trajectory so far is " + part_.string()), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(slurp(csv_), "older");
    EXPECT_FALSE(fs::exists(folder_ / "trajectory.svg"));
    const Trajectory t = read(part_);
    ASSERT_EQ(t.lines.size(), 33u) << "every 1/64 s, then the last whole step";
    for (std::size_t k = 0; k < t.lines.size(); ++k) {
      const std::vector<double>& line = t.lines[k];
      ASSERT_EQ(line.size(), 1u + 2 + 2 + 4);
      EXPECT_NEAR(line[0], static_cast<double>(k) / 64, k < 32 ? 0 : 0.001) << k;
      EXPECT_NEAR(line[2], line[0] - 0.5, 1e-9);
      EXPECT_NEAR(line[4], 1, 1e-9);
    }
    const std::string when = outcome.err.substr(outcome.err.find(": at ") + 5);
    EXPECT_NEAR(std::stod(when), t.lines.back()[0], 1e-6) << outcome.err;
    fs::remove(part_);
  }
}

/// All that was integrated, also where lines are further apart than the failure is from the start.
TEST_F(FailedSimulation, LeavesTheLastStepBetweenLines) {
  const Outcome outcome = simulate(fails, "rk4", "10");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const Trajectory t = read(part_);
  ASSERT_EQ(t.lines.size(), 2u);
  EXPECT_EQ(t.lines[0][0], 0);
  EXPECT_EQ(t.lines[1][0], 0.5 - 0.0009765625);
}

/// All integrators pass change points; no motion passes where an inertia is lost.
TEST_F(FailedSimulation, StepsPassAChangePoint) {
  for (const std::string& integrator : {integrators[0], integrators[1], std::string("adaptive")}) {
    const Outcome outcome = simulate({parallelogram, to_the_line, ""}, integrator);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NEAR(read(csv_).lines.back()[1], 0.5, 1e-8) << integrator;
    EXPECT_FALSE(fs::exists(part_));
  }
}

/// Where no velocity says which of two motions goes on, none does.
TEST_F(FailedSimulation, AtItsStartLeavesTheStart) {
  const Failing lies{baton, R"({"states": [{"q": [0, 0], "v": [0, 1]}]})", "baton: at 0 s: " + fails.said},
      rests{parallelogram, R"({"states": [{"q": [0, 0, 0], "v": [0, 0, 0]}]})",
            "parallelogram: at 0 s: loop \"closure\": the constraints lose rank"};
  for (const Failing& f : {lies, rests}) {
    const Outcome outcome = simulate(f, "rk4");
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find(f.said), std::string::npos) << outcome.err;
    EXPECT_EQ(read(part_).lines.size(), 1u);
  }
}

/// Not with torques of NaN in a line and a state of NaN named after it.
TEST_F(FailedSimulation, WhereNoTorqueHoldsItTheConstraintsAreNamed) {
  std::ofstream(folder_ / "m.yaml") << parallelogram << "assembled: {first: 0.7, second: -0.7, third: 0.7}\n";
  std::ofstream(folder_ / "s.json") << R"({"states": [{"q": [0, 0, 0]}]})";
  const Outcome outcome = run({"simulate", (folder_ / "m.yaml").string(), "--states", (folder_ / "s.json").string(),
                               "--hold", "2", "--out", folder_.path()});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("parallelogram: at 0 s: loop \"closure\": the constraints lose rank"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace kinetree::bench
