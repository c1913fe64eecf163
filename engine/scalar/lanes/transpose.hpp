#pragma once
// A square of numbers turned over in registers: as many packs as they have lanes become each lane's numbers in a row,
// or rows become packs.

#include <cstring>
#include <utility>

#include "engine/scalar/inline.hpp"
#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

template <class P>
class Transposed {
  using T = typename P::Number;
  static constexpr int width = P::width;
  typedef T Vector __attribute__((vector_size(width * sizeof(T))));
  typedef Vector Numbers __attribute__((aligned(alignof(T)), may_alias));  ///< anywhere in memory

 public:
  /// row(r): where as many numbers as there are lanes stand, in a row. No memcpy, for which g++ moves halves through
  /// memory, that are then waited for as a whole.
  template <class Row>
  KINETREE_INLINE explicit Transposed(Row&& row) {
    straight<0, width>([&](auto r) { rows_[r] = *static_cast<const Numbers*>(row(r)); });
    exchange<1>();
  }

  /// Writes row `lane` of the square turned over, its first `count` numbers: number `lane` of each of the first rows.
  template <int lane, int count = width>
  KINETREE_INLINE void store(void* to) const {
    if constexpr (count == width)
      *static_cast<Numbers*>(to) = rows_[lane];
    else
      std::memcpy(to, &rows_[lane], count * sizeof(T));
  }

 private:
  /// In every square of 2 s rows and columns exchanges the two squares of s beside the diagonal; then in larger
  /// squares.
  template <int s>
  KINETREE_INLINE void exchange() {
    if constexpr (s < width) {
      straight<0, width>([&](auto r) {
        if constexpr ((r & s) == 0) {
          const Vector a = rows_[r], b = rows_[r + s];
          rows_[r] = upper<s>(a, b, std::make_integer_sequence<int, width>());
          rows_[r + s] = lower<s>(a, b, std::make_integer_sequence<int, width>());
        }
      });
      exchange<2 * s>();
    }
  }
  template <int s, int... k>
  KINETREE_INLINE static Vector upper(Vector a, Vector b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k - s : k)...);
  }
  template <int s, int... k>
  KINETREE_INLINE static Vector lower(Vector a, Vector b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k : k + s)...);
  }

  Vector rows_[width];
};
/// Of rows that stand anywhere: row(r) says where.
template <class P, class Row>
KINETREE_INLINE Transposed<P> transposed_rows(Row&& row) {
  return Transposed<P>(row);
}
/// Each lane's numbers, from packs[0] to packs[width - 1].
template <class P>
KINETREE_INLINE Transposed<P> transposed(const P* packs) {
  return transposed_rows<P>([&](int r) KINETREE_INLINE_LAMBDA -> const void* { return &packs[r]; });
}

}  // namespace kinetree::inline inner
