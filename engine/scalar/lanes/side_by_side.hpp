#pragma once
// Between numbers of several owners and packs.

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

namespace side_by_side_detail {
template <class P, class Number, std::size_t... k>
KINETREE_INLINE P gathered(Number&& number, std::index_sequence<k...>) {
  return P::of(typename P::Register({number(k)...}));
}
}  // namespace side_by_side_detail

/// number(0), number(1), ... in the lanes of a pack. Built in the register: a row written number by number and read at
/// once would wait for its stores.
template <class P, class Number>
KINETREE_INLINE P side_by_side(Number&& number) {
  return side_by_side_detail::gathered<P>(number, std::make_index_sequence<P::width>());
}

/// Several owners' spatial quantities in one of packs: `of(k)` is that of lane k. Quantity: nothing but Scalars.
template <template <class> class Quantity, class P, class Of>
KINETREE_INLINE void put_together(Quantity<P>& all, Of&& of) {
  constexpr std::size_t count = sizeof(all) / sizeof(P);
  using T = typename P::Number;
  const T* from[P::width];
  for (int k = 0; k < P::width; ++k) from[k] = reinterpret_cast<const T*>(&of(k));
  P* to = reinterpret_cast<P*>(&all);
  for (std::size_t n = 0; n < count; ++n) to[n] = side_by_side<P>([&](std::size_t k) { return from[k][n]; });
}

/// The other way: `to(k)` gets lane k, for the first lanes.
template <template <class> class Quantity, class P, class To>
KINETREE_INLINE void take_apart(const Quantity<P>& all, int lanes, To&& to) {
  constexpr std::size_t count = sizeof(all) / sizeof(P);
  using T = typename P::Number;
  T rows[count][P::width];
  const P* from = reinterpret_cast<const P*>(&all);
  for (std::size_t n = 0; n < count; ++n) from[n].store(rows[n]);
  for (int k = 0; k < lanes; ++k) {
    T* one = reinterpret_cast<T*>(&to(k));
    for (std::size_t n = 0; n < count; ++n) one[n] = rows[n][k];
  }
}

/// Taken apart and added up: `to(sum)` gets the sum over sum.lanes, in their order.
template <template <class> class Quantity, class P, class Sum, class To>
KINETREE_INLINE void add_up(const Quantity<P>& all, const std::vector<Sum>& sums, To&& to) {
  constexpr std::size_t count = sizeof(all) / sizeof(P);
  using T = typename P::Number;
  T rows[count][P::width];
  const P* from = reinterpret_cast<const P*>(&all);
  for (std::size_t n = 0; n < count; ++n) from[n].store(rows[n]);
  for (const Sum& sum : sums) {
    T* total = reinterpret_cast<T*>(&to(sum));
    for (std::size_t n = 0; n < count; ++n) total[n] = rows[n][sum.lanes[0]];
    for (std::size_t k = 1; k < sum.lanes.size(); ++k)
      for (std::size_t n = 0; n < count; ++n) total[n] += rows[n][sum.lanes[k]];
  }
}

}  // namespace kinetree::inline inner
