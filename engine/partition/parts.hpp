#pragma once
// Parts of one state that go side by side in lanes.

#include "engine/partition/end_chains.hpp"
#include "engine/partition/limbs.hpp"

namespace kinetree::inline inner {

/// Of one kind at most: limbs, or modules of end chains.
struct Parts {
  Limbs limbs;
  EndChains end_chains;

  bool empty() const { return limbs.groups.empty() && end_chains.all.empty(); }
  /// Lanes that they fill at most.
  int width() const { return limbs.groups.empty() ? end_chains.width : limbs.width; }
};

}  // namespace kinetree::inline inner
