// The command as its users see it: stdout, stderr and exit status.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <kinetree/kinetree.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/partition/modules.hpp"
#include "io/foreign_locale.hpp"
#include "tests/bench/in_process.hpp"

namespace kinetree::bench {
namespace {

TEST(Command, WrongUsageIsTwo) {
  EXPECT_EQ(command({}).status, 2);
  EXPECT_EQ(command({"fly"}).status, 2);
  EXPECT_EQ(command({"info"}).status, 2);
  EXPECT_EQ(command({"info", "chain:3", "--colour"}).status, 2);
  EXPECT_EQ(command({"info", "chain:3", "--algorithm", "abc"}).status, 2);
  EXPECT_EQ(command({"info", "chain:3", "--threads", "-1"}).status, 2);
  EXPECT_EQ(command({"solve", "chain:3"}).status, 2);
}

TEST(Command, AnOptionThatTheAlgorithmIgnoresIsWrongUsage) {
  const std::vector<std::vector<const char*>> ignored{{"--algorithm", "ab", "--grain", "3"},
                                                      {"--algorithm", "cfa", "--grain", "3"},
                                                      {"--grain", "3"},
                                                      {"--algorithm", "crb", "--cuts", "main"},
                                                      {"--algorithm", "ab", "--refinements", "1"},
                                                      {"--algorithm", "crb", "--elimination", "cyclic"},
                                                      {"--algorithm", "ab", "--formulation", "direct"},
                                                      {"--algorithm", "ab", "--factorization", "dense"},
                                                      {"--algorithm", "ab", "--executor", "serial", "--threads", "2"}};
  for (std::vector<const char*> options : ignored) {
    options.insert(options.begin(), {"info", "chain:3"});
    const Ended outcome = command(options);
    EXPECT_EQ(outcome.status, 2) << options.back();
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("has no effect"), std::string::npos) << outcome.err;
  }
}

TEST(Command, RangesAreSaidAsAPersonWritesThem) {
  const auto says = [](const std::vector<const char*>& arguments, const char* sentence) {
    const Ended outcome = command(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(sentence), std::string::npos) << outcome.err;
  };
  says({"info", "chain:3", "--threads", "-100"},
       "--threads is -100; give 0 (as many as there are physical cores) or a number up to 4096\n");
  says({"info", "chain:3", "--algorithm", "modular", "--grain", "-4"},
       "--grain is -4; give 0 (planned) or a number of bodies\n");
  says({"info", "chain:3", "--algorithm", "modular", "--grain", "2.5"}, "--grain is 2.5; give 0 (planned)");
  says({"show", "chain:3", "--out", "/nowhere", "--grain", "-1"}, "grain is -1; give 0 (planned)");
  says({"simulate", "chain:3", "--seconds", "-1"}, "--seconds is -1; give a number above 0\n");
  says({"simulate", "chain:3", "--seconds", "nan"}, "--seconds is nan; give a number above 0\n");
  says({"simulate", "chain:3", "--step", "soon"}, "--step is soon; give a number above 0\n");
  says({"info", "chain:3", "--algorithm", "cba"}, "--algorithm is cba; known are automatic, ab, crb, cfa, modular\n");
  says({"evaluate", "chain:3", "--states", "s", "--axes", "world_aligned"},
       "--axes is world_aligned; known are link, world, world-aligned\n");
  says({"study", "chain:3", "--threads", "1,0"}, "--threads is 0; give whole numbers from 1 to 4096\n");
  says({"study", "chain:3", "--threads", "1,,2"}, "--threads is 1,,2; leave out a comma that has nothing before");
  says({"evaluate", "chain:3", "--states", "s", "--frames", "body1,"}, "--frames is body1,; leave out a comma");
  says({"calibrate", "--readings", "1"}, "--readings is 1; give a whole number from 2 to 1000\n");
  says({"info", "fourbars:2", "--algorithm", "crb", "--lanes", "2"}, "lanes is 2, and ");
}

/// CLI11 and yaml-cpp themselves take 010 for eight.
TEST(Command, WholeNumbersWithLeadingZerosAreDecimal) {
  const auto grain = [](const char* text) {
    return command({"info", "chain:40", "--algorithm", "modular", "--grain", text, "--threads", "1"});
  };
  EXPECT_EQ(grain("010").out, grain("10").out);
  EXPECT_NE(grain("010").out, grain("8").out);
  for (const char* text : {"0x10", "1e1", "10.0", "1.000", "ten", ""}) EXPECT_EQ(grain(text).status, 2) << text;
  const auto cases = [](const std::string& threads) {
    const TemporaryFile file("sweep.yaml",
                             "runs: [{models: [\"chain:4\"], algorithms: [ab], threads: " + threads + "}]");
    return command({"sweep", file.path(), "--dry-run"});
  };
  EXPECT_EQ(cases("010").out, cases("10").out);
  EXPECT_NE(cases("010").out, cases("8").out);
  EXPECT_NE(cases("0x10").err.find("threads is \"0x10\"; give a whole number"), std::string::npos) << cases("0x10").err;
}

/// What the command prints of numbers that it reads, under locales of a decimal comma.
TEST(Command, SaysInEveryLocaleWhatItSaysInC) {
  const TemporaryFile states("states.json", R"({"states": [{"q": [0.5, 0.25, -1.5], "v": [1234567.5, 0.5, 0]}]})");
  const TemporaryFile model("arm.yaml",
                            "bodies: [{name: a, parent: world, joint: {name: j, type: revolute, axis: [0, 0.6, 0.8], "
                            "damping: 1.500}, inertial: {mass: 1.25, com: [0.5, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}]");
  const auto all = [&] {
    std::string text;
    for (const std::vector<const char*>& arguments : std::vector<std::vector<const char*>>{
             {"solve", "chain:3", "--states", states.path(), "--algorithm", "ab"},
             {"info", model.path(), "--algorithm", "ab", "--threads", "1"},
             {"info", "chain:1200", "--algorithm", "ab", "--lock", "joint3=0,5"},
             {"info", "chain:5:armature=0.25", "--lock", "joint3=0.5", "--json", "--algorithm", "ab", "--threads", "1"},
             {"simulate", model.path(), "--seconds", "0,5"}}) {
      const Ended ended = command(arguments);
      text += ended.out + ended.err + std::to_string(ended.status) + "\n";
    }
    return text;
  };
  const std::string plain = all();
  EXPECT_NE(plain.find("--seconds is 0,5; give a number above 0"), std::string::npos) << plain;
  {
    const test::ForeignCpp foreign;
    EXPECT_EQ(all(), plain);
  }
  const test::ForeignC foreign("de_DE", "1,5");
  if (!foreign.made()) GTEST_SKIP() << test::no_localedef;
  EXPECT_EQ(all(), plain);
}

TEST(Command, AnUnknownSubcommandIsNamedWithThoseThatThereAre) {
  const Ended outcome = command({"inof", "chain:3"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err.rfind("kinetree: there is no subcommand \"inof\"; known are info, solve, evaluate, study, "
                              "calibrate, predict, sweep, merge, compare, export, show, simulate",
                              0),
            0u)
      << outcome.err;
  EXPECT_NE(outcome.err.find("; did you mean info?\n"), std::string::npos) << outcome.err;
}

/// A line for each, with the option that was meant; what is missing besides comes last.
TEST(Command, WordsThatNothingTakesAreNamedInTheirOrder) {
  const auto says = [](const std::vector<const char*>& arguments, const std::string& lines) {
    const Ended outcome = command(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "kinetree: " + lines + "Try --help.\n");
  };
  says({"solve", "chain:3", "--sates", "s.json"},
       "--sates is no option of solve; did you mean --states?\n--states is required\n");
  says({"evaluate", "chain:3", "--states", "s.json", "--axis", "world", "chain:4", "--colour=red"},
       "--axis is no option of evaluate; did you mean --axes?\n\"chain:4\" is one argument too many: evaluate takes "
       "MODEL\n--colour is no option of evaluate\n");
  says({"info"}, "MODEL is required\n");
}

TEST(Command, NamesOfTheOtherKindAreTold) {
  const TemporaryFile states("kinds.json", R"({"states": [{"q": [0, 0]}]})");
  const Ended link = command({"evaluate", "chain:2", "--states", states.path(), "--frames", "joint2,body2"});
  EXPECT_EQ(link.status, 1);
  EXPECT_NE(
      link.err.find("--frames: \"joint2\" is a joint and no link of this model; its links are \"body2\", \"body1\""),
      std::string::npos)
      << link.err;
  const Ended joint = command({"info", "chain:2", "--lock", "body1=0.1"});
  EXPECT_EQ(joint.status, 1);
  EXPECT_NE(
      joint.err.find("joint \"body1\" is a link and no joint of this model; its joints are \"joint1\", \"joint2\""),
      std::string::npos)
      << joint.err;
  EXPECT_NE(command({"info", ""}).err.find("no file name was given"), std::string::npos);
}

TEST(Command, SaysItsVersion) {
  const Ended outcome = command({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("kinetree 0.", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("commit "), std::string::npos) << outcome.out;
}

TEST(Command, RefinementsMeanWithAutomaticWhatTheLibraryMakesOfThem) {
  for (const char* refinements : {"0", "2"}) {
    const Ended outcome = command({"info", "chain:1024", "--refinements", refinements, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto plan = nlohmann::json::parse(outcome.out)["plan"];
    const Plan expected = ForwardDynamics(make_model("chain:1024"), {.refinements = std::atoi(refinements)}).plan();
    EXPECT_EQ(plan["algorithm"], expected.algorithm == Algorithm::modular ? "modular" : "ab");
    if (plan["algorithm"] == "modular") {
      EXPECT_EQ(plan["refinements"], expected.refinements);
      EXPECT_EQ(std::to_string(expected.refinements), refinements);
    }
  }
}

TEST(Command, InfoSaysWhatTheLibrarySays) {
  for (const char* family : {"chain:256", "chain:300", "star:3x150", "tree:2x5"}) {
    const Ended outcome = command({"info", family, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto info = nlohmann::json::parse(outcome.out);
    const ForwardDynamics dynamics(make_model(family));
    EXPECT_EQ(info["modules"].size(), dynamics.modules()->modules.size()) << family;
    EXPECT_EQ(info["cut_joints"].size(), dynamics.modules()->cuts.size()) << family;
  }
}

TEST(Command, InfoSaysWhyJointsAreNeverCut) {
  const auto never_cut = [](const char* model) {
    return nlohmann::json::parse(command({"info", model, "--json"}).out)["never_cut"].dump();
  };
  EXPECT_EQ(never_cut("chain:3"), "[]");
  const std::string rotors = never_cut("geared:3:rotors=armature"), loops = never_cut("fourbars:2");
  EXPECT_NE(rotors.find("has a rotor (armature "), std::string::npos) << rotors;
  EXPECT_EQ(rotors.find("inertia of link"), std::string::npos) << rotors;
  EXPECT_NE(loops.find("stands in an aggregate, which loop "), std::string::npos) << loops;
  EXPECT_EQ(loops.find("inertia of link"), std::string::npos) << loops;
}

TEST(Command, HelpIsNoError) { EXPECT_EQ(command({"solve", "--help"}).status, 0); }

TEST(Command, WrongInputIsOneAndStdoutStaysEmpty) {
  const Ended outcome = command({"info", "nowhere.urdf"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("nowhere.urdf"), std::string::npos);
  const TemporaryFile states("bad.json", R"({"states": [{"q": [1, 2]}]})");
  EXPECT_EQ(command({"solve", "chain:3", "--states", states.path()}).status, 1);
  const TemporaryFile sweep("bad.yaml", "runs: 3\n");
  EXPECT_EQ(command({"sweep", sweep.path()}).status, 1);
}

TEST(Command, SolvePrintsEveryStateInTheCallersOrder) {
  const TemporaryFile states(
      "good.json",
      R"({"joints": ["joint2", "joint1"], "states": [{"q": [0.2, 0.1]}, {"q": [0, 1], "v": [1, 2], "tau": [3, 4]}]})");
  const TemporaryFile plain("plain.json",
                            R"({"states": [{"q": [0.1, 0.2]}, {"q": [1, 0], "v": [2, 1], "tau": [4, 3]}]})");
  for (const char* algorithm : {"ab", "crb", "cfa", "modular", "automatic"}) {
    const Ended swapped = command({"solve", "chain:2", "--states", states.path(), "--algorithm", algorithm});
    const Ended straight = command({"solve", "chain:2", "--states", plain.path(), "--algorithm", algorithm});
    ASSERT_EQ(swapped.status, 0) << swapped.err;
    const auto a = nlohmann::json::parse(swapped.out), b = nlohmann::json::parse(straight.out);
    EXPECT_EQ(a["joints"], nlohmann::json::parse(R"(["joint2", "joint1"])"));
    EXPECT_EQ(a["statuses"], nlohmann::json::parse(R"(["ok", "ok"])"));
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_LE(a["residuals"][s].get<double>(), 1e-12);
      EXPECT_EQ(a["accelerations"][s][0], b["accelerations"][s][1]);
      EXPECT_EQ(a["accelerations"][s][1], b["accelerations"][s][0]);
    }
    EXPECT_TRUE(a["plan"].contains("one_threads"));
  }
}

TEST(Command, SolveTakesStatesSideBySide) {
  std::string text;
  for (int s = 0; s < 11; ++s)
    text += (s ? ", " : "") + std::string(R"({"q": [0.1, )") + std::to_string(s) + R"(, -1], "v": [1, 2, 3])" +
            (s == 7 ? R"(, "f_ext": {"body2": [1, 2, 3, 4, 5, 6]}})" : "}");
  const TemporaryFile states("many.json", R"({"states": [)" + text + "]}");
  const auto solve = [&](const char* lanes) {
    return command({"solve", "chain:3", "--states", states.path(), "--algorithm", "ab", "--lanes", lanes});
  };
  const Ended one_by_one = solve("1"), side_by_side = solve("0");
  ASSERT_EQ(side_by_side.status, 0) << side_by_side.err;
  const auto a = nlohmann::json::parse(side_by_side.out), b = nlohmann::json::parse(one_by_one.out);
  EXPECT_EQ(b["plan"]["lanes"], 1);
  EXPECT_EQ(a["plan"]["lanes"], lane_width(instruction_set()));
  ASSERT_EQ(a["accelerations"].size(), 11u);
  for (std::size_t s = 0; s < 11; ++s) {
    EXPECT_LE(a["residuals"][s].get<double>(), 1e-12);
    for (std::size_t j = 0; j < 3; ++j) {
      const double expected = b["accelerations"][s][j].get<double>();
      EXPECT_NEAR(a["accelerations"][s][j].get<double>(), expected, 1e-12 * (1 + std::abs(expected)));
    }
  }
  const Ended wrong = solve("3");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("lanes is 3"), std::string::npos) << wrong.err;
}

TEST(Command, SolveSaysWhatItLeavesOutOfTheStates) {
  const TemporaryFile model("pad.yaml",
                            "name: pad\nbodies:\n"
                            "  - {name: pad, parent: world, joint: {name: f, type: fixed}}\n"
                            "  - {name: arm, parent: pad, joint: {name: j, type: revolute, axis: [0, 0, 1]}, inertial: "
                            "{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n");
  const TemporaryFile states("pad.json",
                             R"({"states": [{"q": [0]}, {"q": [0], "f_ext": {"pad": [0, 0, 0, 1, 0, 0]}}]})");
  const Ended outcome = command({"solve", model.path(), "--states", states.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["accelerations"][1][0], 0);
  EXPECT_NE(outcome.err.find(std::string(states.path()) + ": notice: state 1: f_ext of \"pad\" is left out"),
            std::string::npos)
      << outcome.err;
}

TEST(Command, AFailedStateIsNullAndThree) {
  const TemporaryFile model("idle.yaml",
                            "name: idle\nbodies:\n"
                            "  - {name: a, parent: world, joint: {name: s, type: spherical}, inertial: {mass: 1, com: "
                            "[0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n");
  const TemporaryFile states("huge.json",
                             R"({"states": [{"q": [0, 0, 0, 1], "v": [1e200, 2e200, 0]}, {"q": [0, 0, 0, 1]}]})");
  const Ended outcome = command({"solve", model.path(), "--states", states.path()});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json["accelerations"][0].is_null());
  EXPECT_TRUE(json["residuals"][0].is_null());
  EXPECT_EQ(json["accelerations"][1].size(), 3u);
  EXPECT_NE(json["statuses"][0], "ok");
  EXPECT_NE(outcome.err.find("state 0"), std::string::npos);
}

TEST(Command, InfoCountsModulesAndPrintsBothWays) {
  const Ended json = command({"info", "chain:20", "--algorithm", "cfa", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  const auto info = nlohmann::json::parse(json.out);
  EXPECT_EQ(info["bodies"], 20);
  EXPECT_EQ(info["joints"].size(), 20u);
  EXPECT_EQ(info["modules"].size(), 20u);
  EXPECT_GT(info["memory_bytes"].get<double>(), 0);
  const Ended text = command({"info", "chain:20"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("joint20"), std::string::npos);
}

TEST(Command, SweepLeavesThreeFiles) {
  const TemporaryFile sweep("small.yaml",
                            "repetitions: 2\nseconds: 1e-5\nruns:\n  - {models: [chain:3], algorithms: [ab, crb]}\n");
  const std::filesystem::path out = std::filesystem::path(sweep.path()).string() + ".out";
  const Ended outcome = command({"sweep", sweep.path(), "--out", out.c_str()});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* name : {"results.json", "results.csv", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(out / name));
  std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace kinetree::bench
