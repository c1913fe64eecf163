// Other libraries in the report: what kinetree_peers wrote is taken over whole, or refused by place and reason.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <kinetree/finding.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/command.hpp"
#include "bench/peers/turns.hpp"
#include "bench/report/peers_file.hpp"
#include "bench/report/report.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json result(const std::string& name, const std::string& package, double median) {
  const auto ratio = [&](double to) {
    return Json{{"median", median / to}, {"low", 0.9 * median / to}, {"high", 1.1 * median / to}};
  };
  return {{"name", name},
          {"version", "1.0"},
          {"package", package},
          {"path", "solve"},
          {"scalar", "double"},
          {"threads", 1},
          {"states_per_call", 1},
          {"tolerance", 1e-8},
          {"difference", 0},
          {"median_ns", median},
          {"low_ns", 0.9 * median},
          {"high_ns", 1.1 * median},
          {"ratios", {{"kinetree ab", ratio(500)}, {"Bullet", ratio(2000)}}}};
}

Json good() {
  Json refused = result("KDL", "liborocos-kdl-dev", 1);
  for (const char* key : {"median_ns", "low_ns", "high_ns", "ratios", "difference"}) refused.erase(key);
  refused["refusal"] = "it solves fixed serial chains only";
  Json cases = Json::array();
  for (const auto& [function, reference] :
       {std::pair("forward_dynamics", "kinetree ab"), std::pair("mass_matrix", "Bullet")})
    cases.push_back(
        {{"function", function},
         {"result", "numbers"},
         {"reference", reference},
         {"model", "quadruped"},
         {"floating", true},
         {"bodies", 13},
         {"nv", 18},
         {"results", Json::array({result("kinetree ab", "", 500), result("Bullet", "libbullet-dev", 2000), refused})}});
  return {{"program", "kinetree_peers"},
          {"format", 2},
          {"context", {{"date", "2026-01-01T00:00:00Z"}, {"commit", "0123456789ab"}, {"processor", "some </script>"}}},
          {"states", 4},
          {"batch", 16},
          {"rounds", 9},
          {"state_distribution", "any"},
          {"interval", "none"},
          {"missing", Json::array({Json{{"name", "DART"}, {"package", "libdart-dev"}}})},
          {"cases", cases}};
}

/// What is said of a file, as `place: message`, one per line; empty where it is taken.
std::string said_of(const std::string& text) {
  std::string said;
  try {
    read_peers_text(text, "peers.json");
  } catch (const InputError& error) {
    for (const Finding& finding : error.findings()) {
      EXPECT_EQ(finding.file, "peers.json");
      said += finding.element + ": " + finding.message + "\n";
    }
  }
  return said;
}

TEST(PeersFile, ARightFileIsTakenAsItStands) {
  EXPECT_EQ(said_of(good().dump()), "");
  EXPECT_EQ(read_peers_text(good().dump(), "peers.json"), good());
}

