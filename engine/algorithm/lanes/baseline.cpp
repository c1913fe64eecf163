// Kernels for every processor. One state is solved on plain numbers, by the solvers that solver/solver.cpp has.
#if KINETREE_PACKS
#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner {
extern template std::unique_ptr<Solver<double>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                            Packs<double>);
extern template std::unique_ptr<Solver<float>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                           Packs<float>);

namespace lanes {
LaneSolver<double>* make_baseline_double(const Order& order) { return make_lanes<double, double, Baseline>(order); }
LaneSolver<float>* make_baseline_float(const Order& order) { return make_lanes<float, float, Baseline>(order); }
}  // namespace lanes
}  // namespace kinetree::inline inner

#else
#include "engine/algorithm/lanes/state_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_baseline_double(const Order& order) {
  return new StateLanes<double, double>(order, *order.modules);
}
LaneSolver<float>* make_baseline_float(const Order& order) {
  return new StateLanes<float, float>(order, *order.modules);
}
}  // namespace kinetree::inline inner::lanes
#endif
