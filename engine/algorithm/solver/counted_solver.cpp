// The algorithms on the scalar that counts: for studies, and for predictions (step_operations.hpp).
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template std::unique_ptr<Solver<Counted>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                      Packs<Counted>);
}  // namespace kinetree::inline inner
