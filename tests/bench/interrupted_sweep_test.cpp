// Sweeps that are interrupted leave what they measured, and go on.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "bench/spawn.hpp"

namespace kinetree::bench {
namespace {

using nlohmann::json;

class InterruptedSweep : public InterruptedCommand {
 protected:
  InterruptedSweep() : sweep_(folder_ / "s.yaml"), out_(folder_ / "report") {
    write_text(folder_ / "arm.yaml", arm("1"));
    write_text(sweep_, text("0.03"));
  }
  /// Models that take about half a second each.
  static std::string text(const std::string& seconds) {
    return "repetitions: 5\nstates: 4\nseconds: " + seconds +
           "\nruns:\n  - {models: [arm.yaml, \"chain:{2,3,4,5}\"], algorithms: [ab, crb, {algorithm: modular, "
           "grain: 2}], count: true}\n"
           "  - {models: [arm.yaml], algorithms: [ab], threads: [2]}\n";
  }
  static std::string arm(const std::string& mass) {
    return "name: arm\nbodies:\n  - {name: a, parent: world, joint: {name: j, type: revolute, axis: [0, 0, 1]}, "
           "inertial: {mass: " +
           mass + ", com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n";
  }
  int resume(const std::function<void()>& prepare = [] {}) { return kinetree({"sweep", "--resume", out_}, prepare); }
  /// A sweep that gets the signal once its first model is measured; its exit status.
  int interrupted_by(int signal) {
    return interrupted(
        {"sweep", sweep_, "--out", out_}, [&] { return fs::exists(out_ / "results.incomplete.json"); }, signal);
  }
  json results(const std::string& name) const { return json::parse(text_of(out_ / name)); }

  const fs::path sweep_, out_;
};

/// What was measured is not measured again. Which repetitions count the whole run tells.
void expect_made_before(const json& whole, const json& part) {
  const auto made = part["ns"].get<std::vector<double>>();
  EXPECT_EQ(whole["left_out"].get<std::size_t>() + whole["repetitions_ns"].size(), made.size());
  for (const double ns : whole["repetitions_ns"].get<std::vector<double>>())
    EXPECT_NE(std::find(made.begin(), made.end(), ns), made.end()) << ns;
}

TEST_P(InterruptedSweep, LeavesWhatWasMeasuredAndGoesOn) {
  fs::create_directories(out_);
  for (const char* name : {"results.json", "results.csv", "report.html"}) write_text(out_ / name, "older");
  EXPECT_EQ(interrupted_by(GetParam()), 128 + GetParam()) << err_;
  for (const char* name : {"results.json", "results.csv", "report.html"})
    EXPECT_EQ(text_of(out_ / name), "older") << "an older result stays until the new one is whole";
  const json part = results("results.incomplete.json");
  EXPECT_EQ(part["complete"], false);
  EXPECT_EQ(part["cases_asked_for"], 16);
  const std::size_t measured = part["resume"]["cases"].size();
  EXPECT_GE(measured, 3u);
  EXPECT_LT(measured, 16u);
  EXPECT_GT(text_of(out_ / "results.incomplete.csv").size(), 200u);
  EXPECT_NE(text_of(out_ / "report.incomplete.html").find("\"complete\":false"), std::string::npos);
  if (GetParam() != SIGKILL) {
    EXPECT_NE(err_.find(std::to_string(measured) + " of 16 cases"), std::string::npos) << err_;
    EXPECT_NE(err_.find("--resume"), std::string::npos) << err_;
  }

  EXPECT_EQ(kinetree({"sweep", sweep_, "--out", out_}), 1) << "a new one would lose it";
  EXPECT_NE(err_.find("--resume"), std::string::npos) << err_;
  EXPECT_EQ(results("results.incomplete.json"), part);

  ASSERT_EQ(resume(), 0) << err_;
  const json whole = results("results.json");
  EXPECT_EQ(whole["complete"], true);
  ASSERT_EQ(whole["cases"].size(), 16u);
  EXPECT_FALSE(whole.contains("resume"));
  EXPECT_TRUE(whole["context"].contains("measured in parts"));
  for (std::size_t k = 0; k < measured; ++k) {
    for (const char* key : {"model", "label", "plan", "iterations", "error", "residual", "checked_against", "work"})
      EXPECT_EQ(whole["cases"][k].value(key, json()), part["cases"][k].value(key, json())) << key;
    expect_made_before(whole["cases"][k], part["resume"]["cases"][k]);
  }
  for (const json& c : whole["cases"]) EXPECT_GE(c["repetitions_ns"].size(), 5u);
  for (const char* name : {"results", "report"})
    for (const char* ending : {".json", ".csv", ".html"})
      EXPECT_FALSE(fs::exists(out_ / (std::string(name) + ".incomplete" + ending)));
  EXPECT_EQ(resume(), 1);
  EXPECT_NE(err_.find("is complete"), std::string::npos) << err_;
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedSweep, testing::Values(SIGINT, SIGTERM, SIGKILL));

using Resume = InterruptedSweep;

/// But those that follow from which repetitions count, which the whole run tells: `median_ns` to the last of scaling.
std::vector<std::string> measured_columns(const std::string& line, std::size_t first, std::size_t last) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.begin() + static_cast<std::ptrdiff_t>(last));
  return cells;
}

