#include "parallel/executor.hpp"

namespace kinetree::inline inner {

int threads_given(ExecutorKind kind, int threads) {
  if (threads <= 1 || kind == ExecutorKind::serial) return 1;
  if constexpr (KINETREE_TBB)
    if (kind == ExecutorKind::tbb) return threads_of_tbb(threads);
  if constexpr (KINETREE_OPENMP)
    if (kind == ExecutorKind::openmp) return threads_of_openmp(threads);
  return threads;
}

std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads, Pinning pinning, const Runner& runner) {
  if (threads <= 1 || kind == ExecutorKind::serial) return make_serial_executor();
  if constexpr (KINETREE_TBB)
    if (kind == ExecutorKind::tbb) return make_tbb_executor(threads);
  if constexpr (KINETREE_OPENMP)
    if (kind == ExecutorKind::openmp) return make_openmp_executor(threads);
  return make_team_executor(threads, pinning, runner);
}

}  // namespace kinetree::inline inner
