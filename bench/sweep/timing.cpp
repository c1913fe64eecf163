#include "bench/sweep/timing.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kinetree::bench {
namespace {

constexpr const char* stopped = "stopped";  ///< what a repetition says that was not made

/// Keeps every repetition; prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::vector<Timing>& timings) : timings_(timings) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      Timing& timing = timings_[static_cast<std::size_t>(run.family_index)];
      if (!run.error_occurred)
        timing.ns.push_back(run.GetAdjustedRealTime());
      else if (run.error_message != stopped)
        timing.failed = true;
    }
  }

 private:
  std::vector<Timing>& timings_;
};

void initialize_once() {
  static const bool done = [] {
    std::string program = "kinetree", interleave = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program.data(), interleave.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
    return true;
  }();
  (void)done;
}

/// One repetition of each call.
std::vector<Timing> one_round(const std::vector<TimedCall>& calls, const std::function<bool()>& stop,
                              const std::function<void(std::size_t)>& after_repetition) {
  std::vector<Timing> timings(calls.size());
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    benchmark::RegisterBenchmark(calls[i].name.c_str(),
                                 [&calls, &stop, &after_repetition, i](benchmark::State& state) {
                                   if (stop()) return state.SkipWithError(stopped);
                                   const TimedCall& timed = calls[i];
                                   timed.begin(timed.iterations + 1);
                                   bool good = timed.call();  // warm: another case ran before
                                   for (auto _ : state) good = timed.call() && good;
                                   if (!good) state.SkipWithError("a state failed");
                                   after_repetition(i);
                                 })
        ->UseRealTime()
        ->Unit(benchmark::kNanosecond)
        ->Repetitions(1)
        ->Iterations(calls[i].iterations);
  }
  Collector collector(timings);
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();
  return timings;
}

}  // namespace

std::vector<Timing> time_interleaved(std::vector<TimedCall>& calls, const Rounds& rounds,
                                     const std::function<bool()>& stop,
                                     const std::function<void(std::size_t)>& after_repetition) {
  using std::chrono::steady_clock;
  std::vector<Timing> timings(calls.size());
  if (calls.empty()) return timings;
  initialize_once();
  const auto goes_on = [&](int done) { return done < rounds.most || (done < 2 * rounds.most && rounds.further()); };
  for (int done = 1; goes_on(done - 1) && !stop(); ++done) {
    const steady_clock::time_point began = steady_clock::now();
    const std::vector<Timing> more = one_round(calls, stop, after_repetition);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      timings[i].ns.insert(timings[i].ns.end(), more[i].ns.begin(), more[i].ns.end());
      timings[i].failed = timings[i].failed || more[i].failed;
    }
    const steady_clock::time_point now = steady_clock::now();
    const double round = std::chrono::duration<double>(now - began).count();
    const double left = std::chrono::duration<double>(rounds.until - now).count();
    const int needed = fewest_repetitions - done;
    if (needed <= 0 && round > left) break;
    if (needed <= 0 || needed * round <= left) continue;
    const double share = std::max(0.0, left / (needed * round));
    for (TimedCall& call : calls)
      call.iterations = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(call.iterations)));
  }
  for (Timing& timing : timings)
    if (timing.failed) timing.ns.clear();
  return timings;
}

}  // namespace kinetree::bench