TEST_F(Resume, RestoresEveryColumnAndRepetition) {
  EXPECT_EQ(interrupted_by(SIGTERM), 128 + SIGTERM);
  const json measured = results("results.incomplete.json")["resume"]["cases"];
  std::istringstream before(text_of(out_ / "results.incomplete.csv"));
  ASSERT_EQ(resume(), 0) << err_;
  std::istringstream after(text_of(out_ / "results.csv"));
  std::string a, b;
  std::getline(before, a), std::getline(after, b);
  EXPECT_EQ(a, b);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.find(name)), ','));
  };
  const std::size_t first = column("median_ns"), last = column("machine_gives");
  const json whole = results("results.json");
  for (std::size_t k = 0; k < measured.size(); ++k) {
    std::getline(before, a), std::getline(after, b);
    EXPECT_EQ(measured_columns(a, first, last), measured_columns(b, first, last));
    expect_made_before(whole["cases"][k], measured[k]);
  }
}

TEST_F(Resume, SaysWhatDiffers) {
  EXPECT_EQ(interrupted_by(SIGTERM), 128 + SIGTERM);
  const json part = results("results.incomplete.json");
  const auto refused = [&](const std::string& words) {
    EXPECT_EQ(resume(), 1);
    EXPECT_NE(err_.find(words), std::string::npos) << words << "\n" << err_;
    EXPECT_FALSE(fs::exists(out_ / "results.json"));
  };
  json other = part;
  other["resume"]["host"] = "elsewhere";
  other["context"]["commit"] = "abc";
  write_text(out_ / "results.incomplete.json", other.dump());
  refused("machine: was elsewhere and is ");
  EXPECT_NE(err_.find("commit: was abc and is "), std::string::npos) << "all of it at once: " << err_;
  other = part;
  other["resume"].erase("models");
  write_text(out_ / "results.incomplete.json", other.dump());
  refused("resume: can't be read");
  write_text(out_ / "results.incomplete.json", "{");
  refused("is not well-formed JSON");
  write_text(out_ / "results.incomplete.json", part.dump());

  write_text(sweep_, text("0.02"));
  refused("was changed since");
  write_text(sweep_, text("0.03"));
  write_text(folder_ / "arm.yaml", arm("2"));
  refused("model \"arm\": its file was changed");
  write_text(folder_ / "arm.yaml", arm("1"));
  if (part["context"]["instruction set"] != "baseline") {
    EXPECT_EQ(resume([] { ::setenv("KINETREE_ISA", "baseline", 1); }), 1);
    EXPECT_NE(err_.find("instruction set: was "), std::string::npos) << err_;
  }
  EXPECT_EQ(kinetree({"sweep", "--resume", out_, "--out", folder_ / "b"}), 2);
  EXPECT_EQ(kinetree({"sweep", "--resume", folder_ / "nowhere"}), 1);
  EXPECT_EQ(kinetree({"sweep"}), 2);
  EXPECT_EQ(resume(), 0) << err_;
}

TEST_F(Resume, AFolderThatCannotBeWrittenIsKnownBeforeTheWork) {
  write_text(out_, "a file");
  EXPECT_EQ(kinetree({"sweep", sweep_, "--out", out_}), 1);
  EXPECT_NE(err_.find("Not a directory"), std::string::npos) << err_;
}

}  // namespace
}  // namespace kinetree::bench
