// OpenMP: the same passes level by level, one parallel region for all of them.
#include <omp.h>

#include <kinetree/parallel/executor.hpp>

namespace kinetree {
namespace {

class OpenMpExecutor final : public Executor {
 public:
  explicit OpenMpExecutor(int threads) : threads_(threads) {}

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    passes_ = passes, space_ = space, tasks_ = &tasks;
  }

  void run() override {
#pragma omp parallel num_threads(threads_)
    for (const Pass& pass : passes_) {
      if (pass.direction == Direction::once) {
#pragma omp single
        pass.kernel(space_, -1);
      } else if (pass.direction == Direction::each) {
#pragma omp for schedule(static)
        for (int t = 0; t < tasks_->count(); ++t) tasks_->run(pass, space_, t);
      } else {
        const int levels = static_cast<int>(tasks_->levels.size());
        for (int l = 0; l < levels; ++l) {
          const std::vector<int>& level = tasks_->level(pass.direction, l);
          const int count = static_cast<int>(level.size());
#pragma omp for schedule(static)
          for (int k = 0; k < count; ++k) tasks_->run(pass, space_, level[static_cast<std::size_t>(k)]);
        }
      }
    }
  }

  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
#pragma omp parallel for num_threads(threads_) schedule(guided)
    for (int c = 0; c < columns; ++c) work(context, c, omp_get_thread_num());
  }

 private:
  int threads_;
  std::span<const Pass> passes_;
  void* space_ = nullptr;
  const Tasks* tasks_ = nullptr;
};

}  // namespace

std::unique_ptr<Executor> make_openmp_executor(int threads) { return std::make_unique<OpenMpExecutor>(threads); }

}  // namespace kinetree
