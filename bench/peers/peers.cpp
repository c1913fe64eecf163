// kinetree_peers: functions of other people's libraries beside kinetree's, each at its best setting.
//
// Every peer gets the same mechanism and the same states, and is timed only where its results agree.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/output.hpp"
#include "bench/peers/contenders.hpp"
#include "bench/peers/outcome.hpp"
#include "bench/peers/peer.hpp"
#include "bench/peers/rounds.hpp"
#include "bench/report/peers_file.hpp"
#include "bench/sweep/context.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"
#include "missing_peers.hpp"

namespace kinetree::peers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t seed = 1;

struct Arguments {
  std::vector<std::string> models, floating;  ///< as they are, and with the root link freed
  std::vector<std::string> libraries;         ///< none: all
  std::vector<std::string> functions;         ///< names; none: all
  std::string json;
  int states = 64;
  int batch = 1024;
  int rounds = 101;
};

/// A file of configs/models, or a family of its kind where the file is not there.
std::string file_or(const char* file, const char* family) {
  const auto path = std::filesystem::path(KINETREE_MODEL_FOLDER) / file;
  return std::filesystem::exists(path) ? path.string() : family;
}

Json run_case(Function function, const std::string& text, bool floating, const Arguments& arguments) {
  const Case test = read_case(text, floating);
  const bench::StateSet states = bench::random_states(test.model, std::max(arguments.states, arguments.batch), seed);
  std::vector<Contender> all =
      contenders(test, states, function, {arguments.states, arguments.batch}, arguments.libraries);
  time_rounds(all, arguments.rounds);
  return case_json(test, function, all);
}

Json missing_json() {
  Json missing = Json::array();
  for (const auto& [name, package] : missing_peers) missing.push_back({{"name", name}, {"package", package}});
  return missing;
}

int run(const Arguments& arguments) {
  const std::string load = bench::load_average();
  Json cases = Json::array();
  fmt::print(
      "{} states cycled, one at a time on one thread unless a row says otherwise; batch: per state of {} in a call,\n"
      "fewer where results are large. {} interleaved rounds. ratio: to the first row in the same round, above 1 is\n"
      "slower; x Bullet: times as fast as Bullet; differs: results from the first row's, relative.\n\n",
      arguments.states, arguments.batch, arguments.rounds);
  int failures = 0;
  const auto add = [&](Function function, const std::string& model, bool floating) {
    try {
      cases.push_back(run_case(function, model, floating, arguments));
      print_case(cases.back());
    } catch (const std::exception& error) {  // the other models still count
      fmt::print(stderr, "kinetree_peers: {}, {}: {}\n", words_of(function).name, model, error.what());
      ++failures;
    }
  };
  const std::vector<std::string>& asked = arguments.functions;
  for (const FunctionWords& words : function_words) {
    if (!asked.empty() && std::find(asked.begin(), asked.end(), words.name) == asked.end()) continue;
    for (const std::string& model : arguments.models) add(words.function, model, false);
    for (const std::string& model : arguments.floating) add(words.function, model, true);
  }
  for (const auto& [name, package] : missing_peers) fmt::print("built without {}: install {}\n", name, package);
  if (arguments.json.empty()) return failures > 0;
  const Json report{
      {"program", "kinetree_peers"},
      {"format", 2},
      {"context", bench::measurement_context(load)},
      {"states", arguments.states},
      {"batch", arguments.batch},
      {"rounds", arguments.rounds},
      {"state_distribution", bench::state_distribution},
      {"interval",
       "median over rounds; symmetric order-statistic interval with at least 95 % coverage (the extremes where there "
       "are fewer than 6 rounds); a ratio is taken within each round"},
      {"missing", missing_json()},
      {"cases", cases}};
  const std::string text = bench::json_text(report, 1) + "\n";
  bench::read_peers_text(text, arguments.json);  // what the report could not read is not written
  bench::write_file(arguments.json, text);
  return failures > 0;
}

int run_command(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Functions of other libraries beside kinetree's.", "kinetree_peers");
  app.add_option("models", arguments.models,
                 "files or families; none: a 7-axis arm, chain:100, a floating quadruped and humanoid");
  app.add_option("--floating", arguments.floating, "a model whose root link is freed; may be repeated")
      ->allow_extra_args(false);
  std::vector<std::string> known;
  for (const auto& kind : peer_kinds()) known.push_back(kind.name);
  bench::takes_one_of(
      app.add_option("--library", arguments.libraries, "one of the libraries to time; may be repeated; none: all"),
      known)
      ->allow_extra_args(false);
  std::vector<std::string> functions;
  for (const FunctionWords& words : function_words) functions.push_back(words.name);
  bench::takes_one_of(
      app.add_option("--function", arguments.functions, "one of the functions to time; may be repeated; none: all"),
      functions)
      ->allow_extra_args(false);
  const auto whole = [&app](const char* name, int& value, int least, int most, const char* help) {
    bench::add_whole(app, name, value, least, most, help);
  };
  whole("--states", arguments.states, 1, 100000, "random states, cycled one at a time");
  whole("--batch", arguments.batch, 2, 100000, "random states in a call that takes many");
  whole("--rounds", arguments.rounds, 1, 1000000, "rounds");
  app.add_option("--json", arguments.json, "write the results here too, for kinetree sweep --peers");
  CLI11_PARSE(app, argc, argv);
  if (arguments.models.empty() && arguments.floating.empty()) {
    arguments.models = {file_or("arm7.yaml", "chain:7"), "chain:100"};
    arguments.floating = {file_or("quadruped.yaml", "random:13:seed=7:joints=revolute"),
                          file_or("humanoid.yaml", "random:31:seed=7:joints=revolute")};
  }
  return run(arguments);
}

}  // namespace
}  // namespace kinetree::peers

int main(int argc, char** argv) {
  try {
    const int status = kinetree::peers::run_command(argc, argv);
    return kinetree::bench::stdout_is_whole() ? status : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kinetree_peers: %s\n", error.what());
    return 1;
  }
}
