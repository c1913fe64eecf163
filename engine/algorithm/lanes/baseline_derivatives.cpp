// Derivatives on every processor. One state is solved on plain numbers.
#if KINETREE_PACKS
#include "engine/algorithm/lanes/make_derivative_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_baseline_double_derivatives(const Order& order) {
  return make_derivative_lanes<double, double, Baseline>(order);
}
LaneSolver<float>* make_baseline_float_derivatives(const Order& order) {
  return make_derivative_lanes<float, float, Baseline>(order);
}
}  // namespace kinetree::inline inner::lanes

#else
#include "engine/algorithm/lanes/state_lanes.hpp"
#include "engine/algorithm/solver/derivative_solver.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_baseline_double_derivatives(const Order& order) {
  return new StateLanes<double, double>(order,
                                        make_derivative_solver<double>(*order.model, *order.method, *order.modules));
}
LaneSolver<float>* make_baseline_float_derivatives(const Order& order) {
  return new StateLanes<float, float>(order,
                                      make_derivative_solver<float>(*order.model, *order.method, *order.modules));
}
}  // namespace kinetree::inline inner::lanes
#endif
