#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template class Solver<double>;
template class Solver<float>;
}  // namespace kinetree::inline inner
