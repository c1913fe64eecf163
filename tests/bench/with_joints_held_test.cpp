// `kinetree assemble`: states that close, with joints held; what contradicts is named; assembly modes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/in_process.hpp"

namespace kinetree::bench {
namespace {

const std::string models = KINETREE_MODELS;
const std::string four_bar = models + "/four_bar.yaml";

TEST(AssembleCommand, PrintsStatesThatSolveTakes) {
  const Ended ended = command({"assemble", four_bar.c_str(), "--hold", "crank_pivot=0.7"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  ASSERT_EQ(json["states"].size(), 1u);
  EXPECT_EQ(json["joints"][0], "crank_pivot");
  EXPECT_EQ(json["states"][0]["q"][0], 0.7);
  const TemporaryFile states("assembled.json", ended.out);
  EXPECT_EQ(command({"solve", four_bar.c_str(), "--states", states.path()}).status, 0);
  // the same states again: all is closed, and stays to the digit
  const Ended again = command({"assemble", four_bar.c_str(), "--hold", "crank_pivot", "--states", states.path()});
  EXPECT_EQ(nlohmann::json::parse(again.out)["states"][0]["q"], json["states"][0]["q"]);
}

TEST(AssembleCommand, NamesWhatContradicts) {
  const Ended ended = command({"assemble", four_bar.c_str(), "--hold", "crank_pivot=0.7,rocker_pivot=0.1"});
  EXPECT_EQ(ended.status, 3);
  EXPECT_NE(ended.err.find("contradict: \"crank_pivot\", \"rocker_pivot\""), std::string::npos) << ended.err;
  const Ended unknown = command({"assemble", four_bar.c_str(), "--hold", "crank_pivo=0.7"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("\"crank_pivot\""), std::string::npos) << unknown.err;
  EXPECT_EQ(command({"assemble", four_bar.c_str(), "--hold", "crank_pivot=high"}).status, 2);
}

TEST(AssembleCommand, FindsOtherModes) {
  const Ended ended = command({"assemble", four_bar.c_str(), "--hold", "crank_pivot=0.7", "--modes", "5"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto states = nlohmann::json::parse(ended.out)["states"];
  ASSERT_EQ(states.size(), 2u);
  EXPECT_NE(states[0]["q"][2], states[1]["q"][2]);
}

}  // namespace
}  // namespace kinetree::bench
