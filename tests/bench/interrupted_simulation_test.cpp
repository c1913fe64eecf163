// Simulations that are interrupted leave the trajectory so far, beside an older one that stays whole.

#include <gtest/gtest.h>

#include <sstream>

#include "bench/spawn.hpp"

namespace kinetree::bench {
namespace {

std::vector<std::string> whole_lines(const fs::path& file) {
  std::istringstream stream(text_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line) && !stream.eof();) lines.push_back(line);
  return lines;
}

class InterruptedSimulation : public InterruptedCommand {
 protected:
  /// Gets the signal once there are some lines; its exit status.
  int interrupted_by(int signal) {
    return interrupted(
        {"simulate", "chain:3", "--seconds", "1e5", "--every", "0.5", "--out", out_},
        [&] { return whole_lines(part_).size() > 20; }, signal);
  }

  const fs::path out_ = folder_ / "motion", csv_ = out_ / "trajectory.csv", svg_ = out_ / "trajectory.svg",
                 part_ = out_ / "trajectory.incomplete.csv";
};

TEST_P(InterruptedSimulation, LeavesTheTrajectorySoFar) {
  fs::create_directories(out_);
  for (const fs::path& file : {csv_, svg_}) write_text(file, "older");
  EXPECT_EQ(interrupted_by(GetParam()), 128 + GetParam()) << err_;
  for (const fs::path& file : {csv_, svg_}) EXPECT_EQ(text_of(file), "older") << "it stays until the new one is whole";
  const std::vector<std::string> lines = whole_lines(part_);
  ASSERT_GT(lines.size(), 20u);
  if (GetParam() != SIGKILL) {
    EXPECT_EQ(text_of(part_).back(), '\n');
    EXPECT_NE(err_.find(GetParam() == SIGINT ? "SIGINT at " : "SIGTERM at "), std::string::npos) << err_;
    EXPECT_NE(err_.find("the trajectory so far is " + part_.string()), std::string::npos) << err_;
    const double told = std::stod(err_.substr(err_.find(" at ") + 4)), last = std::stod(lines.back());
    EXPECT_NEAR(last, told, 1e-5 * told) << "what was integrated is there, up to the last step";
  }
  for (const fs::path& file : {csv_, svg_}) fs::remove(file);
  const auto there = [&] { fs::current_path(out_); };
  EXPECT_EQ(kinetree({"simulate", "chain:3", "--seconds", "0.1"}, there), 2) << "a new one would lose it";
  EXPECT_NE(err_.find("trajectory.incomplete.csv is there already"), std::string::npos) << err_;

  ASSERT_EQ(kinetree({"simulate", "chain:3", "--seconds", "7.5", "--every", "0.5", "--out", out_}), 0) << err_;
  const std::vector<std::string> whole = whole_lines(csv_);
  ASSERT_EQ(whole.size(), 17u);
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(lines[k], whole[k]) << "the motion is that of a whole one";
  EXPECT_FALSE(fs::exists(part_));
  EXPECT_TRUE(fs::exists(svg_));
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedSimulation, testing::Values(SIGINT, SIGTERM, SIGKILL));

}  // namespace
}  // namespace kinetree::bench
