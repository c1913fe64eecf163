// OpenMP: one parallel region a call. In it each level is a loop, shared out statically, and OpenMP's barriers stand
// between levels.
#include <omp.h>

#include <algorithm>

#include "parallel/forks.hpp"
#include "parallel/keep_loaded.hpp"
#include "parallel/level_executor.hpp"
#include "parallel/rounding.hpp"

namespace kinetree::inline inner {
namespace {

/// In a forked process OpenMP would wait for its threads without end.
ProcessRuntime openmp;

class OpenMpExecutor final : public LevelExecutor {
 public:
  explicit OpenMpExecutor(int threads) : threads_(threads) {}

 private:
  void go_through(std::span<const Level> levels, bool) override {
    if (!openmp.alive()) return go_alone(levels);
    const Rounding rounding = Rounding::here();
#pragma omp parallel num_threads(threads_)
    {
      const Rounding::Use as_the_caller(rounding);
      const int worker = omp_get_thread_num();
      for (std::size_t l = 0; l < levels.size(); ++l) {
        const Level& level = levels[l];
#pragma omp for schedule(static) nowait
        for (int task = 0; task < level.count; ++task) level.work(level.context, task, worker);
        if (l + 1 < levels.size()) {
#pragma omp barrier
        }
      }
    }
  }

  int threads_;
};

}  // namespace

int threads_of_openmp(int threads) { return openmp.alive() ? std::min(threads, omp_get_thread_limit()) : 1; }

std::unique_ptr<Executor> make_openmp_executor(int threads) {
  keep_loaded(reinterpret_cast<const void*>(&omp_get_thread_num));
  return std::make_unique<OpenMpExecutor>(threads);
}

}  // namespace kinetree::inline inner
