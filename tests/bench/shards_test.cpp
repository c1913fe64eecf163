// A sweep measured in parts, and put together.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/arguments.hpp"
#include "bench/in_process.hpp"
#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

class Shards : public testing::Test {
 protected:
  Shards() {
    std::ofstream(folder_ / "s.yaml") << "repetitions: 2\nseconds: 1e-5\nruns:\n  - {models: [\"chain:{2,3,4}\"], "
                                         "algorithms: [ab, crb], count: true}\n";
  }

  Ended sweep(const char* shard, const char* out) const {
    return command({"sweep", (folder_ / "s.yaml").c_str(), "--shard", shard, "--out", (folder_ / out).c_str()});
  }
  Ended merge(std::vector<std::string> parts, const char* out) const {
    for (std::string& part : parts) part = folder_ / part;
    const std::string whole = folder_ / out;
    std::vector<const char*> words{"merge"};
    for (const std::string& part : parts) words.push_back(part.c_str());
    words.insert(words.end(), {"--out", whole.c_str()});
    return command(words);
  }
  nlohmann::json results(const char* out, const char* file = "results.json") const {
    return nlohmann::json::parse(std::ifstream(folder_ / out / file));
  }
  pictures::Folder folder_;
};

TEST_F(Shards, PutTogetherAreTheWholeSweep) {
  EXPECT_EQ(sweep("1/2", "one").status, done);
  const Ended second = sweep("2/2", "two");
  EXPECT_EQ(second.status, done) << second.err;
  EXPECT_NE(second.err.find("shard 2 of 2: 2 of 6 cases are measured"), std::string::npos) << second.err;
  const Ended whole = merge({"one", "two"}, "whole");
  ASSERT_EQ(whole.status, done) << whole.err;
  const nlohmann::json json = results("whole");
  EXPECT_TRUE(json["complete"]);
  ASSERT_EQ(json["cases"].size(), 6u);
  for (const auto& c : json["cases"]) EXPECT_GT(c["median_ns"], 0);
  const nlohmann::json part = results("two", "results.incomplete.json");
  EXPECT_EQ(json["cases"][2]["repetitions_ns"], part["cases"][0]["repetitions_ns"]) << "of chain:3, in the second part";
  EXPECT_TRUE(fs::exists(folder_ / "whole" / "report.html"));
}

TEST_F(Shards, WeakScalingIsOfModelsOfSeveralParts) {
  std::ofstream(folder_ / "s.yaml") << "repetitions: 2\nseconds: 1e-5\nruns:\n  - {kind: weak-bodies, models: "
                                       "[chain:3], algorithms: [ab], threads: [1, 2]}\n";
  EXPECT_EQ(sweep("1/2", "one").status, done);
  EXPECT_EQ(sweep("2/2", "two").status, done);
  const Ended whole = merge({"one", "two"}, "whole");
  ASSERT_EQ(whole.status, done) << whole.err;
  const nlohmann::json json = results("whole");
  int weak = 0;
  for (const auto& c : json["cases"]) {
    if (c["model"] != "chain:6" || c["threads"] != 2) continue;
    ASSERT_EQ(c["weak"].size(), 1U) << "chain:3 was measured in the other part";
    EXPECT_EQ(c["weak"][0]["of"], "chain:3");
    EXPECT_GT(c["weak"][0]["efficiency"], 0);
    ++weak;
  }
  EXPECT_EQ(weak, 2) << "automatic and ab";
  ASSERT_TRUE(json.contains("isoefficiency")) << "by the calibration of a part";
  EXPECT_TRUE(json["isoefficiency"][1]["sentence"].get<std::string>().find("predicted") != std::string::npos);
}

TEST_F(Shards, AMissingPartIsMeasuredAfterwards) {
  sweep("1/3", "one"), sweep("3/3", "three");
  const Ended some = merge({"one", "three"}, "whole");
  EXPECT_EQ(some.status, done) << some.err;
  EXPECT_NE(some.err.find("4 of 6 cases are there: a part is missing"), std::string::npos) << some.err;
  const Ended rest = command({"sweep", "--resume", (folder_ / "whole").c_str()});
  EXPECT_EQ(rest.status, done) << rest.err;
  EXPECT_TRUE(results("whole")["complete"]);
}

TEST_F(Shards, WrongOnesAreRefused) {
  for (const char* shard : {"0/2", "3/2", "2", "1/2x", "a/b"})
    EXPECT_EQ(sweep(shard, "one").status, wrong_usage) << shard;
  EXPECT_EQ(merge({"nowhere"}, "whole").status, wrong_input);
  sweep("1/2", "one");
  std::ofstream(folder_ / "s.yaml", std::ios::app) << "# changed\n";
  const Ended changed = merge({"one"}, "whole");
  EXPECT_EQ(changed.status, wrong_input);
  EXPECT_NE(changed.err.find("was changed since"), std::string::npos) << changed.err;
}

}  // namespace
}  // namespace kinetree::bench
