#pragma once
// Isoefficiency (Grama, Gupta & Kumar 1993): how many bodies a family must have for so many threads to reach an
// efficiency, over the fastest algorithm on one thread. Predicted by the machine model, and seen in the timings.

#include <string>
#include <utility>
#include <vector>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// What is known of a family, in words: "For half efficiency chain:N needs 400 bodies on 2 threads and 9,000 on 16
/// (predicted for team)."
struct Isoefficiency {
  double efficiency;
  std::string family;  ///< "chain:N"
  std::string sentence;
};

/// Efficiencies at these sizes, in ascending order: the least size from which on they are at least `efficiency`;
/// nothing where the last is less. Between two sizes the overhead over the work, 1 / efficiency - 1, is taken to be a
/// power of the size.
std::optional<double> size_for(double efficiency, const std::vector<std::pair<double, double>>& efficiencies);

/// Whether a case is of a kind that varies bodies or the threads for them: size, strong, weak-bodies.
bool tells_isoefficiency(const Case& c);

/// One for every family of such cases and each of two efficiencies: a half, and a quarter, since algorithms that do
/// twice the work for their depth never have half on many threads, whatever the size. Nothing is predicted where the
/// results have no calibration. A timing is left out where the fastest serial timing of its model does not hold; one
/// that does not hold itself shows no size to be large enough.
std::vector<Isoefficiency> isoefficiencies(const SweepResults& results);

}  // namespace kinetree::bench
