#pragma once
// The first numbers of a register from and to memory, where what lies behind them must not be touched.

#include <cstdint>
#include <type_traits>
#include <utility>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

/// The first `count` of the register's `width` numbers, of type T (double or float).
template <class T, int width>
class FirstNumbers {
  static constexpr int bytes = width * static_cast<int>(sizeof(T));
  static constexpr bool wide = sizeof(T) == sizeof(double);
  using Whole = std::conditional_t<wide, std::int64_t, std::int32_t>;
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef Whole Mask __attribute__((vector_size(bytes)));

 public:
  /// The mask by one comparison: lane by lane it took longer than what it serves.
  KINETREE_INLINE explicit FirstNumbers(int count)
      : count_(count), mask_(lanes(std::make_integer_sequence<int, width>()) < Mask{} + static_cast<Whole>(count)) {}

  /// Zeros behind them.
  KINETREE_INLINE Vector load(const T* from) const {
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && wide) return _mm512_maskz_loadu_pd(_mm512_movepi64_mask(__m512i(mask_)), from);
    if constexpr (bytes == 64 && !wide) return _mm512_maskz_loadu_ps(_mm512_movepi32_mask(__m512i(mask_)), from);
#endif
#if defined(__AVX2__)
    if constexpr (bytes == 32 && wide) return _mm256_maskload_pd(from, __m256i(mask_));
    if constexpr (bytes == 32 && !wide) return _mm256_maskload_ps(from, __m256i(mask_));
#endif
    Vector x{};
    straight<0, width>([&](int k) {
      if (k < count_) x[k] = from[k];
    });
    return x;
  }

  KINETREE_INLINE void store(const Vector& x, T* to) const {
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && wide) return _mm512_mask_storeu_pd(to, _mm512_movepi64_mask(__m512i(mask_)), x);
    if constexpr (bytes == 64 && !wide) return _mm512_mask_storeu_ps(to, _mm512_movepi32_mask(__m512i(mask_)), x);
#endif
    straight<0, width>([&](int k) {
      if (k < count_) to[k] = x[k];
    });
  }

 private:
  template <int... k>
  KINETREE_INLINE static Mask lanes(std::integer_sequence<int, k...>) {
    return Mask{k...};
  }

  int count_;
  Mask mask_;  ///< all bits set in the first count_ lanes, none in the others
};

}  // namespace kinetree::inline inner
