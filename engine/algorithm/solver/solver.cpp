#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {
template std::unique_ptr<Solver<double>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                     Packs<double>);
template std::unique_ptr<Solver<float>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                    Packs<float>);
template std::unique_ptr<Solver<double>> make_function_solver(const Model&, const Method&,
                                                              std::shared_ptr<const Modules>);
template std::unique_ptr<Solver<float>> make_function_solver(const Model&, const Method&,
                                                             std::shared_ptr<const Modules>);
}  // namespace kinetree::inline inner