TEST(PeersFile, AWrongPlaceIsNamedWithItsValue) {
  struct Wrong {
    std::function<void(Json&)> make;
    std::string said;
  };
  const auto first = [](Json& j) -> Json& { return j["cases"][0]["results"][0]; };
  const std::vector<Wrong> all{
      {[](Json& j) { j.erase("program"); }, "file: is an object without \"program\""},
      {[](Json& j) { j["format"] = 1; }, "format: is 1, this program reads 2"},
      {[](Json& j) { j["context"].erase("date"); }, "context.date: is missing where a text belongs"},
      {[](Json& j) { j["rounds"] = 0; }, "rounds: is 0 where a whole number above 0 belongs"},
      {[](Json& j) { j["rounds"] = 1.5; }, "rounds: is 1.5 where a whole number above 0 belongs"},
      {[](Json& j) { j["missing"][0] = "DART"; }, "missing[0]: is \"DART\" where an object belongs"},
      {[](Json& j) { j["cases"] = 3; }, "cases: is 3 where a list belongs"},
      {[](Json& j) { j["cases"][1]["function"] = "gravity"; },
       "cases[1].function: is \"gravity\" where one of forward_dynamics, inverse_dynamics, mass_matrix, kinematics, "
       "jacobians belongs"},
      {[](Json& j) { j["cases"][1].erase("result"); }, "cases[1].result: is missing where a text belongs"},
      {[](Json& j) { j["cases"][1]["results"] = Json::array(); }, "cases[1].results: the reference \"Bullet\" is not"},
      {[](Json& j) { j["cases"][0]["floating"] = "yes"; }, "cases[0].floating: is \"yes\" where true or false belongs"},
      {[](Json& j) { j["cases"][0]["results"][2]["name"] = "kinetree ab"; },
       "cases[0].results[2].name: \"kinetree ab\" stands twice"},
      {[=](Json& j) { first(j)["median_ns"] = -3; }, "cases[0].results[0].median_ns: is -3 where a number above 0"},
      {[=](Json& j) { first(j)["median_ns"] = nullptr; }, "cases[0].results[0].median_ns: is null where"},
      {[=](Json& j) { first(j)["low_ns"] = 600; }, "cases[0].results[0].median_ns: is 500, outside its interval"},
      {[=](Json& j) { first(j).erase("difference"); }, "cases[0].results[0].difference: is missing"},
      {[=](Json& j) { first(j)["ratios"].erase("kinetree ab"); }, "cases[0].results[0].ratios: has none to the ref"},
      {[=](Json& j) { first(j)["ratios"]["ODE"] = first(j)["ratios"]["Bullet"]; },
       "cases[0].results[0].ratios.ODE: is to nobody"},
      {[=](Json& j) { first(j)["ratios"]["Bullet"] = 4; }, "cases[0].results[0].ratios.Bullet: is 4 where an object"},
      {[](Json& j) { j["cases"][0]["results"] = Json::array(); }, "cases[0].results: the reference \"kinetree ab\" is"},
      {[](Json& j) { j["cases"][0]["results"][2]["refusal"] = 1; }, "cases[0].results[2].refusal: is 1 where a text"}};
  for (const Wrong& wrong : all) {
    Json json = good();
    wrong.make(json);
    const std::string said = said_of(json.dump());
    EXPECT_EQ(said.substr(0, wrong.said.size()), wrong.said);
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

TEST(PeersFile, AllThatIsWrongComesInOnePass) {
  Json json = good();
  json["rounds"] = "many";
  json["cases"][0]["nv"] = -1;
  const std::string said = said_of(json.dump());
  EXPECT_NE(said.find("rounds: is \"many\""), std::string::npos);
  EXPECT_NE(said.find("cases[0].nv: is -1"), std::string::npos);
}

TEST(PeersFile, WhatIsNoJsonIsSaidWithItsLine) {
  EXPECT_NE(said_of("{\n\"program\": \"kinetree_peers\",").find("is not well-formed JSON"), std::string::npos);
  try {
    read_peers_text("{\n\"program\": \"kinetree_peers\",", "peers.json");
  } catch (const InputError& e) {
    EXPECT_EQ(e.findings()[0].line, 2);
  }
  EXPECT_NE(said_of("[]").find("file: is a list of 0 without"), std::string::npos);
  EXPECT_THROW(read_peers("/nowhere/peers.json"), InputError);
}

TEST(PeersFile, BytesAfterANulAreAFinding) {
  const std::string text = good().dump(1) + "\n", line = std::to_string(1 + std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(said_of(text), "");
  for (const std::string more : {"", "{}", text.c_str()}) {
    try {
      read_peers_text(text + '\0' + more, "peers.json");
      ADD_FAILURE() << "what follows was dropped: " << more;
    } catch (const InputError& error) {
      EXPECT_EQ(error.findings().size(), 1u);
      EXPECT_EQ(to_string(error.findings()[0]).rfind("peers.json:" + line + ": error: file: has a NUL byte", 0), 0u)
          << error.what();
    }
  }
}

/// A folder with a sweep of one case and a peers file, gone when the test ends.
class PeersInTheSweep : public testing::Test {
 protected:
  PeersInTheSweep() { fs::create_directories(folder_); }
  ~PeersInTheSweep() override { fs::remove_all(folder_); }

  int sweep(const std::string& peers) {
    const std::string file = (folder_ / "s.yaml").string(), peers_file = (folder_ / "peers.json").string();
    std::ofstream(file)
        << "repetitions: 1\nseconds: 1e-6\nstates: 2\nruns:\n  - {models: [chain:2], algorithms: [ab]}\n";
    std::ofstream(peers_file) << peers;
    const std::string out = (folder_ / "out").string();
    const std::vector<const char*> arguments{"kinetree",  "sweep",   file.c_str(),      "--out",
                                             out.c_str(), "--peers", peers_file.c_str()};
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_command(static_cast<int>(arguments.size()), arguments.data());
    std::fflush(stdout);
    testing::internal::GetCapturedStdout();
    error_ = testing::internal::GetCapturedStderr();
    return status;
  }

  std::string written(const char* name) const {
    std::ifstream stream(folder_ / "out" / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_ = fs::temp_directory_path() / ("kinetree_peers_test_" + std::to_string(::getpid()));
  std::string error_;
};

TEST_F(PeersInTheSweep, ResultsAndReportCarryThem) {
  ASSERT_EQ(sweep(good().dump()), 0) << error_;
  EXPECT_EQ(Json::parse(written("results.json"))["peers"], good());
  const std::string page = written("report.html");
  EXPECT_NE(page.find("\"program\":\"kinetree_peers\""), std::string::npos);
  EXPECT_EQ(page.find("some </script>"), std::string::npos) << "the text of a file must not end the page's script";
}

TEST_F(PeersInTheSweep, AWrongFileIsRefusedBeforeAnythingRuns) {
  Json json = good();
  json["cases"][0]["results"][1]["ratios"]["Bullet"]["low"] = "fast";
  EXPECT_EQ(sweep(json.dump()), 1);
  EXPECT_NE(error_.find("peers.json: error: cases[0].results[1].ratios.Bullet.low: is \"fast\" where a number above 0"),
            std::string::npos)
      << error_;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(PeersInTheSweep, ASweepsOwnResultsAreNoPeers) {
  ASSERT_EQ(sweep(good().dump()), 0) << error_;
  EXPECT_EQ(sweep(written("results.json")), 1);
  EXPECT_NE(error_.find("not a sweep's results"), std::string::npos) << error_;
}

TEST(PeersTurns, EverybodyHasEveryTurnAndEveryNeighbourEquallyOften) {
  for (std::size_t count = 2; count <= 11; ++count) {
    std::map<std::pair<std::size_t, std::size_t>, int> turn, neighbour;
    for (std::size_t round = 0; round < 2 * count; ++round) {
      const std::vector<std::size_t> order = peers::order_of_round(count, round);
      ASSERT_EQ(order.size(), count);
      for (std::size_t k = 0; k < count; ++k) {
        ++turn[{k, order[k]}];
        if (k > 0) ++neighbour[{order[k - 1], order[k]}];
      }
    }
    EXPECT_EQ(turn.size(), count * count);
    for (const auto& [who, times] : turn) EXPECT_EQ(times, 2) << count;
    EXPECT_EQ(neighbour.size(), count * (count - 1));
    for (const auto& [who, times] : neighbour) EXPECT_EQ(times, 2) << count;
  }
  EXPECT_EQ(peers::order_of_round(1, 5), std::vector<std::size_t>{0});
  EXPECT_TRUE(peers::order_of_round(0, 5).empty());
}

}  // namespace
}  // namespace kinetree::bench
