#pragma once
// Pack: W numbers that go through a kernel side by side, one per lane, as one Scalar.
//
// Why xsimd and not Highway: its types carry the instruction set, so kernels compiled for two of them are different
// functions and can't be taken for one another; and its operators are expressions that g++ and clang contract to fused
// multiply-adds. Highway's dispatch wants every kernel included again for each target. std::experimental::simd is out:
// clang 14 with libstdc++ 12 ignores `where` under AVX-512.
//
// For translation units of the library that are compiled for one instruction set; not installed.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <kinetree/scalar/scalar.hpp>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "engine/scalar/inline.hpp"
#include "engine/scalar/lanes/transpose.hpp"
#include "engine/scalar/whole_register.hpp"

namespace kinetree {
inline namespace inner {

// of scalars, beside those of packs
using kinetree::select;
using kinetree::sin_cos;
using kinetree::to_double;

// Instruction sets: what a processor must have, and whether it multiplies and adds with one rounding. Half: packs of
// half a register, where kernels want them too.
struct Baseline {  ///< SSE2, which every x86-64 has
  using Arch = xsimd::sse2;
  using Half = void;
  static constexpr bool fma = false;
};
struct Avx2 {  ///< AVX2 and FMA
  using Arch = xsimd::fma3<xsimd::avx2>;
  using Half = void;
  static constexpr bool fma = true;
};
struct Avx512Half {  ///< the lower half of AVX-512's registers, of which there are twice as many as without
  using Arch = xsimd::fma3<xsimd::avx2>;
  using Half = void;
  static constexpr bool fma = true;
};
struct Avx512 {  ///< AVX-512 F, CD, DQ, BW, VL
  using Arch = xsimd::avx512bw;
  using Half = Avx512Half;
  static constexpr bool fma = true;
};

/// Lanes of a full register.
template <class T, class Isa>
inline constexpr int native_width = static_cast<int>(xsimd::batch<T, typename Isa::Arch>::size);

/// W numbers of type T (double or float): one, or as many as a register holds. With W = 1 it is a plain T inside, laid
/// out like one, so that kernels for one state use the instruction set as well.
template <class T, int W, class Isa>
class Pack {
  static_assert(W == 1 || W == native_width<T, Isa>, "one lane, or a full register");

 public:
  using Number = T;
  using Set = Isa;
  using Register = std::conditional_t<W == 1, T, xsimd::batch<T, typename Isa::Arch>>;
  using Mask = std::conditional_t<W == 1, bool, xsimd::batch_bool<T, typename Isa::Arch>>;
  static constexpr int width = W;

  KINETREE_INLINE Pack() : lanes(T(0)) {}
  KINETREE_INLINE explicit Pack(double x) : lanes(static_cast<T>(x)) {}
  KINETREE_INLINE explicit Pack(int x) : lanes(static_cast<T>(x)) {}
  /// Of a register as it is.
  KINETREE_INLINE static Pack of(const Register& x) {
    Pack p;
    p.lanes = x;
    return p;
  }
  /// Of W numbers in memory, aligned or not.
  KINETREE_INLINE static Pack load(const T* from) {
    if constexpr (W == 1)
      return of(*from);
    else
      return of(Register::load_unaligned(from));
  }
  KINETREE_INLINE void store(T* to) const {
    if constexpr (W == 1)
      *to = lanes;
    else
      lanes.store_unaligned(to);
  }
  /// One lane, read where the pack stands in memory; not for kernels.
  T lane(int k) const {
    T number;
    std::memcpy(&number, reinterpret_cast<const std::byte*>(&lanes) + static_cast<std::size_t>(k) * sizeof(T),
                sizeof(T));
    return number;
  }
  void set_lane(int k, T number) {
    std::memcpy(reinterpret_cast<std::byte*>(&lanes) + static_cast<std::size_t>(k) * sizeof(T), &number, sizeof(T));
  }

  KINETREE_INLINE friend Pack operator+(const Pack& a, const Pack& b) { return of(a.lanes + b.lanes); }
  KINETREE_INLINE friend Pack operator-(const Pack& a, const Pack& b) { return of(a.lanes - b.lanes); }
  KINETREE_INLINE friend Pack operator*(const Pack& a, const Pack& b) { return of(a.lanes * b.lanes); }
  KINETREE_INLINE friend Pack operator/(const Pack& a, const Pack& b) { return of(a.lanes / b.lanes); }
  KINETREE_INLINE friend Pack operator-(const Pack& a) {
    // on the register itself: xsimd's own negation is an xor, or 0 - x, which no compiler takes into a fused operation
    if constexpr (W == 1)
      return of(-a.lanes);
    else
      return of(Register(-a.lanes.data));
  }
  KINETREE_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
  KINETREE_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
  KINETREE_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }
  KINETREE_INLINE Pack& operator/=(const Pack& b) { return *this = *this / b; }
  KINETREE_INLINE friend Mask operator>(const Pack& a, const Pack& b) { return a.lanes > b.lanes; }
  KINETREE_INLINE friend Mask operator<(const Pack& a, const Pack& b) { return a.lanes < b.lanes; }
  KINETREE_INLINE friend Mask operator==(const Pack& a, const Pack& b) { return a.lanes == b.lanes; }

  /// Lane by lane: of `a` where the mask holds, else of `b`.
  KINETREE_INLINE friend Pack select(const Mask& mask, const Pack& a, const Pack& b) {
    if constexpr (W == 1)
      return mask ? a : b;
    else
      return of(xsimd::select(mask, a.lanes, b.lanes));
  }

  Register lanes;
};

}  // namespace inner

