#pragma once
// Everybody who is timed on a mechanism: kinetree at each of its settings, then every peer of this build.

#include <memory>
#include <string>
#include <vector>

#include "bench/peers/case.hpp"
#include "bench/peers/function.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::peers {

/// Answers some of the states that it was made with.
class Solver {
 public:
  virtual ~Solver() = default;
  /// What is timed: the states from `first` on, as many as a call takes. Throws std::runtime_error where one fails.
  virtual void solve(Eigen::Index first) = 0;
  /// What is not: results of the last call, a column a state, as Function has them.
  virtual Eigen::MatrixXd results() = 0;
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
  double tolerance = 0;             ///< most relative difference of a result; 0: what the others are compared with
  double difference = 0;            ///< found; NaN where there is a NaN
  std::unique_ptr<Solver> solver;   ///< null where the mechanism was refused
  std::vector<double> nanoseconds;  ///< per state, one entry per round
};

/// How many of the states there are for those who take one at a time, and how many a call with many takes, at most:
/// their results fit in 64 MB.
struct Counts {
  Eigen::Index cycled, per_call;
};

/// kinetree's first of all, then the libraries of these names; none named: all of this build. Both counts are of the
/// first states, at most all. A contender that can't hold the mechanism, lacks the function or disagrees with the first
/// says so in `refusal`. The case and the states must outlive the result; their joint forces are the accelerations of
/// inverse dynamics. Throws std::runtime_error where results of two states are larger than 64 MB.
std::vector<Contender> contenders(const Case& test, const bench::StateSet& states, Function function, Counts counts,
                                  const std::vector<std::string>& libraries);

}  // namespace kinetree::peers
