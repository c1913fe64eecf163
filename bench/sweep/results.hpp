#pragma once
// What a sweep found.

#include <cstdint>
#include <functional>
#include <kinetree/calibration.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/check.hpp"
#include "bench/sweep/fitness.hpp"
#include "bench/sweep/measured_span.hpp"
#include "bench/sweep/prepared_case.hpp"
#include "bench/sweep/statistics.hpp"
#include "bench/sweep/study_scalars.hpp"
#include "parallel/bandwidth.hpp"

namespace kinetree::bench {

/// A quotient of two timings, with its interval.
struct Ratio {
  double value = 0, low = 0, high = 0;

  Ratio operator*(double factor) const { return {value * factor, low * factor, high * factor}; }
};

/// How efficient a case is that has as much work for each thread as the problem of one thread (scaling.hpp).
struct WeakEfficiency {
  ScalingKind kind;
  std::size_t serial = 0;  ///< index of the fastest serial case of the problem of one thread
  Ratio efficiency;
};

struct CaseResult {
  Case what;
  bool finished = false;  ///< all that was asked for was done; else what there is, if anything, is a part
  std::string failure;    ///< why it was not timed; empty where it was
  std::optional<Plan> plan;
  std::optional<double> predicted_ns;  ///< of a state (prediction.hpp)
  int modules = 0, cut_joints = 0;
  std::optional<Check> check;
  std::string checked_against;
  std::int64_t iterations = 0;  ///< calls per repetition
  std::vector<double> ns;       ///< per state, one entry per repetition
  std::vector<double> counted;  ///< of these, those that judge() does not leave out
  std::size_t left_out() const { return ns.size() - counted.size(); }
  MedianInterval time;            ///< of what counts, by judge()
  std::vector<double> yardstick;  ///< arithmetic_ns() after each repetition
  /// independent_speedup of as many threads, those of ranks on this machine included, after each repetition; empty for
  /// one thread
  std::vector<double> machine;
  std::vector<double> line_transfer;  ///< line_transfer_ns(), as often; 0 on one core
  bool holds = false;                 ///< whether the timing may be read (fitness.hpp)
  std::optional<std::size_t> serial;  ///< index of the fastest serial case of the same model and batch
  Ratio speedup;                      ///< over that case, from the far ends of both intervals; 1 for the case itself
  std::vector<WeakEfficiency> weak;   ///< as in what.weak
  std::optional<Work> work;
  std::optional<MeasuredWorkAndSpan> span;
};

struct SweepResults {
  Sweep sweep;
  std::vector<LoadedModel> models;
  std::vector<CaseResult> cases;
  std::vector<std::string> notes;
  double seconds = 0;                      ///< how long it all took
  std::optional<Memory> memory;            ///< of the machine as it was before, for predictions
  std::optional<Calibration> calibration;  ///< by which other sizes and threads are predicted, where a kind asks
  Observation observed;
  Verdict verdict;

  std::size_t finished() const;  ///< cases
  bool complete() const;         ///< every case is finished
};

/// Models loaded and cases made, nothing measured yet; `findings` get what is wrong with models, and then there are no
/// cases.
SweepResults prepare_sweep(const Sweep& sweep, std::vector<Finding>& findings);

/// Calls prepare_sweep, and throws InputError where an error is among `findings`, to which faults of models are added.
SweepResults prepared_sweep(const Sweep& sweep, std::vector<Finding> findings = {});

/// One of several parts of a sweep, by models, whose cases are timed together: of n parts, the i-th takes every n-th.
struct Shard {
  int index = 1, count = 1;  ///< index from 1
  bool holds(std::size_t model) const {
    return model % static_cast<std::size_t>(count) + 1 == static_cast<std::size_t>(index);
  }
};

/// What a sweep asks and tells while it measures.
struct SweepWatch {
  std::function<bool()> stop = [] { return false; };  ///< asked between steps of a second at most; true: end here
  std::function<void()> after_model = [] {};          ///< results hold all cases of one more model
  Shard shard = {};                                   ///< models of other shards are left as they are
  std::optional<double> seconds = {};  ///< where it would take longer there are fewer and shorter repetitions
  OverRanks* ranks = nullptr;          ///< runs cases on several ranks; set where there are such cases
};

/// Measures the cases of every model that has one which is not finished, until the end or until `watch` says stop. A
/// model that is stopped in the middle keeps the repetitions that it has, its cases unfinished.
void measure(SweepResults& results, const SweepWatch& watch = {});

/// About how long the shard's cases take that are not finished.
double predicted_seconds(const SweepResults& results, const Shard& shard = {});

}  // namespace kinetree::bench
