#pragma once
// Parts of one state that go side by side in lanes.

#include <algorithm>

#include "engine/partition/end_chains.hpp"
#include "engine/partition/limbs.hpp"

namespace kinetree::inline inner {

/// Limbs, and modules of end chains that no limb holds.
struct Parts {
  Limbs limbs;
  EndChains end_chains;

  bool empty() const { return limbs.groups.empty() && end_chains.all.empty(); }
  /// Lanes that the narrower kind fills at most.
  int least_width() const {
    if (limbs.groups.empty()) return end_chains.width;
    return end_chains.all.empty() ? limbs.width : std::min(limbs.width, end_chains.width);
  }
};

}  // namespace kinetree::inline inner
