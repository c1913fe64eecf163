#pragma once
// Isoefficiency (Grama, Gupta & Kumar 1993): how many bodies a family must have for so many threads to reach an
// efficiency, over the fastest algorithm on one thread. Predicted by the machine model, and seen in the timings.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// The efficiencies that are asked for. Algorithms that do twice the work for their depth never have half on many
/// threads, whatever the size.
inline constexpr double asked_efficiencies[] = {0.5, 0.25};

/// What is known of one number of threads, in bodies.
struct BodiesNeeded {
  int threads = 2;
  int tried = 0;                    ///< the largest size that was predicted; 0: none was
  std::optional<double> predicted;  ///< nothing: none of the sizes that were tried
  std::optional<int> not_at;        ///< the largest size measured whose efficiency is less, by its interval
  std::optional<int> from;          ///< the least larger one that has it, by its interval
};

struct Isoefficiency {
  double efficiency = asked_efficiencies[0];
  std::string family;  ///< "chain:N"
  std::vector<BodiesNeeded> needed;
};

/// Efficiencies at these sizes, in ascending order: the least size from which on they are at least `efficiency`;
/// nothing where the last is less. Between two sizes the overhead over the work, 1 / efficiency - 1, is taken to be a
/// power of the size.
std::optional<double> size_for(double efficiency, const std::vector<std::pair<double, double>>& efficiencies);

/// Whether a case is of a kind that varies bodies or the threads for them: size, strong, weak-bodies.
bool tells_isoefficiency(const Case& c);

/// Of every family of such cases, for each efficiency. Nothing is predicted where the results have no calibration.
/// Timings whose fastest serial timing does not hold are left out; those that don't hold themselves show no size to be
/// large enough.
std::vector<Isoefficiency> isoefficiencies(const SweepResults& results);

/// In words: "For half efficiency chain:N needs 400 bodies on 2 threads and 9,000 on 16 (predicted for team)."
std::string sentence(const Isoefficiency& family);

/// One entry for each family, with its sentence.
nlohmann::ordered_json isoefficiency_json(const std::vector<Isoefficiency>& families);

}  // namespace kinetree::bench
