#pragma once
// Everybody who is timed on a mechanism: kinetree at each of its settings, then every peer of this build.

#include <memory>
#include <string>
#include <vector>

#include "bench/peers/case.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::peers {

/// Answers some of the states that it was made with.
class Solver {
 public:
  virtual ~Solver() = default;
  /// Solves the states from `first` on, as many as a call takes. Throws std::runtime_error where one fails.
  virtual void solve(Eigen::Index first) = 0;
  /// Accelerations of the states solved so far, one per column.
  virtual Eigen::MatrixXd accelerations() const = 0;
};

struct Contender {
  std::string name, version;
  std::string package;              ///< Debian's; empty for kinetree
  std::string path;                 ///< what is called
  std::string scalar = "double";    ///< or "float"
  std::string refusal;              ///< why it is not timed; empty where it is
  int threads = 1;                  ///< that may work on a call
  Eigen::Index states = 0;          ///< cycled through
  Eigen::Index per_call = 1;        ///< states that a call takes
  double tolerance = 0;             ///< most relative difference of accelerations; 0: what the others are compared with
  double difference = 0;            ///< found; NaN where there is a NaN
  std::unique_ptr<Solver> solver;   ///< null where the mechanism was refused
  std::vector<double> nanoseconds;  ///< per forward dynamics, one entry per round

  /// Solves all its states once, from the first on.
  void solve_all();
};

/// What everybody is compared with: serial articulated bodies in double, one state at a time.
inline constexpr const char* own_name = "kinetree ab";

/// How many of the states there are for those who take one at a time, and how many a call with many takes.
struct Counts {
  Eigen::Index cycled, per_call;
};

/// kinetree's first of all, then the libraries of these names; none named: all of this build. Both counts are of the
/// first states, at most all. Whoever can't hold the mechanism or disagrees with kinetree says so in `refusal`. The
/// case and the states must outlive the result.
std::vector<Contender> contenders(const Case& test, const bench::StateSet& states, Counts counts,
                                  const std::vector<std::string>& libraries);

}  // namespace kinetree::peers
