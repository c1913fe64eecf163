#include "bench/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

#include "bench/sweep/machine.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The mean of the logarithms of a side's medians, and how far it can be trusted.
struct Side {
  double mean = 0, variance_of_mean = 0;
  int freedom = 0;
};

Side side_of(const std::vector<const Json*>& runs) {
  Side side;
  const auto n = static_cast<double>(runs.size());
  for (const Json* c : runs) side.mean += std::log(c->at("median_ns").get<double>()) / n;
  if (runs.size() == 1) {  // a normal distribution's 95 % are 1.96 deviations to both sides
    const double low = runs[0]->at("low_ns"), high = runs[0]->at("high_ns");
    const double deviation = std::log(high / low) / (2 * 1.96);
    side.variance_of_mean = deviation * deviation;
    side.freedom = static_cast<int>(runs[0]->at("repetitions_ns").size()) - 1;
    return side;
  }
  for (const Json* c : runs) {
    const double off = std::log(c->at("median_ns").get<double>()) - side.mean;
    side.variance_of_mean += off * off / ((n - 1) * n);
  }
  side.freedom = static_cast<int>(runs.size()) - 1;
  return side;
}

/// Welch 1947, with the degrees of freedom of Satterthwaite 1946.
ComparedCase compared(const CaseKey& key, const Side& before, const Side& after, bool single) {
  const double difference = after.mean - before.mean, a = before.variance_of_mean, b = after.variance_of_mean;
  double width = 0;
  if (a + b > 0) {
    const double freedom = (a + b) * (a + b) / (a * a / before.freedom + b * b / after.freedom);
    width = boost::math::quantile(boost::math::students_t(std::max(1.0, freedom)), 0.975) * std::sqrt(a + b);
  }
  ComparedCase c{.key = key,
                 .before_ns = std::exp(before.mean),
                 .after_ns = std::exp(after.mean),
                 .ratio = std::exp(difference),
                 .low = std::exp(difference - width),
                 .high = std::exp(difference + width)};
  c.differs = std::abs(difference) > width && (!single || std::abs(difference) > std::log(least_ratio_of_single_runs));
  return c;
}

/// A case in the runs of both sides that timed it.
struct Cell {
  std::vector<const Json*> before, after;
  std::string failure;  ///< the first that a run tells
};
using Cells = std::map<CaseKey, Cell>;

void collect(const std::vector<Json>& runs, std::vector<const Json*> Cell::*side, Cells& cells) {
  for (const Json& run : runs)
    for (const Json& c : run.at("cases")) {
      Cell& cell = cells[key_of(c)];
      if (c.contains("median_ns"))
        (cell.*side).push_back(&c);
      else if (cell.failure.empty())
        cell.failure = c.value("failure", "");
    }
}

bool all_hold(const std::vector<const Json*>& runs) {
  return std::all_of(runs.begin(), runs.end(), [](const Json* c) { return c->value("holds", true); });
}

/// What times depend on beside the source that was built.
std::vector<Conflict> conflicts_of(const std::vector<Json>& before, const std::vector<Json>& after) {
  std::vector<Conflict> found;
  const Json& first = before.front();
  constexpr auto missing = "missing";
  const auto text = [](const Json& json, const char* part, const char* key) {
    return json.at(part).contains(key) ? json[part][key].dump() : std::string(missing);
  };
  struct Key {
    const char *part, *key;
    bool always = true;  ///< false: earlier versions did not write it
  };
  const Key keys[]{{"context", "processor"},
                   {"context", "logical processors"},
                   {"context", "affinity"},
                   {"context", "compiler"},
                   {"context", "flags"},
                   {"context", "build type"},
                   {"context", "instruction set"},
                   {"settings", "seed"},
                   {"settings", "states"},
                   {"context", "caches", false},
                   {"context", "SMT", false},
                   {"context", "frequency limits", false},
                   {"context", "frequency governor", false},
                   {"context", "hypervisor", false}};
  for (const std::vector<Json>* side : {&before, &after})
    for (const Json& run : *side)
      for (const auto& [part, key, always] : keys)
        if (const std::string was = text(first, part, key), is = text(run, part, key);
            was != is && (always || (was != missing && is != missing)))
          if (const std::string words = fmt::format("{} is {} and {}", key, was, is);
              std::none_of(found.begin(), found.end(), [&](const Conflict& one) { return one.words == words; }))
            found.push_back({key, words});
  std::vector<double> transfers;  // between cores, which a virtual machine has near or far
  for (const std::vector<Json>* side : {&before, &after})
    for (const Json& run : *side)
      if (run.contains("fitness") && run["fitness"].contains("line_transfer_ns"))
        transfers.push_back(run["fitness"]["line_transfer_ns"]);
  if (transfers.empty()) return found;
  const auto [near, far] = std::minmax_element(transfers.begin(), transfers.end());
  if (were_moved(*near, *far)) found.push_back({"cores", line_in_words(*near, *far)});
  return found;
}

}  // namespace

Comparison compare(const std::vector<Json>& before, const std::vector<Json>& after) {
  Comparison result;
  result.before = before.size(), result.after = after.size();
  result.conflicts = conflicts_of(before, after);
  for (const auto& [side, word] : {std::pair(&before, "before"), std::pair(&after, "after")})
    for (std::size_t k = 0; k < side->size(); ++k) {
      const Json& run = (*side)[k];
      if (!run.contains("fitness"))
        ++result.silent;
      else if (!run["fitness"].at("fit").get<bool>())
        result.unfit.push_back(
            fmt::format("run {} {}: {}", k + 1, word, run["fitness"].at("sentence").get<std::string>()));
    }
  Cells cells;
  collect(before, &Cell::before, cells), collect(after, &Cell::after, cells);
  for (const auto& [key, cell] : cells) {
    if (cell.before.size() == before.size() && cell.after.size() == after.size()) {
      result.cases.push_back(compared(key, side_of(cell.before), side_of(cell.after), result.single()));
      result.cases.back().holds = all_hold(cell.before) && all_hold(cell.after);
    } else if (!cell.before.empty() || !cell.after.empty() || !cell.failure.empty()) {
      result.left_out.push_back(
          {key, fmt::format("timed in {} of {} before, in {} of {} after{}", cell.before.size(), before.size(),
                            cell.after.size(), after.size(), cell.failure.empty() ? "" : ": " + cell.failure)});
    }
  }
  return result;
}

}  // namespace kinetree::bench
