#include "engine/algorithm/solver_implementation.hpp"

namespace kinetree {
template class Solver<double>;
template class Solver<float>;
}  // namespace kinetree
