// What `kinetree simulate` says of a motion: energies of every step, the balance where forces work, and where it
// diverges.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace simulate_balance {

using namespace pictures;

/// The line that begins with a word, without what follows its numbers; empty where there is none.
std::string line_of(const Outcome& outcome, const std::string& word) {
  const std::size_t begin = outcome.out.find("\n" + word + " ");
  return begin == std::string::npos ? "" : outcome.out.substr(begin + 1, outcome.out.find('\n', begin + 1) - begin - 1);
}

/// The number after some words.
double number_after(const std::string& text, const std::string& words) {
  const std::size_t found = text.find(words);
  EXPECT_NE(found, std::string::npos) << text << " has no \"" << words << '"';
  return found == std::string::npos ? NAN : std::stod(text.substr(found + words.size()));
}

const std::string pendulum = R"(name: pendulum
bodies:
  - {name: bob, parent: world, joint: {name: pivot, type: revolute, axis: [0, 1, 0], damping: 0.5, stiffness: 1},
     inertial: {mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
)";

class SimulateBalance : public testing::Test {
 protected:
  Outcome simulate(const std::string& model, const std::string& state, std::vector<std::string> words) {
    std::ofstream(folder_ / "m.yaml") << model;
    std::ofstream(folder_ / "s.json") << state;
    for (const std::string& word :
         {std::string("--states"), (folder_ / "s.json").string(), std::string("--out"), (folder_ / "out").string()})
      words.push_back(word);
    words.insert(words.begin(), {"simulate", (folder_ / "m.yaml").string()});
    return run(words);
  }
  const Folder folder_;
};

/// Euler's energy of a pendulum swings to and fro within each swing. Steps and lines of powers of two, so that the
/// motion is the same however far lines are apart.
TEST_F(SimulateBalance, LooksAtEveryStepWhateverIsWritten) {
  const auto energy = [&](const std::string& every) {
    return line_of(
        simulate(pendulum, R"({"states": [{"q": [1]}]})",
                 {"--seconds", "4", "--step", "0.0078125", "--integrator", "semi-implicit-euler", "--every", every}),
        "energy");
  };
  const std::string often = energy("0.0078125");
  EXPECT_GT(number_after(often, "furthest off by "), 1e-2) << often;
  EXPECT_EQ(energy("4"), often);
  EXPECT_EQ(energy("0.5"), often);
}

/// Damping takes energy and a spring stores some: that is work, and the balance is kept.
TEST_F(SimulateBalance, WithForcesIsOfEnergyAndWork) {
  const std::vector<std::string> words{"--seconds", "4", "--every", "1"};
  std::vector<std::string> passive = words;
  passive.push_back("--passive");
  const std::string state = R"({"states": [{"q": [1]}]})";
  const Outcome damped = simulate(pendulum, state, passive), free = simulate(pendulum, state, words),
                driven = simulate(pendulum, R"({"states": [{"q": [1], "tau": [3]}]})", words);
  for (const Outcome& o : {damped, driven}) {
    const std::string energy = line_of(o, "energy"), work = line_of(o, "work");
    EXPECT_EQ(energy.find("furthest"), std::string::npos) << energy;
    EXPECT_LE(number_after(work, "energy less work is furthest off by "), 1e-8) << work;
    EXPECT_LE(number_after(work, " J ("), 1e-8) << work;
    const double lost = number_after(energy, "at the start, ") - number_after(energy, "energy       ");
    EXPECT_GT(std::abs(lost), 0.5) << energy;
    EXPECT_NEAR(number_after(work, "work         "), lost, 1e-8) << work;
  }
  EXPECT_EQ(line_of(free, "work"), "");
  EXPECT_LE(number_after(line_of(free, "energy"), "furthest off by "), 1e-8);
}

/// Damping too stiff for the step.
TEST_F(SimulateBalance, ADivergenceHasItsTimeAndJoint) {
  std::string stiff = pendulum;
  stiff.replace(stiff.find("damping: 0.5"), 12, "damping: 1e6");
  for (const char* integrator : {"semi-implicit-euler", "rk4"}) {
    const Outcome outcome =
        simulate(stiff, R"({"states": [{"q": [1]}]})", {"--passive", "--step", "0.001", "--integrator", integrator});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("pendulum: joint \"pivot\": the motion diverges at 0."), std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("finite numbers"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(": at 0"), std::string::npos) << "the time is said once: " << outcome.err;
  }
}

}  // namespace simulate_balance
}  // namespace kinetree::bench
