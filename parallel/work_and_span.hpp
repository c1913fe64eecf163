#pragma once
// Work and span of a run, in time: what its tasks take together, and along the longest path of those that wait for each
// other. Tasks are timed one by one on one thread.

#include <functional>
#include <kinetree/calibration.hpp>
#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/dependences.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Nanoseconds over passes, then over tasks; of a pass without steps one number.
using TaskTimes = std::vector<std::vector<double>>;

/// Nanoseconds that scheduling adds to the longest path at worst, where every task that another thread may take is
/// taken by another (He, Leiserson & Leiserson 2010, Sec. 3).
struct Burden {
  double run = 0;   ///< handing a run over, and waiting for its end
  double task = 0;  ///< each task
  double edge = 0;  ///< each edge where paths fork or join: another thread, which was waiting, may take the work over
};

/// The burden by an executor's costs on so many threads (scheduling_cost). `edge` is the cost of a barrier: oneTBB's
/// graph has none, but hands work over and joins it in the same way.
Burden burden_of(const SchedulingCost& cost, int threads);

/// The most time that a greedy schedule takes, in which no thread waits while a task may run (Brent 1974; this tighter
/// bound: Graham 1966).
inline double greedy_ns(double work_ns, double span_ns, int threads) { return (work_ns - span_ns) / threads + span_ns; }

struct WorkAndSpan {
  double work_ns = 0;           ///< of all tasks in all passes
  double span_ns = 0;           ///< of the longest path
  double burdened_span_ns = 0;  ///< of the path that is the longest with its burden

  /// How many threads could be kept busy on average, however many there are.
  double parallelism() const { return span_ns > 0 ? work_ns / span_ns : 1; }
  double burdened_parallelism() const { return burdened_span_ns > 0 ? work_ns / burdened_span_ns : 1; }
};

WorkAndSpan work_and_span(const Dependences& dependences, const TaskTimes& ns, const Burden& burden);

/// A run to be timed.
struct TimedRun {
  std::span<const Pass> passes;
  void* space;
  const Tasks& tasks;
  std::function<void()> next_state;  ///< called before each run, and not timed
};

/// Times each task in each pass on this thread, in an order that the passes allow, run after run: at least 5 runs, then
/// until `seconds` are over, at most 1000. Medians over the runs, less the clock's own overhead.
TaskTimes task_times(const TimedRun& run, double seconds);

struct MeasuredWorkAndSpan : WorkAndSpan {
  double disagreement = 0;  ///< the distance of the two readings that agree best, relative to the larger
};

/// Readings of task_times until two agree (readings.hpp), at most four; the one with less work, since what else runs on
/// the machine only adds. `seconds`: a reading.
MeasuredWorkAndSpan measured_work_and_span(const TimedRun& run, const Dependences& dependences, const Burden& burden,
                                           double seconds);

}  // namespace kinetree::inline inner
