// The algorithms on the high-precision reference scalar. Not part of the library a simulator links.
#include <kinetree/scalar/reference.hpp>

#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template class Solver<Reference>;
}  // namespace kinetree::inline inner
