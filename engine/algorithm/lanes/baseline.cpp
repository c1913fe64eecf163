// Kernels for every processor. One state is solved on plain numbers, by the solvers that solver/solver.cpp has.
#if KINETREE_PACKS
#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner {
extern template std::unique_ptr<Solver<double>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                            Packs<double>);
extern template std::unique_ptr<Solver<float>> make_solver(const Model&, const Method&, std::shared_ptr<const Modules>,
                                                           Packs<float>);
extern template std::unique_ptr<Solver<double>> make_function_solver(const Model&, const Method&,
                                                                     std::shared_ptr<const Modules>);
extern template std::unique_ptr<Solver<float>> make_function_solver(const Model&, const Method&,
                                                                    std::shared_ptr<const Modules>);

namespace lanes {
LaneSolver<double>* make_baseline_double(const Order& order) { return make_lanes<double, double, Baseline>(order); }
LaneSolver<float>* make_baseline_float(const Order& order) { return make_lanes<float, float, Baseline>(order); }
LaneSolver<double>* make_baseline_double_function(const Order& order) {
  return make_function_lanes<double, double, Baseline>(order);
}
LaneSolver<float>* make_baseline_float_function(const Order& order) {
  return make_function_lanes<float, float, Baseline>(order);
}
}  // namespace lanes
}  // namespace kinetree::inline inner

#else
#include "engine/algorithm/lanes/state_lanes.hpp"

namespace kinetree::inline inner::lanes {
namespace {

template <class T>
LaneSolver<T>* dynamics(const Order& order) {
  return new StateLanes<T, T>(order, make_solver<T>(*order.model, *order.method, *order.modules));
}
template <class T>
LaneSolver<T>* function(const Order& order) {
  return new StateLanes<T, T>(order, make_function_solver<T>(*order.model, *order.method, *order.modules));
}

}  // namespace

LaneSolver<double>* make_baseline_double(const Order& order) { return dynamics<double>(order); }
LaneSolver<float>* make_baseline_float(const Order& order) { return dynamics<float>(order); }
LaneSolver<double>* make_baseline_double_function(const Order& order) { return function<double>(order); }
LaneSolver<float>* make_baseline_float_function(const Order& order) { return function<float>(order); }
}  // namespace kinetree::inline inner::lanes
#endif
