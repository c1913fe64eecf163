// Kernels for every processor. One state is solved on plain numbers, by the solvers that solver/solver.cpp has.
#if KINETREE_PACKS
#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner {
extern template class Solver<double>;
extern template class Solver<float>;

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
