#include "bench/compare/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string runs_of(std::size_t count) { return count == 1 ? "one run" : fmt::format("{} runs", count); }

std::string runs_words(const Comparison& c) {
  return c.before == c.after ? runs_of(c.before) + " a side"
                             : fmt::format("{} before and {} after", runs_of(c.before), runs_of(c.after));
}

/// "The worst: chain:64 ab, ... takes 1.310 [1.250, 1.370] times as long.": of the case farthest from 1 on one side.
std::string extreme(const Comparison& c, bool slower) {
  const ComparedCase* found = nullptr;
  for (const ComparedCase& one : c.cases)
    if (const bool is = one.ratio > 1; one.differs && is == slower && (!found || (one.ratio > found->ratio) == slower))
      found = &one;
  if (!found) return fmt::format("None is {} for certain.", slower ? "slower" : "faster");
  return fmt::format("The {}: {} takes {:.3f} [{:.3f}, {:.3f}] times as long.", slower ? "worst" : "best",
                     name_of(found->key), found->ratio, found->low, found->high);
}

/// A run of one side: its file, its verdict, and what it was measured on and with.
Json run_json(const char* side, const std::string& file, const Json& results) {
  Json run{{"side", side}, {"file", file}, {"sweep", results.value("sweep", "")}};
  if (results.contains("fitness")) run["fitness"] = results["fitness"];
  run["cases"] = results["cases"].size();
  run["context"] = results["context"], run["settings"] = results["settings"];
  return run;
}

}  // namespace

Tally tally(const Comparison& c) {
  Tally all;
  double sum = 0;
  for (const ComparedCase& one : c.cases)
    sum += std::log(one.ratio), ++(!one.differs ? all.same : one.ratio > 1 ? all.slower : all.faster);
  all.geometric_mean = std::exp(sum / static_cast<double>(std::max<std::size_t>(1, c.cases.size())));
  return all;
}

std::vector<std::string> outcome(const Comparison& c) {
  if (c.cases.empty()) return {"No case was timed in every run: nothing is compared."};
  const Tally all = tally(c);
  std::vector<std::string> said{
      fmt::format("{} cases, {}: {} slower, {} faster, {} no different; geometric mean of after over before {:.3f}",
                  c.cases.size(), runs_words(c), all.slower, all.faster, all.same, all.geometric_mean)};
  if (all.slower + all.faster > 0) {
    said.push_back(extreme(c, true));
    said.push_back(extreme(c, false));
  }
  if (!c.single())
    said.push_back(fmt::format("Of programs that are equal one case in twenty differs by chance: {:.0f} of {}.",
                               0.05 * static_cast<double>(c.cases.size()), c.cases.size()));
  return said;
}

std::string fitness_words(const Comparison& c) {
  const std::size_t all = c.before + c.after;
  if (c.unfit.empty() && c.silent == 0) return fmt::format("All {} runs are fit to be read.", all);
  std::string words;
  if (!c.unfit.empty())
    words = fmt::format("{} of {} runs {} not fit to be read: a difference may be the machine's.", c.unfit.size(), all,
                        c.unfit.size() == 1 ? "is" : "are");
  if (c.silent > 0)
    words += fmt::format("{}{} of {} runs {} not say whether {} fit to be read.", words.empty() ? "" : " ", c.silent,
                         all, c.silent == 1 ? "does" : "do", c.silent == 1 ? "it is" : "they are");
  return words;
}

std::vector<std::string> cautions(const Comparison& c) {
  std::vector<std::string> said;
  for (const Conflict& conflict : c.conflicts) said.push_back("forced, though " + conflict.words);
  said.insert(said.end(), c.unfit.begin(), c.unfit.end());
  if (const std::size_t n = c.left_out.size(); n > 0)
    said.push_back(fmt::format("{} left out, which not every run timed: {} ({}){}",
                               n == 1 ? "one case is" : fmt::format("{} cases are", n), name_of(c.left_out.front().key),
                               c.left_out.front().why, n > 1 ? ", ..." : ""));
  if (c.single())
    said.push_back(fmt::format(
        "one run {}: the spread between runs is not in the intervals, and differences count from {:.0f} % on; "
        "three a side in turns (--before, --after) tell more",
        c.before == c.after ? "a side" : "on a side", 100 * (least_ratio_of_single_runs - 1)));
  return said;
}

Json comparison_json(const Comparison& c, const std::vector<Json>& before, const std::vector<Json>& after,
                     const std::vector<std::string>& files) {
  const Tally all = tally(c);
  Json json{{"outcome", outcome(c)},       {"fit", c.unfit.empty() && c.silent == 0},
            {"fitness", fitness_words(c)}, {"cautions", cautions(c)},
            {"slower", all.slower},        {"faster", all.faster},
            {"no_different", all.same},    {"geometric_mean", all.geometric_mean},
            {"cases", Json::array()},      {"left_out", Json::array()},
            {"conflicts", Json::array()},  {"unfit", c.unfit},
            {"runs", Json::array()}};
  for (const Conflict& one : c.conflicts) json["conflicts"].push_back({{"key", one.key}, {"words", one.words}});
  const auto keyed = [](const CaseKey& key) {
    return Json{{"case", name_of(key)}, {"model", key.model},     {"label", key.label}, {"executor", key.executor},
                {"ranks", key.ranks},   {"threads", key.threads}, {"batch", key.batch}, {"lanes", key.lanes}};
  };
  for (const ComparedCase& one : c.cases) {
    Json& entry = json["cases"].emplace_back(keyed(one.key));
    entry["before_ns"] = one.before_ns, entry["after_ns"] = one.after_ns, entry["ratio"] = one.ratio;
    entry["low"] = one.low, entry["high"] = one.high, entry["differs"] = one.differs, entry["holds"] = one.holds;
  }
  for (const LeftOut& one : c.left_out) json["left_out"].emplace_back(keyed(one.key))["why"] = one.why;
  for (std::size_t k = 0; k < before.size(); ++k) json["runs"].push_back(run_json("before", files.at(k), before[k]));
  for (std::size_t k = 0; k < after.size(); ++k)
    json["runs"].push_back(run_json("after", files.at(before.size() + k), after[k]));
  return json;
}

}  // namespace kinetree::bench
