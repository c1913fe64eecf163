// `kinetree compare`: two sides of results of one sweep.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <kinetree/finding.hpp>
#include <memory>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/compare/results_file.hpp"
#include "bench/compare/words.hpp"
#include "bench/output.hpp"
#include "bench/report/report.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  std::vector<std::string> sides, before, after;
  std::string page;
  bool force = false, json = false;
};

/// The cases that differ, the worst first.
void print_table(const Comparison& c) {
  std::vector<const ComparedCase*> differ;
  for (const ComparedCase& one : c.cases)
    if (one.differs) differ.push_back(&one);
  std::sort(differ.begin(), differ.end(), [](const auto* a, const auto* b) { return a->ratio > b->ratio; });
  if (!differ.empty()) fmt::print("\n{:<64} {:>18} {:>18}\n", "case", "after / before", "interval of 95 %");
  for (const ComparedCase* one : differ)
    fmt::print("{:<64} {:>18.3f} {:>18}\n", name_of(one->key), one->ratio,
               fmt::format("[{:.3f}, {:.3f}]", one->low, one->high));
}

/// The results that were given: those of before, then those of after, and how many are before.
std::pair<std::vector<std::string>, std::size_t> files_of(const CompareArguments& a) {
  std::vector<std::string> before = a.before, after = a.after;
  if (!a.sides.empty()) {
    if (a.sides.size() != 2 || !before.empty() || !after.empty())
      throw UsageError("compare takes two results, or --before and --after with one or more each");
    before = {a.sides[0]}, after = {a.sides[1]};
  }
  if (before.empty() || after.empty()) throw UsageError("compare needs results before and after");
  const std::size_t count = before.size();
  before.insert(before.end(), after.begin(), after.end());
  for (const std::string& file : before)
    if (std::error_code none; !a.page.empty() && std::filesystem::equivalent(results_path(file), a.page, none))
      throw UsageError(fmt::format("--html is {}, which is to be compared; give another name", a.page));
  return {before, count};
}

int tell_comparison(const CompareArguments& a) {
  const auto [files, count] = files_of(a);
  std::vector<Json> from, to;
  for (std::size_t k = 0; k < files.size(); ++k) (k < count ? from : to).push_back(read_results(files[k]));
  const Comparison c = compare(from, to);
  if (!c.conflicts.empty() && !a.force) {
    std::vector<Finding> findings;
    for (const Conflict& conflict : c.conflicts)
      findings.push_back({Severity::error, files.front(), 0, "context",
                          conflict.words +
                              ": times of different machines, builds or settings tell nothing of the program; "
                              "--force compares them all the same"});
    throw InputError(std::move(findings));
  }
  for (const std::string& caution : cautions(c)) fmt::print(stderr, "{}\n", caution);
  const Json json = comparison_json(c, from, to, files);
  if (a.json) {
    fmt::print("{}\n", json_text(json, 1));
  } else {
    for (const std::string& sentence : outcome(c)) fmt::print("{}\n", sentence);
    print_table(c);
  }
  if (!a.page.empty()) {
    write_file(a.page, comparison_page(json));
    if (!a.json) tell(a.page);
  }
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
  sub->add_option("--html", a->page, "A page to write, with bars and tables; it opens from disk");
  sub->add_flag("--json", a->json, "Print JSON, every case in it");
  sub->callback([a, &action] { action = [a] { return tell_comparison(*a); }; });
}

}  // namespace kinetree::bench
