// `kinetree compare`: two sides of results of one sweep.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/finding.hpp>
#include <memory>

#include "bench/arguments.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/compare/results_file.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  std::vector<std::string> sides, before, after;
  bool force = false, json = false;
};

Json json_of(const Comparison& c) {
  Json cases = Json::array();
  for (const ComparedCase& one : c.cases)
    cases.push_back(
        {{"case", one.name}, {"ratio", one.ratio}, {"low", one.low}, {"high", one.high}, {"differs", one.differs}});
  return {{"cases", cases}, {"left_out", c.left_out}, {"conflicts", c.conflicts}, {"unfit", c.unfit}};
}

void print(Comparison& c, std::size_t runs) {
  std::sort(c.cases.begin(), c.cases.end(),
            [](const ComparedCase& a, const ComparedCase& b) { return a.ratio > b.ratio; });
  double sum = 0;
  std::size_t slower = 0, faster = 0;
  for (const ComparedCase& one : c.cases) sum += std::log(one.ratio), (one.ratio > 1 ? slower : faster) += one.differs;
  fmt::print("{} cases, {} a side: {} slower, {} faster, {} no different; geometric mean of after over before {:.3f}\n",
             c.cases.size(), runs == 1 ? "one run" : fmt::format("{} runs", runs), slower, faster,
             c.cases.size() - slower - faster,
             std::exp(sum / static_cast<double>(std::max<std::size_t>(1, c.cases.size()))));
  if (slower + faster > 0) fmt::print("\n{:<64} {:>18} {:>18}\n", "case", "after / before", "interval of 95 %");
  for (const ComparedCase& one : c.cases)
    if (one.differs)
      fmt::print("{:<64} {:>18.3f} {:>18}\n", one.name, one.ratio, fmt::format("[{:.3f}, {:.3f}]", one.low, one.high));
}

int tell_comparison(const CompareArguments& a) {
  std::vector<std::string> before = a.before, after = a.after;
  if (!a.sides.empty()) {
    if (a.sides.size() != 2 || !before.empty() || !after.empty())
      throw UsageError("compare takes two results, or --before and --after with one or more each");
    before = {a.sides[0]}, after = {a.sides[1]};
  }
  if (before.empty() || after.empty()) throw UsageError("compare needs results before and after");
  std::vector<Json> from, to;
  for (const std::string& path : before) from.push_back(read_results(path));
  for (const std::string& path : after) to.push_back(read_results(path));
  Comparison c = compare(from, to);
  if (!c.conflicts.empty() && !a.force) {
    std::vector<Finding> findings;
    for (const std::string& conflict : c.conflicts)
      findings.push_back({Severity::error, before.front(), 0, "context",
                          conflict + ": times of different machines, builds or settings tell nothing of the program; "
                                     "--force compares them all the same"});
    throw InputError(std::move(findings));
  }
  for (const std::string& conflict : c.conflicts) fmt::print(stderr, "forced, though {}\n", conflict);
  for (const std::string& unfit : c.unfit) fmt::print(stderr, "{}\n", unfit);
  if (!c.left_out.empty())
    fmt::print(stderr, "{} cases are left out, which not every run timed: {}{}\n", c.left_out.size(),
               c.left_out.front(), c.left_out.size() > 1 ? ", ..." : "");
  if (std::min(from.size(), to.size()) == 1)
    fmt::print(
        stderr,
        "one run a side: the spread between runs is not in the intervals, and differences count from {:.0f} % on; "
        "three a side in turns (--before, --after) tell more\n",
        100 * (least_ratio_of_single_runs - 1));
  if (a.json)
    fmt::print("{}\n", json_text(json_of(c), 1));
  else
    print(c, std::min(from.size(), to.size()));
  return done;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("compare", "Which timings of a sweep became slower or faster for certain");
  const auto a = std::make_shared<CompareArguments>();
  sub->add_option("RESULTS", a->sides, "Two results.json, or their folders: before and after");
  sub->add_option("--before", a->before, "One or more results of before");
  sub->add_option("--after", a->after, "One or more results of after");
  sub->add_flag("--force", a->force, "Compare results of different machines, builds or settings");
  sub->add_flag("--json", a->json, "Print JSON, every case in it");
  sub->callback([a, &action] { action = [a] { return tell_comparison(*a); }; });
}

}  // namespace kinetree::bench
