// The algorithms on the scalar that counts: for studies, and for predictions (step_operations.hpp).
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template class Solver<Counted>;
}  // namespace kinetree::inline inner
