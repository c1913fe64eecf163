#pragma once
// Decisions by value, of packs: see scalar/own_choice.hpp. The indices stand in the lanes as numbers; `any` of a
// condition is xsimd's.

#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

template <class T, int W, class Isa>
KINETREE_INLINE Pack<T, W, Isa> largest(const Pack<T, W, Isa>& a, const Pack<T, W, Isa>& b) {
  return select(a < b, b, a);
}
/// Not for one lane, whose sizes are doubles.
template <class T, int W, class Isa>
requires(W > 1) KINETREE_INLINE Pack<T, W, Isa> magnitude(const Pack<T, W, Isa>& x) {
  return Pack<T, W, Isa>::of(xsimd::abs(x.lanes));
}

template <class T, int W, class Isa>
KINETREE_INLINE Pack<T, W, Isa> entry(const Pack<T, W, Isa>* row, int n, const Pack<T, W, Isa>& column) {
  using P = Pack<T, W, Isa>;
  P found;
  for (int c = 0; c < n; ++c) found = select(column == P(c), row[c], found);
  return found;
}
template <class T, int W, class Isa>
KINETREE_INLINE void set_entry(Pack<T, W, Isa>* row, int n, const Pack<T, W, Isa>& column,
                               const Pack<T, W, Isa>& value) {
  using P = Pack<T, W, Isa>;
  for (int c = 0; c < n; ++c) row[c] = select(column == P(c), value, row[c]);
}

template <class T, int W, class Isa>
KINETREE_INLINE void set_number(Pack<T, W, Isa>& to, int lane, const Pack<T, W, Isa>& from) {
  to.set_lane(lane, from.lane(lane));
}

}  // namespace kinetree::inline inner
