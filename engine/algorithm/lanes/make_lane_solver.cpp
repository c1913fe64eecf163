#include <kinetree/model.hpp>
#include <memory>

#include "engine/algorithm/lanes/lane_solver.hpp"

namespace kinetree::inline inner {

namespace {

// `name` calls the factory of an instruction set. Each scalar has a function of its own, so that a program links the
// factories that it calls and no others.
#define KINETREE_BY_SET(name, T, factory)                                                 \
  std::unique_ptr<LaneSolver<T>> name(InstructionSet set, const lanes::Order& order, T) { \
    if (KINETREE_AVX512 != 0 && set == InstructionSet::avx512)                            \
      return std::unique_ptr<LaneSolver<T>>(lanes::make_avx512_##factory(order));         \
    if (KINETREE_AVX != 0 && set == InstructionSet::avx2)                                 \
      return std::unique_ptr<LaneSolver<T>>(lanes::make_avx2_##factory(order));           \
    return std::unique_ptr<LaneSolver<T>>(lanes::make_baseline_##factory(order));         \
  }
KINETREE_BY_SET(dynamics, double, double)
KINETREE_BY_SET(dynamics, float, float)
KINETREE_BY_SET(function, double, double_function)
KINETREE_BY_SET(function, float, float_function)
KINETREE_BY_SET(derivatives, double, double_derivatives)
KINETREE_BY_SET(derivatives, float, float_derivatives)
#undef KINETREE_BY_SET

}  // namespace

template <class T>
std::unique_ptr<LaneSolver<T>> make_lane_solver(InstructionSet set, bool many, const Model& model, const Method& method,
                                                std::shared_ptr<const Modules> modules) {
  return dynamics(set, {&model, &method, &modules, many}, T());
}

template <class T>
std::unique_ptr<LaneSolver<T>> make_function_lane_solver(InstructionSet set, bool many, const Model& model,
                                                         const Method& method, std::shared_ptr<const Modules> modules) {
  const lanes::Order order{&model, &method, &modules, many};
  return is_made_beside_derivatives(method.function) ? derivatives(set, order, T()) : function(set, order, T());
}

template <class T>
std::unique_ptr<LaneSolver<T>> make_parts_solver(InstructionSet set, const Model& model, const Method& method,
                                                 const Parts& parts) {
  return dynamics(set, {&model, &method, nullptr, false, &parts}, T());
}

#define KINETREE_INSTANTIATE(T)                                                                                        \
  template std::unique_ptr<LaneSolver<T>> make_lane_solver(InstructionSet, bool, const Model&, const Method&,          \
                                                           std::shared_ptr<const Modules>);                            \
  template std::unique_ptr<LaneSolver<T>> make_function_lane_solver(InstructionSet, bool, const Model&, const Method&, \
                                                                    std::shared_ptr<const Modules>);                   \
  template std::unique_ptr<LaneSolver<T>> make_parts_solver(InstructionSet, const Model&, const Method&, const Parts&);
KINETREE_INSTANTIATE(double)
KINETREE_INSTANTIATE(float)
#undef KINETREE_INSTANTIATE

}  // namespace kinetree::inline inner
