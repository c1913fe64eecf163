#pragma once
// Two sides of a comparison, each of one or more runs of a sweep: which cases became faster or slower for certain.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/compare/results_file.hpp"

namespace kinetree::bench {

/// A case that both sides have, after over before.
struct ComparedCase {
  CaseKey key;
  double before_ns = 0, after_ns = 0;  ///< of a state: geometric means of the runs' medians
  double ratio = 1;                    ///< after over before; above 1: slower
  double low = 0, high = 0;            ///< interval of 95 % of the ratio
  bool differs = false;                ///< 1 is outside of it
  bool holds = true;                   ///< the timing holds in every run that says so
};

/// A case that not every run timed.
struct LeftOut {
  CaseKey key;
  std::string why;
};

/// What machines, builds or settings of the runs differ in.
struct Conflict {
  std::string key;    ///< of the context or the settings
  std::string words;  ///< "processor is A and B"
};

struct Comparison {
  std::size_t before = 0, after = 0;  ///< runs of each side
  std::vector<ComparedCase> cases;    ///< that every run of both sides timed, in the order of their keys
  std::vector<LeftOut> left_out;      ///< in the order of their keys
  std::vector<Conflict> conflicts;    ///< where there are some, nothing is compared by right
  std::vector<std::string> unfit;     ///< runs that say that they are not fit to be read, and why
  std::size_t silent = 0;             ///< runs that do not say whether they are fit

  /// The spread between runs is in no interval.
  bool single() const { return before == 1 || after == 1; }
};

/// The sides are results as in results.json. With two or more runs a side the interval is Welch's (1947), of the
/// logarithms of the runs' medians: the spread between runs is in it. With one it is of the repetitions, and a
/// difference counts from 5 % on, since runs of equal programs differ by more than their repetitions do.
Comparison compare(const std::vector<nlohmann::ordered_json>& before, const std::vector<nlohmann::ordered_json>& after);

/// The least ratio, or its inverse, that counts with one run a side.
inline constexpr double least_ratio_of_single_runs = 1.05;

}  // namespace kinetree::bench
