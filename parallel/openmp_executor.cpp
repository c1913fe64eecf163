// OpenMP: the same passes level by level, one parallel region for all of them.
#include <omp.h>

#include <algorithm>

#include "parallel/executor.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {
namespace {

class OpenMpExecutor final : public Executor {
 public:
  explicit OpenMpExecutor(int threads) : passes_(threads), columns_(threads) {}

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    stages_.prepare(passes, space, tasks);
    passes_.prepare(stages_.levels());
  }

  void run() override { gather_round(passes_); }

  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    const Level all{columns, context, work};
    columns_.prepare({&all, 1});
    gather_round(columns_);
  }

 private:
  static void gather_round(Team& team) {
    team.start();
#pragma omp parallel num_threads(team.workers())
    team.work(omp_get_thread_num());
  }

  Stages stages_;
  Team passes_, columns_;
};

}  // namespace

int threads_of_openmp(int threads) { return std::min(threads, omp_get_thread_limit()); }

std::unique_ptr<Executor> make_openmp_executor(int threads) { return std::make_unique<OpenMpExecutor>(threads); }

}  // namespace kinetree::inline inner