template <class T, int W, class Isa>
struct Numbers<Pack<T, W, Isa>> {
  using Type = T;
  using One = Pack<T, 1, Isa>;
  static constexpr int count = W;
};

inline namespace inner {

template <class T, class Isa>
struct WholeRegister<Pack<T, 1, Isa>> {
  using One = Pack<T, 1, Isa>;
  using Type = Pack<T, native_width<T, Isa>, Isa>;
  static constexpr int width = Type::width;

  KINETREE_INLINE static Type broadcast(const One& x) { return Type::of(typename Type::Register(x.lanes)); }
  /// By a choice of lanes: who reads a register whole waits for a lane that was written in memory.
  KINETREE_INLINE static void set(Type& all, int lane, const One& x) {
    all = select(Type::load(number) == broadcast(One::of(number[lane])), broadcast(x), all);
  }
  /// The first n numbers of a, and behind them those of b.
  KINETREE_INLINE static Type first(int n, const Type& a, const Type& b) {
    return select(Type::load(number) < broadcast(One::of(static_cast<T>(n))), a, b);
  }
  KINETREE_INLINE static void store(const Type& all, One* to) { all.store(&to->lanes); }
  /// Of a square matrix of n >= 2 width - 1 rows, one after another: in `width` rows from r on what stands in columns
  /// [left, right) and not above the diagonal, from the triangle above it.
  static void turn_over(One* matrix, std::ptrdiff_t n, std::ptrdiff_t r, std::ptrdiff_t left, std::ptrdiff_t right) {
    T* const a = &matrix->lanes;
    const auto square = [a, n, r](std::ptrdiff_t c) KINETREE_INLINE_LAMBDA {
      const Transposed<T, width> turned([&](int k) KINETREE_INLINE_LAMBDA { return a + (c + k) * n + r; });
      straight<0, width>([&](auto k) KINETREE_INLINE_LAMBDA { turned.store(turned.row(k), a + (r + k) * n + c); });
    };
    std::ptrdiff_t c = left;
    for (; c < right && c + width - 1 <= r; c += width) square(c);
    if (c >= right) return;
    if (c < r) square(r - width + 1);
    T* const corner = a + r * n + r;
    straight<1, width>([&](auto k) KINETREE_INLINE_LAMBDA {
      straight<0, k>([&](auto l) KINETREE_INLINE_LAMBDA { corner[k * n + l] = corner[l * n + k]; });
    });
  }

 private:
  static constexpr int most = 16;  // floats of AVX-512
  static constexpr T number[most] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

/// The first lane, for what is the same in all of them.
template <class T, int W, class Isa>
double to_double(const Pack<T, W, Isa>& p) {
  return static_cast<double>(p.lane(0));
}

}  // namespace inner
}  // namespace kinetree

#include "engine/scalar/lanes/own_choice.hpp"
#include "engine/scalar/lanes/sin_cos.hpp"
