#include "engine/algorithm/solver_implementation.hpp"

namespace kinetree::inline inner {
template class Solver<double>;
template class Solver<float>;
}  // namespace kinetree::inline inner
