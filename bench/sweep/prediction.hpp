#pragma once
// Times of one state on any number of threads, predicted from the task graph that a run would make, list scheduled,
// with a calibration's times: what cores that are not here would give.

#include <algorithm>
#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep/cases.hpp"
#include "parallel/bandwidth.hpp"

namespace kinetree::bench {

/// A plan's predicted time. Bounds leave out all costs of scheduling: tasks that are handed over at once, by threads
/// that lose nothing beside each other.
struct PredictedTime {
  int grain = 0;  ///< bodies per module; 0: `ab`, which is all that there is where no joint is cut
  double ns = 0, bound_ns = 0;
};

/// What is predicted on one number of threads.
struct PredictedThreads {
  int threads = 1;
  PredictedTime ab, cfa;
  PredictedTime modular;        ///< with the grain that takes the least time
  PredictedTime modular_bound;  ///< with the grain of the least bound

  const PredictedTime& fastest() const {
    return ab.ns <= cfa.ns && ab.ns <= modular.ns ? ab : cfa.ns <= modular.ns ? cfa : modular;
  }
  double least_bound() const { return std::min({ab.bound_ns, cfa.bound_ns, modular_bound.bound_ns}); }
};

/// Predictions for these numbers of threads of one executor; aggregates are embedded.
std::vector<PredictedThreads> predicted_times(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                              const std::vector<int>& threads);

/// The least of these times alone, of `ab` and of as many modules of the longest path as threads, and twice as many: on
/// one thread, then on each of these numbers.
std::vector<double> least_predicted_ns(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                       const std::vector<int>& threads);

/// What bounds the speedup on so many threads, over the fastest on one, whichever grain is taken. With W the work and D
/// the span, the time of as many threads as there is use for, without costs of scheduling:
struct SpeedupBounds {
  int threads = 1;
  double most = 1;      ///< no schedule takes less than max(W / P, D)
  double greedy = 1;    ///< Brent 1974: a greedy schedule takes no more than (W - D) / P + D
  double burdened = 1;  ///< with the costs of scheduling: the burdened span (He, Leiserson & Leiserson 2010)
};
std::vector<SpeedupBounds> speedup_bounds(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                          const std::vector<int>& threads);

/// 1, 2, 4, ... up to so many.
std::vector<int> doubling_threads(int most);

/// The least of these numbers of threads from which on `cfa` is faster than `ab` on all; by bounds where asked for.
std::optional<int> overtakes(const std::vector<PredictedThreads>& predictions, bool bounds);

/// "ab", "cfa", "modular:16".
std::string algorithm_of(const PredictedTime& time);
/// One entry for each number of threads.
nlohmann::ordered_json predictions_json(const std::vector<PredictedThreads>& predictions);

/// This process's calibration, with caches and memory as they were measured, where it has no bandwidth of memory on all
/// threads, and with costs of threads on cores as far from each other as they are now, by line_transfer_ns().
Calibration calibration_now(const std::optional<Memory>& memory, double line_ns);

/// Called once, before a run of `seconds` predicts anything. Where no calibration is given or kept, a run of a minute or
/// longer measures this machine; a shorter one goes by the default calibration, since measuring takes several seconds.
/// Either way the user is told.
void calibrate_for_this_run(double seconds);

/// What a case of one state is predicted to take; nothing for `crb`, the literal formulation, batches, and more threads
/// than cores.
std::optional<double> predicted_ns(const Model& model, const Case& c, const Plan& plan, const Calibration& calibration);

}  // namespace kinetree::bench
