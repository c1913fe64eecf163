// Apart from executor.cpp: what checks options asks this, and needs no executor.
#include "parallel/executor.hpp"

namespace kinetree::inline inner {

bool is_built(ExecutorKind kind) {
  return kind == ExecutorKind::tbb ? KINETREE_TBB : kind == ExecutorKind::openmp ? KINETREE_OPENMP : true;
}

}  // namespace kinetree::inline inner
