// Comparisons of results that are made up: the share of false alarms, and whether a slower kernel is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/in_process.hpp"
#include "bench/spawn.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int compared_cells = 400;

/// A run of so many cases; their times spread by 2 % from run to run and by 1 % within a run.
Json results_by(std::mt19937& random, double slower) {
  std::normal_distribution<double> normal;
  Json cases = Json::array();
  for (int k = 0; k < compared_cells; ++k) {
    const double ns = 1000 * (k + 1) * slower * std::exp(0.02 * normal(random));
    cases.push_back({{"model", "chain:" + std::to_string(k)},
                     {"label", "ab"},
                     {"executor", "serial"},
                     {"threads", 1},
                     {"batch", 1},
                     {"lanes", 1},
                     {"median_ns", ns},
                     {"low_ns", 0.99 * ns},
                     {"high_ns", 1.01 * ns},
                     {"repetitions_ns", std::vector<double>(9, ns)}});
  }
  return {{"context", {{"processor", "P"}, {"compiler", "g++"}}}, {"settings", {{"seed", 1}}}, {"cases", cases}};
}

std::vector<Json> all_results(std::mt19937& random, int count, double slower) {
  std::vector<Json> all;
  for (int k = 0; k < count; ++k) all.push_back(results_by(random, slower));
  return all;
}

double share_that_differs(const Comparison& c) {
  double differ = 0;
  for (const ComparedCase& one : c.cases) differ += one.differs;
  return differ / static_cast<double>(c.cases.size());
}

TEST(Compare, EqualProgramsDifferInOneCaseOfTwentyAtMost) {
  std::mt19937 random(7);
  for (const int a_side : {2, 3, 5}) {
    const Comparison c = compare(all_results(random, a_side, 1), all_results(random, a_side, 1));
    ASSERT_EQ(c.cases.size(), static_cast<std::size_t>(compared_cells));
    EXPECT_LE(share_that_differs(c), 0.07) << a_side << " runs a side";
  }
}

TEST(Compare, AKernelThatIsTenPerCentSlowerIsFound) {
  std::mt19937 random(8);
  const Comparison c = compare(all_results(random, 3, 1), all_results(random, 3, 1.10));
  EXPECT_GE(share_that_differs(c), 0.85);
  double sum = 0;
  for (const ComparedCase& one : c.cases) {
    sum += std::log(one.ratio);
    EXPECT_TRUE(one.low <= one.ratio && one.ratio <= one.high);
  }
  EXPECT_NEAR(std::exp(sum / compared_cells), 1.10, 0.01);
}

TEST(Compare, OneRunASideCountsLargeDifferencesAlone) {
  std::mt19937 random(9);
  EXPECT_LE(share_that_differs(compare(all_results(random, 1, 1), all_results(random, 1, 1))), 0.12);
  EXPECT_EQ(share_that_differs(compare(all_results(random, 1, 1), all_results(random, 1, 1.5))), 1);
}

TEST(Compare, ALostCaseAndAnUnfitRunAreTold) {
  std::mt19937 random(10);
  std::vector<Json> before = all_results(random, 2, 1), after = all_results(random, 2, 1);
  after[1]["cases"].erase(3);
  before[0]["fitness"] = {{"fit", false}, {"sentence", "Not fit to be read: noise."}};
  const Comparison c = compare(before, after);
  ASSERT_EQ(c.left_out.size(), 1u);
  EXPECT_EQ(name_of(c.left_out[0].key), "chain:3 ab, serial threads 1, batch 1, lanes 1");
  EXPECT_EQ(c.left_out[0].why, "timed in 2 of 2 before, in 1 of 2 after");
  EXPECT_EQ(c.unfit, std::vector<std::string>{"run 1 before: Not fit to be read: noise."});
  EXPECT_TRUE(c.conflicts.empty());
}

/// How many states another instruction set would take side by side tells nothing of one state.
TEST(Compare, LanesAreOfSeveralStates) {
  const Json one{{"model", "m"}, {"label", "ab"}, {"executor", "team"}, {"threads", 1}, {"batch", 1}, {"lanes", 8}};
  Json many = one;
  many["batch"] = 16;
  EXPECT_EQ(name_of(key_of(one)), "m ab, team threads 1, batch 1, lanes 1");
  EXPECT_EQ(name_of(key_of(many)), "m ab, team threads 1, batch 16, lanes 8");
  Json over_ranks = one;
  over_ranks["ranks"] = 4;
  EXPECT_EQ(name_of(key_of(over_ranks)), "m ab, team ranks 4 threads 1, batch 1, lanes 1");
  EXPECT_NE(key_of(over_ranks), key_of(one));
}

