// Kernels for every processor. One state is solved on plain numbers, by the solvers that solver/solver.cpp has.
#if KINETREE_PACKS
#include "engine/algorithm/lanes/pack_solver.hpp"

namespace kinetree::inline inner {
extern template class Solver<double>;
extern template class Solver<float>;

namespace lanes {
LaneSolver<double>* make_baseline_double(const Order& order) { return make_lanes<double, double, Baseline>(order); }
LaneSolver<float>* make_baseline_float(const Order& order) { return make_lanes<float, float, Baseline>(order); }
}  // namespace lanes
}  // namespace kinetree::inline inner

#else
#include "engine/algorithm/lanes/one_solver.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_baseline_double(const Order& order) { return new OneSolver<double, double>(order); }
LaneSolver<float>* make_baseline_float(const Order& order) { return new OneSolver<float, float>(order); }
}  // namespace kinetree::inline inner::lanes
#endif
