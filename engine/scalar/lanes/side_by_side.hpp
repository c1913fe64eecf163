#pragma once
// Between numbers of several owners and packs.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/scalar/index.hpp"
#include "engine/scalar/lanes/pack.hpp"
#include "engine/scalar/lanes/transpose.hpp"

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

// Each owner has `count` numbers in a row; packs stand in a row too. A Quantity (a spatial quantity of nothing but
// Scalars) may be passed in place of its numbers.

/// In packs[i] number i of every owner; `of(k)`: where those of lane k begin.
template <class P, class Of>
KINETREE_INLINE void put_together(P* packs, std::size_t count, Of&& of) {
  using T = typename P::Number;
  const T* from[P::width];
  straight<0, P::width>([&](int k) KINETREE_INLINE_LAMBDA { from[k] = of(k); });
  in_squares<T, P::width>(count, [&](std::size_t i, const auto&... first) KINETREE_INLINE_LAMBDA {
    const Transposed<T, P::width> square([&](int k) KINETREE_INLINE_LAMBDA { return from[k] + i; }, first...);
    straight<0, P::width>([&](auto r) KINETREE_INLINE_LAMBDA {
      if (sizeof...(first) == 0 || at(r) < count) square.store(square.row(r), reinterpret_cast<T*>(packs + i + at(r)));
    });
  });
}
template <template <class> class Quantity, class P, class Of>
KINETREE_INLINE void put_together(Quantity<P>& all, Of&& of) {
  using T = typename P::Number;
  put_together(reinterpret_cast<P*>(&all), sizeof(all) / sizeof(P),
               [&](int k) KINETREE_INLINE_LAMBDA { return reinterpret_cast<const T*>(&of(k)); });
}

/// The numbers of one owner in all lanes.
template <template <class> class Quantity, class P, class One>
KINETREE_INLINE void put_in_all(Quantity<P>& all, const Quantity<One>& one) {
  const auto* from = reinterpret_cast<const typename P::Number*>(&one);
  P* packs = reinterpret_cast<P*>(&all);
  for (std::size_t i = 0; i < sizeof(all) / sizeof(P); ++i) packs[i] = P::of(typename P::Register(from[i]));
}

/// As put_together, the other way: the numbers of lane k go to to(k), for the first `lanes` lanes.
template <class P, class To>
KINETREE_INLINE void take_apart(const P* packs, std::size_t count, int lanes, To&& to) {
  using T = typename P::Number;
  in_squares<T, P::width>(count, [&](std::size_t i, const auto&... first) KINETREE_INLINE_LAMBDA {
    // of fewer packs than a square has, the last is repeated: behind it stands something else
    const std::size_t last = sizeof...(first) == 0 ? P::width : count - 1;
    const Transposed<T, P::width> square(
        [&](int r) KINETREE_INLINE_LAMBDA { return reinterpret_cast<const T*>(packs + i + std::min(at(r), last)); });
    straight<0, P::width>([&](auto k) KINETREE_INLINE_LAMBDA {
      if (k < lanes) square.store(square.row(k), to(k) + i, first...);
    });
  });
}
template <template <class> class Quantity, class P, class To>
KINETREE_INLINE void take_apart(const Quantity<P>& all, int lanes, To&& to) {
  using T = typename P::Number;
  take_apart(reinterpret_cast<const P*>(&all), sizeof(all) / sizeof(P), lanes,
             [&](int k) KINETREE_INLINE_LAMBDA { return reinterpret_cast<T*>(&to(k)); });
}

/// Taken apart and added up: `to(sum)` gets the sum over sum.lanes, in their order.
template <template <class> class Quantity, class P, class Sum, class To>
KINETREE_INLINE void add_up(const Quantity<P>& all, const std::vector<Sum>& sums, To&& to) {
  using T = typename P::Number;
  constexpr int width = P::width, count = sizeof(all) / sizeof(P), squares = (count + width - 1) / width;
  using Square = Transposed<T, width>;
  // as in_squares has them, with numbers that the compiler knows: sums of all squares stay in registers
  constexpr auto begin = [](int s) { return std::max(0, std::min(s * width, count - width)); };
  const P* packs = reinterpret_cast<const P*>(&all);
  typename Square::Row rows[width][squares];
  straight<0, squares>([&](auto s) KINETREE_INLINE_LAMBDA {
    const Square square([&](int r) KINETREE_INLINE_LAMBDA {
      return reinterpret_cast<const T*>(packs + std::min(begin(s) + r, count - 1));
    });
    straight<0, width>([&](auto k) KINETREE_INLINE_LAMBDA { rows[k][s] = square.row(k); });
  });
  for (const Sum& sum : sums) {
    typename Square::Row total[squares];
    straight<0, squares>([&](auto s) KINETREE_INLINE_LAMBDA { total[s] = rows[sum.lanes[0]][s]; });
    for (std::size_t k = 1; k < sum.lanes.size(); ++k)
      straight<0, squares>([&](auto s) KINETREE_INLINE_LAMBDA { total[s] += rows[sum.lanes[k]][s]; });
    T* numbers = reinterpret_cast<T*>(&to(sum));
    straight<0, squares>([&](auto s) KINETREE_INLINE_LAMBDA {
      if constexpr (count < width)
        Square::store(total[s], numbers, FirstNumbers<T, width>(count));
      else
        Square::store(total[s], numbers + begin(s));
    });
  }
}

}  // namespace kinetree::inline inner
