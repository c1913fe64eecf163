#include "bench/sweep/timing.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

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
  void Finalize() override {
    for (Timing& timing : timings_)
      if (timing.failed) timing.ns.clear();
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

}  // namespace

std::vector<Timing> time_interleaved(const std::vector<TimedCall>& calls, int repetitions,
                                     const std::function<bool()>& stop,
                                     const std::function<void(std::size_t)>& after_repetition) {
  std::vector<Timing> timings(calls.size());
  if (calls.empty()) return timings;
  initialize_once();
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    benchmark::RegisterBenchmark(calls[i].name.c_str(),
                                 [&calls, &stop, &after_repetition, i](benchmark::State& state) {
                                   if (stop()) return state.SkipWithError(stopped);
                                   const TimedCall& timed = calls[i];
                                   bool good = timed.call();  // warm: another case ran before
                                   for (auto _ : state) good = timed.call() && good;
                                   if (!good) state.SkipWithError("a state failed");
                                   after_repetition(i);
                                 })
        ->UseRealTime()
        ->Unit(benchmark::kNanosecond)
        ->Repetitions(repetitions)
        ->Iterations(calls[i].iterations);
  }
  Collector collector(timings);
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();
  return timings;
}

}  // namespace kinetree::bench