TEST(Compare, AGovernorThatBothSidesTellMustAgree) {
  std::mt19937 random(12);
  std::vector<Json> before = all_results(random, 1, 1), after = all_results(random, 1, 1);
  after[0]["context"]["frequency governor"] = "powersave";
  EXPECT_TRUE(compare(before, after).conflicts.empty()) << "earlier versions did not write it";
  before[0]["context"]["frequency governor"] = "performance";
  const Comparison c = compare(before, after);
  ASSERT_EQ(c.conflicts.size(), 1u);
  EXPECT_EQ(c.conflicts[0].key, "frequency governor");
  EXPECT_EQ(c.conflicts[0].words, "frequency governor is \"performance\" and \"powersave\"");
}

TEST(Compare, CoresMustBeAsFarFromEachOther) {
  std::mt19937 random(13);
  std::vector<Json> before = all_results(random, 3, 1), after = all_results(random, 3, 1);
  const auto tell = [](Json& run, double ns) {
    run["fitness"] = {{"fit", true}, {"sentence", "Fit."}, {"line_transfer_ns", ns}};
  };
  for (Json& run : before) tell(run, 200);
  for (Json& run : after) tell(run, 260);
  EXPECT_TRUE(compare(before, after).conflicts.empty());
  tell(after[1], 450);
  const Comparison c = compare(before, after);
  ASSERT_EQ(c.conflicts.size(), 1u);
  EXPECT_EQ(c.conflicts[0].words, "a line of the cache went from one core to another in 200 ns and in 450 ns");
}

TEST(Compare, DifferentMachinesAreRefusedUnlessForced) {
  std::mt19937 random(11);
  Json a = results_by(random, 1), b = results_by(random, 1);
  b["context"]["processor"] = "Q";
  const TemporaryFile first("a.json", a.dump()), second("b.json", b.dump()), wrong("c.json", "{}");
  const Ended refused = command({"compare", first.path(), second.path()});
  EXPECT_EQ(refused.status, wrong_input);
  EXPECT_NE(refused.err.find("processor is \"P\" and \"Q\""), std::string::npos) << refused.err;
  const Ended forced = command({"compare", first.path(), second.path(), "--force"});
  EXPECT_EQ(forced.status, done) << forced.err;
  EXPECT_NE(forced.out.find("400 cases, one run a side"), std::string::npos) << forced.out;
  EXPECT_EQ(command({"compare", first.path()}).status, wrong_usage);
  EXPECT_EQ(command({"compare", first.path(), "--before", first.path(), "--after", first.path()}).status, wrong_usage);
  EXPECT_NE(command({"compare", first.path(), wrong.path()}).err.find("has no `context`"), std::string::npos);
  EXPECT_EQ(command({"compare", first.path(), "no_such_folder"}).status, wrong_input);
  a["cases"][7]["median_ns"] = 0;
  const TemporaryFile timeless("d.json", a.dump());
  EXPECT_NE(command({"compare", timeless.path(), first.path()}).err.find("has median_ns 0 for chain:7 ab"),
            std::string::npos);
}

/// The page says what the terminal says: of a name that a stranger chose, of a run that is not fit, of lost cases, of
/// machines that differ. Nothing in it is of a sweep's page.
TEST(Compare, ThePageSaysInWordsWhatCameOut) {
  std::mt19937 random(13);
  std::vector<Json> a = all_results(random, 2, 1), b = all_results(random, 2, 3);
  const std::string name = "</script><script>alert(1)</script>";
  for (Json* run : {&a[0], &a[1], &b[0], &b[1]}) (*run)["cases"][0]["model"] = name;
  for (Json& run : b) run["context"]["processor"] = "Q";
  a[0]["fitness"] = {{"fit", false}, {"sentence", "Not fit to be read: <noise>."}};
  b[1]["cases"][2].erase("median_ns");
  b[1]["cases"][2]["failure"] = "its answers are wrong";
  b[1]["cases"].erase(3);
  const TemporaryFile a1("a1.json", a[0].dump()), a2("a2.json", a[1].dump()), b1("b1.json", b[0].dump()),
      b2("b2.json", b[1].dump()), page("page.html", "");
  std::vector<const char*> arguments{"compare", "--before", a1.path(), a2.path(), "--after",
                                     b1.path(), b2.path(),  "--force", "--html",  page.path()};
  const Ended ended = command(arguments);
  EXPECT_EQ(ended.status, done) << ended.err;
  EXPECT_NE(ended.out.find(page.path()), std::string::npos) << ended.out;

  const std::string text = text_of(page.path()), mark = "id=\"results\">";
  const std::size_t from = text.find(mark) + mark.size();
  const Json shown = Json::parse(text.substr(from, text.find("</script>", from) - from));
  for (const Json& sentence : shown["outcome"]) EXPECT_NE(ended.out.find(sentence), std::string::npos) << sentence;
  for (const Json& caution : shown["cautions"]) EXPECT_NE(ended.err.find(caution), std::string::npos) << caution;
  EXPECT_EQ(shown["slower"], compared_cells - 2);
  EXPECT_EQ(shown["cases"].size(), compared_cells - 2u);
  EXPECT_NEAR(shown["geometric_mean"], 3, 0.1);
  const auto hostile =
      std::find_if(shown["cases"].begin(), shown["cases"].end(), [&](const Json& c) { return c["model"] == name; });
  ASSERT_NE(hostile, shown["cases"].end());
  EXPECT_NEAR((*hostile)["after_ns"].get<double>() / (*hostile)["before_ns"].get<double>(), (*hostile)["ratio"], 1e-9);
  ASSERT_EQ(shown["left_out"].size(), 2u);
  EXPECT_EQ(shown["left_out"][0]["why"], "timed in 2 of 2 before, in 1 of 2 after: its answers are wrong");
  EXPECT_EQ(shown["fitness"],
            "1 of 4 runs is not fit to be read: a difference may be the machine's. 3 of 4 runs do not say whether they "
            "are fit to be read.");
  EXPECT_EQ(shown["conflicts"][0]["key"], "processor");
  ASSERT_EQ(shown["runs"].size(), 4u);
  EXPECT_EQ(shown["runs"][3]["context"]["processor"], "Q");
  EXPECT_EQ(shown["runs"][3]["file"], b2.path());
  for (const char* absent : {name.c_str(), "<noise>", "{{", "src=\"http", "Who wins where"})
    EXPECT_EQ(text.find(absent), std::string::npos) << absent;
  EXPECT_NE(text.find("After over before"), std::string::npos);

  arguments.push_back("--json");
  EXPECT_EQ(Json::parse(command(arguments).out), shown);
  arguments[9] = b1.path();
  EXPECT_EQ(command(arguments).status, wrong_usage);
  EXPECT_EQ(text_of(b1.path()), b[0].dump()) << "what is compared stays";
}

