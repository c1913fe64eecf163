#pragma once
// Two sides of a comparison, each of one or more runs of a sweep: which cases became faster or slower for certain.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// A case that both sides have, after over before.
struct ComparedCase {
  std::string name;          ///< mechanism, algorithm, executor, threads, states per call, lanes
  double ratio = 1;          ///< of the geometric means of the runs' medians; above 1: slower
  double low = 0, high = 0;  ///< interval of 95 % of the ratio
  bool differs = false;      ///< 1 is outside of it
};

struct Comparison {
  std::vector<ComparedCase> cases;     ///< that every run of both sides timed
  std::vector<std::string> left_out;   ///< names of those that not every run timed
  std::vector<std::string> conflicts;  ///< what machines, builds or settings differ in: nothing is compared by right
  std::vector<std::string> unfit;      ///< runs that say that they are not fit to be read, and why
};

/// The sides are results as in results.json. With two or more runs a side the interval is Welch's (1947), of the
/// logarithms of the runs' medians: the spread between runs is in it. With one it is of the repetitions, and a
/// difference counts from 5 % on, since runs of equal programs differ by more than their repetitions do.
Comparison compare(const std::vector<nlohmann::ordered_json>& before, const std::vector<nlohmann::ordered_json>& after);

/// The least ratio, or its inverse, that counts with one run a side.
inline constexpr double least_ratio_of_single_runs = 1.05;

}  // namespace kinetree::bench
