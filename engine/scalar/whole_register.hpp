#pragma once
// The pack that fills a register, of a scalar that is one lane of it: what a kernel does to several numbers of one
// state at once, it does with that.

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

/// Of a scalar that is a number of its own, or fills a register already: that scalar. lanes/pack.hpp says otherwise of
/// its packs.
template <class S>
struct WholeRegister {
  using Type = S;
  static constexpr int width = 1;

  /// The same number in each lane.
  KINETREE_INLINE static S broadcast(const S& x) { return x; }
  KINETREE_INLINE static void set(S& all, int /*lane*/, const S& x) { all = x; }
  /// To `width` numbers.
  KINETREE_INLINE static void store(const S& all, S* to) { *to = all; }
};

}  // namespace kinetree::inline inner