/// What other programs read: each repetition of each timed case, in their units.
TEST(Export, EveryRepetitionIsWritten) {
  Json results{{"context", {{"logical processors", 2}, {"build type", "Release"}}}, {"settings", Json::object()}};
  results["models"] = {{{"name", "chain:8"}, {"family", "chain"}, {"bodies", 8}},
                       {{"name", "arm7"}, {"family", "robot"}, {"bodies", 7}}};
  const auto timed = [](const char* model, int threads, int batch, std::vector<double> ns) {
    return Json{{"model", model},     {"label", "ab"},   {"executor", "team"},   {"threads", threads},
                {"batch", batch},     {"lanes", 1},      {"holds", true},        {"iterations", 100},
                {"median_ns", ns[0]}, {"low_ns", ns[0]}, {"high_ns", ns.back()}, {"repetitions_ns", ns}};
  };
  Json failed = timed("arm7", 1, 1, {1});
  failed.erase("median_ns"), failed.erase("repetitions_ns");
  results["cases"] = {timed("chain:8", 2, 1, {300, 310}), timed("arm7", 1, 16, {50}), failed};
  const TemporaryFile in("results.json", results.dump()), out("export.json", ""), wrong("wrong.json", R"({"context": 1,
      "settings": 1, "cases": [{"repetitions_ns": [1]}]})");
  ASSERT_EQ(command({"export", in.path(), "google-benchmark", out.path()}).status, done);
  std::ifstream first(out.path());
  const Json benchmark = Json::parse(first);
  EXPECT_EQ(benchmark["context"]["num_cpus"], 2);
  ASSERT_EQ(benchmark["benchmarks"].size(), 3u);
  const Json &again = benchmark["benchmarks"][1], &batch = benchmark["benchmarks"][2];
  EXPECT_EQ(again["name"], "chain:8 ab, team threads 2, batch 1, lanes 1");
  EXPECT_EQ(again["repetition_index"], 1);
  EXPECT_EQ(again["real_time"], 310.0);
  EXPECT_EQ(batch["family_index"], 1);
  EXPECT_EQ(batch["real_time"], 16 * 50.0) << "a call's";
  ASSERT_EQ(command({"export", in.path(), "extra-p", out.path()}).status, done);
  std::ifstream second(out.path());
  std::vector<Json> lines;
  for (std::string line; std::getline(second, line);) lines.push_back(Json::parse(line));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["callpath"], "chain->ab->team");
  EXPECT_EQ(lines[2]["callpath"], "arm7->ab->team");
  EXPECT_EQ(lines[2]["params"], (Json{{"bodies", 7}, {"ranks", 1}, {"threads", 1}, {"states", 16}}));
  EXPECT_DOUBLE_EQ(lines[2]["value"], 800e-9);
  EXPECT_EQ(command({"export", in.path(), "gnuplot", out.path()}).status, wrong_usage);
  const Ended refused = command({"export", wrong.path(), "extra-p", out.path()});
  EXPECT_EQ(refused.status, wrong_input);
  EXPECT_NE(refused.err.find("lacks what a sweep"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace kinetree::bench
