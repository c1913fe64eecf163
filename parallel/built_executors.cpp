// In a file of its own: the checks of options call is_built() without linking an executor.
#include "parallel/executor.hpp"

namespace kinetree::inline inner {

bool is_built(ExecutorKind kind) {
  return kind == ExecutorKind::tbb ? KINETREE_TBB : kind == ExecutorKind::openmp ? KINETREE_OPENMP : true;
}

}  // namespace kinetree::inline inner
