// The same algorithms on the scalars of studies: operation counts and the high-precision reference. Not part of the
// library a simulator links.
#include <kinetree/scalar/counted.hpp>
#include <kinetree/scalar/reference.hpp>

#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template class Solver<Counted>;
template class Solver<Reference>;
}  // namespace kinetree::inline inner
