// `kinetree simulate --hold` as its users see it: the trajectory says what was held, torques stand beside the motion.
#include <gtest/gtest.h>

#include <sstream>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

const std::string biped = std::string(KINETREE_MODELS) + "/standing_biped.yaml";

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) list.push_back(cell);
  return list;
}

TEST(SimulateHold, WritesWhatWasHeldAndTheTorques) {
  const Folder folder;
  const Outcome outcome = run({"simulate", biped, "--hold", "4", "--seconds", "0.1", "--out", folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("held         at 4 rad/s"), std::string::npos) << outcome.out;
  std::istringstream csv(slurp(folder / "trajectory.csv"));
  std::string comment, header, first;
  std::getline(csv, comment), std::getline(csv, header), std::getline(csv, first);
  EXPECT_EQ(comment.substr(0, 48), "# held by computed torques, rate 4 rad/s, at q:t") << comment;
  EXPECT_NE(comment.find(" q:left_knee=0.6"), std::string::npos) << comment;
  const std::vector<std::string> names = cells(header), values = cells(first);
  ASSERT_EQ(names.size(), 1 + 19 + 18 + 18 + 4u);
  ASSERT_EQ(values.size(), names.size());
  double knee = 0, trunk = 1;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == "\"tau:left_knee\"") knee = std::stod(values[k]);
    if (names[k] == "\"tau:trunk_motion[2]\"") trunk = std::stod(values[k]);
  }
  EXPECT_GT(std::abs(knee), 0.5);
  EXPECT_EQ(trunk, 0);
}

TEST(SimulateHold, WithoutItTheFileIsAsItWas) {
  const Folder folder;
  ASSERT_EQ(run({"simulate", biped, "--seconds", "0.02", "--out", folder.path()}).status, 0);
  const std::string csv = slurp(folder / "trajectory.csv");
  EXPECT_EQ(csv.substr(0, 5), "time,");
  EXPECT_EQ(csv.find("tau:"), std::string::npos);
  // and starts where the model is assembled
  std::istringstream stream(csv);
  std::string line;
  std::getline(stream, line), std::getline(stream, line);
  EXPECT_NEAR(std::stod(cells(line)[3]), 0.955336489125606, 1e-12);
}

TEST(SimulateHold, SaysWhatCantBeHeld) {
  const Folder folder;
  const Outcome thrown = run({"simulate", "chain:3", "--floating", "--hold", "2", "--out", folder.path()});
  EXPECT_EQ(thrown.status, 1);
  EXPECT_NE(thrown.err.find("no torques hold it"), std::string::npos) << thrown.err;
  EXPECT_EQ(run({"simulate", "chain:3", "--hold", "0", "--out", folder.path()}).status, 2);
  const std::string states = (folder / "states.json").string();
  std::ofstream(states) << R"({"states": [{"q": [0, 0, 0], "tau": [1, 0, 0]}]})";
  const Outcome both = run({"simulate", "chain:3", "--hold", "2", "--states", states, "--out", folder.path()});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("leave one out"), std::string::npos) << both.err;
  EXPECT_FALSE(fs::exists(folder / "trajectory.csv"));
}

}  // namespace
}  // namespace kinetree::bench
