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
#if KINETREE_AVX
  if (set == InstructionSet::avx512) return take(lanes::make_avx512_double, lanes::make_avx512_float);
  if (set == InstructionSet::avx2) return take(lanes::make_avx2_double, lanes::make_avx2_float);
#endif
  static_cast<void>(set);
  return take(lanes::make_baseline_double, lanes::make_baseline_float);
}

}  // namespace

template <class T>
std::unique_ptr<LaneSolver<T>> make_lane_solver(InstructionSet set, bool many, const Model& model, const Plan& plan,
                                                std::shared_ptr<const Modules> modules) {
  return made<T>(set, {&model, &plan, &modules, many});
}

template <class T>
std::unique_ptr<LaneSolver<T>> make_limb_solver(InstructionSet set, const Model& model, const Plan& plan,
                                                const Limbs& limbs) {
  return made<T>(set, {&model, &plan, nullptr, false, &limbs});
}

std::unique_ptr<LaneSolver<double>> make_end_chain_solver(InstructionSet set, const Model& model, const Plan& plan,
                                                          const EndChains& chains) {
  return made<double>(set, {&model, &plan, nullptr, false, nullptr, &chains});
}

template std::unique_ptr<LaneSolver<double>> make_limb_solver(InstructionSet, const Model&, const Plan&, const Limbs&);
template std::unique_ptr<LaneSolver<float>> make_limb_solver(InstructionSet, const Model&, const Plan&, const Limbs&);
template std::unique_ptr<LaneSolver<double>> make_lane_solver(InstructionSet, bool, const Model&, const Plan&,
                                                              std::shared_ptr<const Modules>);
template std::unique_ptr<LaneSolver<float>> make_lane_solver(InstructionSet, bool, const Model&, const Plan&,
                                                             std::shared_ptr<const Modules>);

}  // namespace kinetree::inline inner
