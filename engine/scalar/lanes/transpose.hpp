#pragma once
// A square of numbers turned over in registers: as many packs as they have lanes become each lane's numbers in a row.

#include <cstddef>
#include <cstring>
#include <utility>

#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {

template <class P>
class Transposed {
  using T = typename P::Number;
  static constexpr std::size_t width = P::width;
  typedef T Vector __attribute__((vector_size(width * sizeof(T))));

 public:
  /// Of packs[0] to packs[width - 1].
  KINETREE_INLINE explicit Transposed(const P* packs) {
    for (std::size_t r = 0; r < width; ++r) std::memcpy(&rows_[r], &packs[r], sizeof(Vector));
    exchange<1>();
  }

  /// Writes the first numbers of a lane, one from each of the first `count` packs.
  template <std::size_t count>
  KINETREE_INLINE void store(std::size_t lane, T* to) const {
    std::memcpy(to, &rows_[lane], count * sizeof(T));
  }

 private:
  /// In every square of 2 s rows and columns exchanges the two squares of s beside the diagonal; then in larger
  /// squares.
  template <std::size_t s>
  KINETREE_INLINE void exchange() {
    if constexpr (s < width) {
      for (std::size_t r = 0; r < width; ++r) {
        if ((r & s) != 0) continue;
        const Vector a = rows_[r], b = rows_[r + s];
        rows_[r] = upper<s>(a, b, std::make_index_sequence<width>());
        rows_[r + s] = lower<s>(a, b, std::make_index_sequence<width>());
      }
      exchange<2 * s>();
    }
  }
  template <std::size_t s, std::size_t... k>
  KINETREE_INLINE static Vector upper(Vector a, Vector b, std::index_sequence<k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k - s : k)...);
  }
  template <std::size_t s, std::size_t... k>
  KINETREE_INLINE static Vector lower(Vector a, Vector b, std::index_sequence<k...>) {
    return __builtin_shufflevector(a, b, ((k & s) != 0 ? width + k : k + s)...);
  }

  Vector rows_[width];
};
template <class P>
KINETREE_INLINE Transposed<P> transposed(const P* packs) {
  return Transposed<P>(packs);
}

}  // namespace kinetree::inline inner
