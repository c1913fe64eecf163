#pragma once
// The factories of one instruction set.

#include <utility>

#include "engine/algorithm/lanes/end_chain_pack.hpp"
#include "engine/algorithm/lanes/limb_pack.hpp"
#include "engine/algorithm/lanes/state_lanes.hpp"
#include "engine/algorithm/solver/solver_implementation.hpp"

namespace kinetree::inline inner {

/// Calls use(a pack) of a register that has so many lanes, or of its half where that has. In float some may be left.
template <class T, class Isa, class Use>
void with_lanes(int count, Use&& use) {
  if constexpr (!std::is_void_v<typename Isa::Half>)
    if (count <= native_width<T, typename Isa::Half>) return with_lanes<T, typename Isa::Half>(count, use);
  use(Pack<T, native_width<T, Isa>, Isa>());
}

/// Parts of one state side by side. One: what the rest of the state is solved on.
template <class T, class One, class Isa>
LaneSolver<T>* make_side_by_side(const lanes::Order& order) {
  const Parts& parts = *order.parts;
  const bool refined = order.method->refinements > 0;
  PartModules made = modules_of_parts(order.model->data(), parts, order.method->modules);
  Packs<One> packs{.nodes = std::move(made.nodes)};
  if (!parts.limbs.groups.empty())
    with_lanes<T, Isa>(parts.limbs.width, [&]<class P>(const P&) {
      for (const LaneGroup& group : made.limbs)
        packs.parts.push_back(std::make_shared<LimbPack<P, One>>(*made.halves.model, group, refined));
    });
  if (!parts.end_chains.all.empty())
    with_lanes<T, Isa>(parts.end_chains.width, [&]<class P>(const P&) {
      for (const EndChain& chain : parts.end_chains.all)
        for (int pack = 0; pack < chain.packs; ++pack)
          packs.parts.push_back(
              std::make_shared<EndChainPack<P, One>>(made.halves, chain, parts.end_chains.width, pack, refined));
    });
  return new StateLanes<T, One>(
      order, make_solver<One>(*order.model, *order.method, std::make_shared<const Modules>(std::move(made.modules)),
                              std::move(packs)));
}

/// Forward dynamics. One: what one state is solved on.
template <class T, class One, class Isa>
LaneSolver<T>* make_lanes(const lanes::Order& order) {
  using Many = Pack<T, native_width<T, Isa>, Isa>;
  if (order.parts != nullptr) return make_side_by_side<T, One, Isa>(order);
  const auto& [model, method, modules, many, parts] = order;
  if (many) return new StateLanes<T, Many>(order, make_solver<Many>(*model, *method, *modules));
  return new StateLanes<T, One>(order, make_solver<One>(*model, *method, *modules));
}

/// Another function of a state.
template <class T, class One, class Isa>
LaneSolver<T>* make_function_lanes(const lanes::Order& order) {
  using Many = Pack<T, native_width<T, Isa>, Isa>;
  const auto& [model, method, modules, many, parts] = order;
  if (many) return new StateLanes<T, Many>(order, make_function_solver<Many>(*model, *method, *modules));
  return new StateLanes<T, One>(order, make_function_solver<One>(*model, *method, *modules));
}

}  // namespace kinetree::inline inner
