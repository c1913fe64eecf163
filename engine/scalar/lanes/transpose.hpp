#pragma once
// A square of numbers turned over in registers: as many packs as they have lanes become each lane's numbers in a row,
// or rows become packs.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/scalar/inline.hpp"
#include "engine/scalar/lanes/first_numbers.hpp"

namespace kinetree::inline inner {

/// Of numbers of type T (double or float).
template <class T, int width>
class Transposed {
 public:
  typedef T Row __attribute__((vector_size(width * sizeof(T))));

  /// row(r): where as many numbers as there are lanes stand, in a row. No memcpy, for which g++ moves halves through
  /// memory, that are then waited for as a whole.
  template <class Of>
  KINETREE_INLINE explicit Transposed(const Of& row) {
    straight<0, width>([&](auto r) { rows_[r] = *reinterpret_cast<const Numbers*>(row(r)); });
    exchange<1>();
  }
  /// Where only the first numbers of each row may be read; the others become zero.
  template <class Of>
  KINETREE_INLINE Transposed(const Of& row, const FirstNumbers<T, width>& first) {
    straight<0, width>([&](auto r) { rows_[r] = first.load(row(r)); });
    exchange<1>();
  }

  /// Row `lane` of the square turned over: number `lane` of each of the rows.
  KINETREE_INLINE const Row& row(int lane) const { return rows_[lane]; }

  /// Writes such a row, or its first numbers.
  KINETREE_INLINE static void store(const Row& row, T* to) { *reinterpret_cast<Numbers*>(to) = row; }
  KINETREE_INLINE static void store(const Row& row, T* to, const FirstNumbers<T, width>& first) {
    first.store(row, to);
  }

 private:
  typedef Row Numbers __attribute__((aligned(alignof(T)), may_alias));  ///< anywhere in memory

  /// In every square of 2 s rows and columns exchanges the two squares of s beside the diagonal; then in larger
  /// squares.
  template <int s>
  KINETREE_INLINE void exchange() {
    if constexpr (s < width) {
      straight<0, width>([&](auto r) {
        if constexpr ((r & s) == 0) {
          const Row a = rows_[r], b = rows_[r + s];
          rows_[r] = upper<s>(a, b, std::make_integer_sequence<int, width>());
          rows_[r + s] = lower<s>(a, b, std::make_integer_sequence<int, width>());
        }
      });
      exchange<2 * s>();
    }
  }
  template <int s, int... k>
  KINETREE_INLINE static Row upper(Row a, Row b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k - s : k)...);
  }
  template <int s, int... k>
  KINETREE_INLINE static Row lower(Row a, Row b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k : k + s)...);
  }

  Row rows_[width];
};

/// Calls use(i) for squares that cover `count` numbers, each from number i on; the last two may overlap. Where there
/// are fewer than `width`, calls use(0, first) once; `first` knows how many.
template <class T, int width, class Use>
KINETREE_INLINE void in_squares(std::size_t count, Use&& use) {
  if (count >= width)
    for (std::size_t i = 0; i < count; i += width) use(std::min(i, count - width));
  else if (count > 0)
    use(std::size_t(0), FirstNumbers<T, width>(static_cast<int>(count)));
}

}  // namespace kinetree::inline inner
