#pragma once
// Whether a run of the sweep is fit to be read: judged by how many of its timings hold.

#include <map>
#include <string>
#include <vector>

#include "bench/sweep/machine.hpp"
#include "bench/sweep/statistics.hpp"

namespace kinetree::bench {

struct CaseResult;
struct SweepResults;

/// What was seen of the machine from the beginning of a measurement to its end, over all its sittings.
struct Observation {
  std::vector<double> yardstick;   ///< ns that the same arithmetic took on one thread, once after each repetition
  std::vector<double> transfers;   ///< line_transfer_ns() before each mechanism and after each repetition of
                                   ///< several threads; none on one core
  double calibrated_transfer = 0;  ///< that of the calibration by which times were predicted; 0: not known

  Observation& operator+=(const Observation& later);
};

/// Watches the machine from its making on.
class MachineWatch {
 public:
  /// Times the yardstick once, in ns: about 0.1 ms.
  double look();
  /// Times how far the cores are from each other, by line_transfer_ns(): once more where they seem moved, and the less
  /// counts. 0 on one core, which is not kept.
  double look_at_cores();
  /// As they were when it last looked; 0 where it did not.
  double line_transfer() const { return seen_.transfers.empty() ? 0 : seen_.transfers.back(); }
  /// From the making until now.
  const Observation& seen() const { return seen_; }

 private:
  Observation seen_;
};

/// From these bounds on a case does not hold, or a run is not fit.
inline constexpr double widest_interval = 1.15;  ///< a case's interval, its high end over its low
inline constexpr double least_coverage = 0.9;    ///< of that interval: 5 repetitions or more
inline constexpr double least_worth = 0.85;      ///< threads that share nothing, over what they are worth usually
inline constexpr double least_holding = 0.8;     ///< share of the timed cases

/// What the machine gives where nothing else takes of it: what a quarter of the repetitions reach.
struct Usual {
  double yardstick = 0;
  std::map<int, double> worth;  ///< by numbers of threads that share nothing
};
Usual usual(const std::vector<CaseResult>& cases, const std::vector<double>& yardsticks);

/// Over a case's repetitions: whether processors had their usual speed then. Another virtual machine on the same core
/// makes repetitions 1.2 to 1.8 times as long, for seconds at a time.
std::vector<bool> undisturbed(const CaseResult& c, const Usual& usual);

/// Whether a timing may hold: at least fewest_repetitions and more than half of its repetitions are `good`. Where most
/// are disturbed, neighbours come and go within the others too, between two looks: the median error of predictions was
/// 20 % over 174 such timings, and 9 % over 1695 others (EPYC, two cores, full.yaml).
bool are_enough(const std::vector<bool>& good);

/// Whether enough repetitions agree well enough.
bool is_narrow(const MedianInterval& time);

struct Verdict {
  bool fit = false;
  int timed = 0, holding = 0;        ///< cases
  double disturbed = 0;              ///< share of all repetitions
  std::vector<std::string> reasons;  ///< that it is not fit, and what was seen that may explain it; empty where it is
};

/// Leaves out the repetitions that were disturbed, of cases that have fewest_repetitions without them; marks the cases
/// that hold, and judges the run. To be called before find_scaling().
void judge(SweepResults& results);

/// What to say of predictions where the calibration is of cores nearer to each other, or farther; empty where it isn't.
std::string doubt_of_predictions(const Observation& observed);

/// The verdict in words: "Fit to be read: ..." or "Not fit to be read: ...".
std::string sentence(const Verdict& verdict);

}  // namespace kinetree::bench
