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

/// A mass on a spring swings by its frequency; without --passive it rests, and a notice says why.
TEST(SimulateForces, SpringsBetweenPointsActWithPassiveForces) {
  const Folder folder;
  const std::string model = (folder / "mass.yaml").string(), loops = (folder / "forces.yaml").string(),
                    converted = (folder / "again.yaml").string();
  const std::string bodies =
                        "gravity: [0, 0, 0]\nbodies: [{name: mass, parent: world, joint: {name: rail, type: "
                        "prismatic, axis: [1, 0, 0]}, inertial: {mass: 2}}]\n",
                    spring =
                        "forces: [{name: spring, stiffness: 8, length: 1, between: [{body: world, xyz: [-1.5, 0, "
                        "0]}, {body: mass}]}]\n";
  std::ofstream(model) << bodies << spring;
  const auto columns = [&](const std::string& out) {
    std::istringstream csv(slurp(fs::path(out) / "trajectory.csv"));
    std::string names;
    std::getline(csv, names);
    return names;
  };
  const auto last_position = [&](std::vector<std::string> words, const std::string& out) {
    words.insert(words.begin(), {"simulate"});
    for (const char* word : {"--seconds", "1", "--every", "1", "--out", out.c_str()}) words.emplace_back(word);
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::istringstream csv(slurp(fs::path(out) / "trajectory.csv"));
    std::string line, last;
    while (std::getline(csv, line)) last = line;
    return std::pair{std::stod(last.substr(last.find(',') + 1)), outcome};
  };
  const auto [resting, told] = last_position({model}, (folder / "free").string());
  EXPECT_EQ(resting, 0);
  EXPECT_NE(told.err.find("notice: model: forces between points act in `simulate` with --passive alone"),
            std::string::npos)
      << told.err;
  const auto [swung, silent] = last_position({model, "--passive", "--check"}, (folder / "passive").string());
  EXPECT_NEAR(swung, 0.5 * (std::cos(2.0) - 1), 1e-9);
  EXPECT_EQ(silent.err, "");
  // how far apart the points are, and by how much they are pulled: last, and plotted
  EXPECT_TRUE(columns((folder / "passive").string()).ends_with(R"(,"distance:spring","tension:spring")"));
  EXPECT_EQ(columns((folder / "free").string()).find("tension"), std::string::npos);
  std::string last = slurp(folder / "passive/trajectory.csv");
  last = last.substr(last.rfind(',', last.rfind(',') - 1) + 1);
  EXPECT_NEAR(std::stod(last), 1.5 + swung, 1e-15);
  EXPECT_NEAR(std::stod(last.substr(last.find(',') + 1)), 8 * (0.5 + swung), 1e-14);
  EXPECT_NE(slurp(folder / "passive/trajectory.html").find("Tensions of forces between points (N)"), std::string::npos);
  EXPECT_EQ(slurp(folder / "free/trajectory.html").find("Tensions of"), std::string::npos);
  EXPECT_NE(silent.out.find("\nwork         "), std::string::npos) << silent.out;
  // from a file beside the model, and from what convert writes
  ASSERT_EQ(run({"convert", model, converted}).status, 0);
  EXPECT_NE(run({"info", converted}).out.find("forces       1 between points"), std::string::npos);
  EXPECT_EQ(last_position({converted, "--passive"}, (folder / "converted").string()).first, swung);
  std::ofstream(model) << bodies;
  std::ofstream(loops) << spring;
  EXPECT_EQ(last_position({model, "--loops-from", loops, "--passive"}, (folder / "beside").string()).first, swung);
  std::ofstream(loops) << "forces: [{name: spring, stiffness: 8, between: [{body: world}, {body: mas}]}]\n";
  const Outcome wrong = run({"simulate", model, "--loops-from", loops, "--passive", "--out", folder.path()});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("forces.yaml:1: error: force \"spring\": \"mas\" is no link"), std::string::npos)
      << wrong.err;
}

TEST(SimulateForces, PointsThatMeetAreNamed) {
  const Folder folder;
  const std::string model = (folder / "mass.yaml").string();
  std::ofstream(model)
      << "bodies: [{name: mass, parent: world, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, "
         "inertial: {mass: 2}}]\nforces: [{name: bar, stiffness: 8, length: 1, between: [{body: world}, "
         "{body: mass}]}]\n";
  const Outcome outcome = run({"simulate", model, "--passive", "--out", folder.path() + "/out"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find(model + ": at 0 s: force \"bar\": its two points coincide"), std::string::npos)
      << "its file, where it has no name: " << outcome.err;
}

/// x = t^3 / 6 while the force is t, then on: and from the last state the drive goes on.
TEST(SimulateForces, DrivesActOverTimeAndGoOn) {
  const Folder folder;
  const std::string model = (folder / "mass.yaml").string(), states = (folder / "states.json").string(),
                    half = (folder / "half").string(), rest = (folder / "rest").string();
  std::ofstream(model) << "bodies: [{name: mass, parent: world, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, "
                          "inertial: {mass: 1}}]\n";
  std::ofstream(states) << R"({"states": [{"q": [0], "tau": [1]}],
                               "drives": [{"joint": "rail", "times": [0, 1, 1], "tau": [-1, 0, -1]}]})";
  const Outcome first = run({"simulate", model, "--states", states, "--seconds", "0.5", "--out", half});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.err, "");
  const Outcome second = run({"simulate", model, "--states", half + "/last_state.json", "--seconds", "1.5", "--every",
                              "0.5", "--out", rest, "--check"});
  ASSERT_EQ(second.status, 0) << second.err;
  std::istringstream csv(slurp(fs::path(rest) / "trajectory.csv"));
  std::string line, last;
  while (std::getline(csv, line)) last = line;
  EXPECT_NEAR(std::stod(last.substr(last.find(',') + 1)), 1 / 6.0 + 0.5, 1e-12)
      << slurp(fs::path(half) / "last_state.json");
  const Outcome held = run({"simulate", model, "--states", states, "--hold", "3", "--out", rest});
  EXPECT_EQ(held.status, 2);
  EXPECT_NE(held.err.find("and --hold computes tau"), std::string::npos) << held.err;
  const Outcome solved = run({"solve", model, "--states", states});
  EXPECT_EQ(solved.status, 0);
  EXPECT_NE(solved.err.find("notice: drives: act over time, in `simulate` alone"), std::string::npos) << solved.err;
}

}  // namespace
}  // namespace kinetree::bench
