// OpenMP: one parallel region a call. In it each stage is a worksharing loop with a static schedule, and barriers stand
// between stages.
#include <omp.h>

#include <algorithm>

#include "parallel/forks.hpp"
#include "parallel/keep_loaded.hpp"
#include "parallel/rounding.hpp"
#include "parallel/stage_executor.hpp"

namespace kinetree::inline inner {
namespace {

/// In a forked process OpenMP would wait for its threads without end.
ProcessRuntime openmp;

class OpenMpExecutor final : public StageExecutor {
 public:
  explicit OpenMpExecutor(int threads) : threads_(threads) {}

 private:
  void run_parallel(std::span<const Stage> stages, bool) override {
    if (!openmp.usable()) return run_serial(stages);
    const Rounding rounding = Rounding::here();
#pragma omp parallel num_threads(threads_)
    {
      const Rounding::Use as_the_caller(rounding);
      const int worker = omp_get_thread_num();
      for (std::size_t s = 0; s < stages.size(); ++s) {
        const Stage& stage = stages[s];
#pragma omp for schedule(static) nowait
        for (int index = 0; index < stage.count; ++index) stage.work(stage.context, index, worker);
        if (s + 1 < stages.size()) {
#pragma omp barrier
        }
      }
    }
  }

  int threads_;
};

}  // namespace

int threads_of_openmp(int threads) { return openmp.usable() ? std::min(threads, omp_get_thread_limit()) : 1; }

std::unique_ptr<Executor> make_openmp_executor(int threads) {
  keep_loaded(reinterpret_cast<const void*>(&omp_get_thread_num));
  return std::make_unique<OpenMpExecutor>(threads);
}

}  // namespace kinetree::inline inner
