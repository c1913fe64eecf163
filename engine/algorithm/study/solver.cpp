// The algorithms on the high-precision reference scalar. Not part of the library a simulator links.
#include <kinetree/scalar/reference.hpp>

#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template std::unique_ptr<Solver<Reference>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                        Packs<Reference>);
}  // namespace kinetree::inline inner
