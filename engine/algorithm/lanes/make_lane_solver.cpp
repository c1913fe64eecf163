#include <kinetree/model.hpp>
#include <type_traits>

#include "engine/algorithm/lanes/lane_solver.hpp"

namespace kinetree::inline inner {

namespace {

template <class T>
std::unique_ptr<LaneSolver<T>> made(InstructionSet set, const lanes::Order& order) {
  constexpr bool wide = std::is_same_v<T, double>;
  const auto take = [&](auto in_double, auto in_float) {
    if constexpr (wide)
      return std::unique_ptr<LaneSolver<T>>(in_double(order));
    else
      return std::unique_ptr<LaneSolver<T>>(in_float(order));
  };
#if KINETREE_AVX512
  if (set == InstructionSet::avx512) return take(lanes::make_avx512_double, lanes::make_avx512_float);
#endif
#if KINETREE_AVX
  if (set == InstructionSet::avx2) return take(lanes::make_avx2_double, lanes::make_avx2_float);
#endif
  static_cast<void>(set);
  return take(lanes::make_baseline_double, lanes::make_baseline_float);
}

}  // namespace

template <class T>
std::unique_ptr<LaneSolver<T>> make_lane_solver(InstructionSet set, bool many, const Model& model, const Method& method,
                                                std::shared_ptr<const Modules> modules) {
  return made<T>(set, {&model, &method, &modules, many});
}

template <class T>
std::unique_ptr<LaneSolver<T>> make_parts_solver(InstructionSet set, const Model& model, const Method& method,
                                                 const Parts& parts) {
  return made<T>(set, {&model, &method, nullptr, false, &parts});
}

template std::unique_ptr<LaneSolver<double>> make_parts_solver(InstructionSet, const Model&, const Method&,
                                                               const Parts&);
template std::unique_ptr<LaneSolver<float>> make_parts_solver(InstructionSet, const Model&, const Method&,
                                                              const Parts&);
template std::unique_ptr<LaneSolver<double>> make_lane_solver(InstructionSet, bool, const Model&, const Method&,
                                                              std::shared_ptr<const Modules>);
template std::unique_ptr<LaneSolver<float>> make_lane_solver(InstructionSet, bool, const Model&, const Method&,
                                                             std::shared_ptr<const Modules>);

}  // namespace kinetree::inline inner
