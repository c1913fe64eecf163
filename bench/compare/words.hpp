#pragma once
// A comparison in sentences and as JSON, for the terminal and for the page.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/compare/comparison.hpp"

namespace kinetree::bench {

/// How many cases differ, and by how much all of them do on average.
struct Tally {
  std::size_t slower = 0, faster = 0, same = 0;
  double geometric_mean = 1;  ///< of all ratios
};
Tally tally(const Comparison& c);

/// How it came out, the first sentence on its own: "400 cases, 3 runs a side: 12 slower, ...", then the worst and the
/// best case that differ, and how many cases of equal programs would.
std::vector<std::string> outcome(const Comparison& c);

/// "All 6 runs are fit to be read.", or how many are not or do not say.
std::string fitness_words(const Comparison& c);

/// What a reader must know before: what was forced, why runs are not fit, what was left out, too few runs. Empty where
/// there is nothing to say.
std::vector<std::string> cautions(const Comparison& c);

/// All of it, with every case. `before`, `after`: the results of the sides; `files`: where they came from, those of
/// before first. docs/using.md describes the keys.
nlohmann::ordered_json comparison_json(const Comparison& c, const std::vector<nlohmann::ordered_json>& before,
                                       const std::vector<nlohmann::ordered_json>& after,
                                       const std::vector<std::string>& files);

}  // namespace kinetree::bench
