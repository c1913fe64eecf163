#pragma once
// The factories of derivatives, of one instruction set: in files of their own, which are compiled beside those of
// make_lanes.hpp.

#include "engine/algorithm/lanes/state_lanes.hpp"
#include "engine/algorithm/solver/derivative_solver.hpp"
#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

template <class T, class One, class Isa>
LaneSolver<T>* make_derivative_lanes(const lanes::Order& order) {
  using Many = Pack<T, native_width<T, Isa>, Isa>;
  const auto& [model, method, modules, many, parts] = order;
  if (many) return new StateLanes<T, Many>(order, make_derivative_solver<Many>(*model, *method, *modules));
  return new StateLanes<T, One>(order, make_derivative_solver<One>(*model, *method, *modules));
}

}  // namespace kinetree::inline inner
