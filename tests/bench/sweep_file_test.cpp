// What a sweep file may say, and what is said of one that is wrong.

#include "bench/sweep/sweep_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kinetree::bench {
namespace {

SweepInput read(const std::string& text) { return read_sweep_text(text, "s.yaml", "."); }

/// The one finding there should be, as text.
std::string only_finding(const std::string& text) {
  const SweepInput reading = read(text);
  EXPECT_EQ(reading.findings.size(), 1u) << text;
  return reading.findings.empty() ? "" : to_string(reading.findings.front());
}

const std::string valid = "runs:\n  - models: [chain:4]\n    algorithms: [ab]\n";

TEST(SweepFile, DefaultsAndCombinations) {
  const SweepInput reading = read(
      "name: mine\nrepetitions: 5\nruns:\n"
      "  - name: dial\n"
      "    models: [\"chain:{8, 16}\", {model: \"tree:2x3\", floating: true, name: a tree}]\n"
      "    algorithms: [ab, {algorithm: modular, grain: [2, 4], refinements: [0, 1], max_bodies: 12}]\n"
      "    executors: [tbb, openmp]\n    threads: [1, 2]\n    batch: 16\n    count: true\n    span: true\n");
  ASSERT_TRUE(reading.findings.empty());
  EXPECT_EQ(reading.sweep.name, "mine");
  EXPECT_EQ(reading.sweep.repetitions, 5);
  ASSERT_EQ(reading.sweep.runs.size(), 1u);
  const auto& run = reading.sweep.runs[0];
  ASSERT_EQ(run.models.size(), 3u);
  EXPECT_EQ(run.models[1].source, "chain:16");
  EXPECT_EQ(run.models[2].name, "a tree");
  EXPECT_TRUE(run.models[2].load.floating_base);
  ASSERT_EQ(run.algorithms.size(), 5u);
  EXPECT_EQ(run.algorithms[0].max_bodies, 0);
  EXPECT_EQ(run.algorithms[4].options.grain, 4);
  EXPECT_EQ(run.algorithms[4].options.refinements, 1);
  EXPECT_EQ(run.algorithms[4].max_bodies, 12);
  EXPECT_EQ(run.executors.size(), 2u);
  EXPECT_EQ(run.batches, std::vector<int>{16});
  EXPECT_TRUE(run.count);
  EXPECT_TRUE(run.span);
  EXPECT_TRUE(run.time);
}

TEST(SweepFile, KeepsTheRunsThatAreNamed) {
  const std::string run = "\n    models: [chain:4]\n    algorithms: [ab]\n";
  const std::string three = "runs:\n  - name: a" + run + "  - name: b" + run + "  - name: c" + run;
  SweepInput reading = read(three);
  keep_runs(reading, {"c", "a"});
  EXPECT_TRUE(reading.findings.empty());
  ASSERT_EQ(reading.sweep.runs.size(), 2u);
  EXPECT_EQ(reading.sweep.runs[0].name, "a") << "in the order of the file";
  EXPECT_EQ(reading.sweep.runs[1].name, "c");
  reading = read(three);
  keep_runs(reading, {"a", "d"});
  ASSERT_EQ(reading.findings.size(), 1u);
  EXPECT_EQ(to_string(reading.findings.front()),
            "s.yaml: error: runs: has no run \"d\" (--only); its runs are \"a\", \"b\", \"c\"");
}

TEST(SweepFile, Braces) {
  EXPECT_EQ(expand_braces("chain:4"), std::vector<std::string>{"chain:4"});
  EXPECT_EQ(expand_braces("tree:{2,4}x{3,5}"),
            (std::vector<std::string>{"tree:2x3", "tree:2x5", "tree:4x3", "tree:4x5"}));
}

TEST(SweepFile, BracesWithoutAnEndOrAChoice) {
  EXPECT_EQ(expand_braces("chain:{4"), std::vector<std::string>{"chain:{4"});
  EXPECT_EQ(expand_braces("{a, b}c{ }"), std::vector<std::string>{});
  std::string deep;
  for (int k = 0; k < 20000; ++k) deep += "{a}";
  EXPECT_EQ(expand_braces(deep), std::vector<std::string>{std::string(20000, 'a')});
}

TEST(SweepFile, CasesAreCountedBeforeTheyAreExpanded) {
  std::string braces;
  for (int k = 0; k < 40; ++k) braces += "{1,2,3,4,5,6,7,8,9}";
  const auto runs_of = [](const std::string& models) {
    return "runs:\n  - models: [\"" + models + "\"]\n    algorithms: [ab]\n    threads: ";
  };
  EXPECT_NE(only_finding(runs_of("chain:" + braces) + "1\n").find("model: asks for 1.4780882941434"),
            std::string::npos);
  std::string list = "[1";
  for (int k = 1; k < 101; ++k) list += ", 1";
  const std::string lists = runs_of("chain:4") + list + "]\n    lanes: " + list + "]\n";
  EXPECT_EQ(only_finding(lists),
            "s.yaml:2: error: run 1: asks for 10201 cases, and 10000 are allowed; ask for less, or take --many, which "
            "allows 1000000");
  EXPECT_TRUE(read_sweep_text(lists, "s.yaml", ".", many_cases).findings.empty());
  // all runs together
  const std::string half = "threads: [1], lanes: " + list + "], batch: [1" + [] {
    std::string more;
    for (int k = 1; k < 60; ++k) more += ", 1";
    return more;
  }() + "]";
  const std::string run = "  - {models: [chain:4], algorithms: [ab], " + half + "}\n";
  EXPECT_TRUE(read("runs:\n" + run).findings.empty());
  EXPECT_NE(only_finding("runs:\n" + run + run).find("s.yaml:3: error: run 2: asks for 6060 cases beside 6060 of"),
            std::string::npos);
}

TEST(SweepFile, IsOneYamlDocument) {
  EXPECT_EQ(only_finding(valid + "---\n" + valid),
            "s.yaml:4: error: file: has a second YAML document, and the first alone would be read; keep one, without "
            "\"---\" or other text after it");
  EXPECT_TRUE(read("---\n" + valid + "...\n").findings.empty()) << "one document with its marks";
  const SweepInput broken = read("runs: []\n---\n" + valid);
  EXPECT_EQ(broken.findings.size(), 2u) << "the first one's faults are told too";
}

TEST(SweepFile, FoldersAndDevicesAreRefused) {
  for (const char* name : {"/", "/dev/zero", "/no/such/file"}) {
    const SweepInput reading = read_sweep(name);
    ASSERT_EQ(reading.findings.size(), 1u) << name;
    EXPECT_EQ(reading.findings[0].file, name);
    EXPECT_EQ(reading.findings[0].severity, Severity::error);
  }
}

TEST(SweepFile, FindingsNameTheLineAndTheRule) {
  EXPECT_EQ(
      only_finding(valid + "colour: red\n"),
      "s.yaml:4: error: sweep: unknown key \"colour\"; known are name, robots, seed, states, repetitions, seconds, "
      "tolerance, runs");
  EXPECT_EQ(
      only_finding(valid + "repetitons: 5\n")
          .find("s.yaml:4: error: sweep: unknown key \"repetitons\"; write repetitions if that is meant; known are"),
      0u);
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms: [abc]\n"),
            "s.yaml:3: error: algorithm: algorithm is \"abc\"; known are automatic, ab, crb, cfa, modular");
  EXPECT_EQ(only_finding(valid + "    executors: [gpu]\n"),
            "s.yaml:4: error: run 1: executors is \"gpu\"; known are serial, tbb, openmp, team");
  EXPECT_EQ(only_finding(valid + "    threads: [0]\n"),
            "s.yaml:4: error: run 1: threads is \"0\"; give a whole number from 1 to 4096");
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms:\n      - {algorithm: modular, grain: [2, 3], "
                         "refinements: [0, few]}\n"),
            "s.yaml:4: error: algorithm: refinements is \"few\"; give a whole number from 0 to 100");
  EXPECT_EQ(only_finding(valid + "    span: 3\n"), "s.yaml:4: error: run 1: span is \"3\"; give true or false");
  EXPECT_EQ(only_finding(valid + "    count: perhaps\n"),
            "s.yaml:4: error: run 1: count is \"perhaps\"; give true or false");
  EXPECT_EQ(only_finding(valid + "    batch: []\n"),
            "s.yaml:4: error: run 1: batch is a list of 0; give at least one value, or leave the key out");
  EXPECT_EQ(only_finding("seconds: .nan\n" + valid),
            "s.yaml:1: error: sweep: seconds is \".nan\"; give a number from 1e-06 to 100");
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms:\n      - {algorithm: ab, grain: 3}\n"),
            "s.yaml:4: error: algorithm: grain 3 has no effect with algorithm ab and limbs 0: take more limbs, or "
            "leave it out");
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms:\n      - {algorithm: crb, loops: embed}\n"),
            "s.yaml:4: error: algorithm: loops embed has no effect with algorithm crb: it is for automatic, ab, cfa "
            "and modular; leave it out");
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms:\n      - {algorithm: cfa, cuts: [paths, x]}\n"),
            "s.yaml:4: error: algorithm: cuts is \"x\"; give one of paths, main, all");
  EXPECT_EQ(only_finding("runs:\n  - models: [chain:4]\n    algorithms:\n"
                         "      - {algorithm: modular, limbs: [1, 4], cuts: [paths, main]}\n"),
            "s.yaml:4: error: algorithm: cuts main is not for modules side by side: take limbs 1, or cuts paths")
      << "one combination of the four";
  EXPECT_EQ(only_finding("runs:\n  - algorithms: [ab]\n"), "s.yaml:2: error: run 1: `models` is missing");
  EXPECT_EQ(only_finding("name: x\nname: y\n" + valid),
            "s.yaml:2: error: sweep: the key \"name\" stands twice; keep one");
  EXPECT_EQ(only_finding("runs: []\n"), "s.yaml:1: error: sweep: `runs` must be a list of at least one run");
}

