#pragma once
// Loops over numbers in a row by whole registers, where the scalar is one lane of one.

#include <type_traits>

#include "engine/scalar/inline.hpp"
#include "engine/scalar/whole_register.hpp"

namespace kinetree::inline inner {

/// Several numbers of a row at once, by a type W that has the operations of a Scalar.
template <class S, class W>
struct Beside {
  using Number = W;
  static constexpr int width = std::is_same_v<S, W> ? 1 : static_cast<int>(sizeof(W) / sizeof(S));

  KINETREE_INLINE static W load(const S* from) {
    if constexpr (width == 1)
      return *from;
    else
      return W::load(&from->lanes);
  }
  KINETREE_INLINE static void store(const W& x, S* to) {
    if constexpr (width == 1)
      *to = x;
    else
      x.store(&to->lanes);
  }
  KINETREE_INLINE static W spread(const S& x) {
    if constexpr (width == 1)
      return x;
    else
      return W::of(typename W::Register(x.lanes));
  }
  /// The first n numbers of a, and behind them those of b.
  KINETREE_INLINE static W first(int n, const W& a, const W& b) {
    if constexpr (width == 1)
      return n > 0 ? a : b;
    else
      return WholeRegister<S>::first(n, a, b);
  }
};

/// One number at a time.
template <class S>
using OneBeside = Beside<S, S>;
/// As many as fill a register.
template <class S>
using Wide =
    Beside<S, std::conditional_t<std::is_void_v<typename WholeRegister<S>::Type>, S, typename WholeRegister<S>::Type>>;

/// The next multiple of a register's numbers: how far apart rows stand that are read in whole registers.
template <class S>
int whole_registers(int count) {
  return (count + Wide<S>::width - 1) / Wide<S>::width * Wide<S>::width;
}

}  // namespace kinetree::inline inner
