#pragma once
// Parts of one state as bodies of the model that they are swept on: where modules of end chains hang by welds, some of
// the user's bodies are in halves.

#include "engine/partition/parts.hpp"
#include "engine/partition/split_bodies.hpp"

namespace kinetree::inline inner {

/// The model with a weld for each module that hangs by one; `model` itself, which must outlive it, where none does.
SplitModel halves_for(const ModelData& model, const EndChains& chains);

/// A group of limbs, of the user's bodies, as bodies of those halves.
LaneGroup in_halves(const LaneGroup& limbs, const SplitModel& halves);

/// The body that a module of a chain begins with: the outboard half whose joint is the weld, or its first.
int base_of(const SplitModel& halves, const EndChain& chain, int module);

/// So many modules of a chain as a chain of bodies, of which only the joints are looked at: the modules' bases.
ModelData chain_of_bases(const SplitModel& halves, const EndChain& chain, int count);

/// One pack of a chain. Places: a module's base and bodies, and the base of the next module, whose joint is cut, at
/// `next_place`; behind the last module -1.
LaneGroup pack_of(const SplitModel& halves, const EndChain& chain, int width, int pack);
inline int next_place(const EndChain& chain) { return chain.next + chain.welds; }

}  // namespace kinetree::inline inner