TEST(SweepFile, AutomaticTakesRefinements) {
  const SweepInput reading =
      read("runs:\n  - {models: [chain:4], algorithms: [{algorithm: automatic, refinements: [0, 2]}]}\n");
  EXPECT_TRUE(reading.findings.empty());
  ASSERT_EQ(reading.sweep.runs[0].algorithms.size(), 2u);
  EXPECT_EQ(reading.sweep.runs[0].algorithms[1].options.refinements, 2);
}

TEST(SweepFile, TheFilesOfTheProjectAreRead) {
  for (const char* name : {"default.yaml", "full.yaml"}) {
    const SweepInput reading = read_sweep(std::filesystem::path(KINETREE_MODELS).parent_path() / "sweeps" / name);
    EXPECT_TRUE(reading.findings.empty()) << to_string(reading.findings.front());
    EXPECT_GT(reading.sweep.runs.size(), 3u);
  }
}

TEST(SweepFile, MissingModelsAreFindingsUnlessOptional) {
  const std::string start = "runs:\n  - algorithms: [ab]\n    models:\n      - ";
  EXPECT_NE(only_finding(start + "nowhere.urdf\n").find("there is no file nowhere.urdf"), std::string::npos);
  EXPECT_TRUE(read(start + "{model: nowhere.urdf, optional: true}\n").findings.empty());
  EXPECT_NE(only_finding(start + "{name: neither}\n").find("give either `model`"), std::string::npos);
}

TEST(SweepFile, SeveralFaultsComeInOnePass) {
  EXPECT_EQ(
      read("seconds: -1\nruns:\n  - models: [nowhere.urdf]\n    algorithms: [x, y]\n    speed: 3\n").findings.size(),
      5u);
}

TEST(SweepFile, BadYamlAndNoFile) {
  EXPECT_NE(only_finding("runs: [\n").find("s.yaml:"), std::string::npos);
  EXPECT_EQ(read_sweep("/nowhere/at/all.yaml").findings.size(), 1u);
  EXPECT_EQ(only_finding("just text\n"), "s.yaml:1: error: sweep: is \"just text\"; give a map of keys and values");
}

}  // namespace
}  // namespace kinetree::bench
