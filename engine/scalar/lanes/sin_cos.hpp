#pragma once
// Sine and cosine of a Pack, within 2 units in the last place for |x| <= 1e6; beyond that each lane asks the C library.
// Of the x given: a joint adds its frames' angle to q before, and that sum rounds by up to 1.1e-16 |q| (1e4 rad:
// 9e-13). xsimd's own were up to 2.4 units off and took 17 ns for eight doubles. This is the textbook way: Cody & Waite
// 1980, Ch. 8, reduce the angle by n pi/2 with pi/2 in parts, so that nothing is lost next to a multiple of it; then
// one polynomial each for sine and cosine on [-pi/4, pi/4] (fitted at Chebyshev's nodes in 40 digits), and the quadrant
// says which is which. One lane and many do the same operations, so that they give the same bits.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::inline inner {
namespace trigonometry {

template <class T>
struct Constants;

template <>
struct Constants<double> {
  using Integer = std::int64_t;
  static constexpr double shift = 0x1.8p52;  ///< added, it rounds to an integer whose last bits stand at the end
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  /// Cut off, not rounded: all positive, so that a zero keeps its sign.
  static constexpr double parts[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c06p-54, 0x1.c1cd129024e08p-107};
  /// Of 33 bits, so that a product with n (20 bits) is exact without a fused operation.
  static constexpr double short_parts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252p-104};
  /// sin x = x + x³ p(x²), cos x = 1 - x²/2 + x⁴ p(x²), highest power first. Errors: 2e-17 and 1e-18.
  static constexpr double sine[] = {1.5918117983848815e-10, -2.5051131688000297e-08, 2.755731610179909e-06,
                                    -0.0001984126983675712, 0.008333333333330948,    -0.16666666666666666};
  static constexpr double cosine[] = {-1.1382625349447592e-11, 2.0876146170183976e-09, -2.7557317271258515e-07,
                                      2.4801587298764778e-05,  -0.0013888888888887398, 0.041666666666666664};
};

template <>
struct Constants<float> {
  using Integer = std::int32_t;
  static constexpr float shift = 0x1.8p23f;
  static constexpr float two_over_pi = 0x1.45f306p-1f;
  static constexpr float parts[] = {0x1.921fb4p+0f, 0x1.4442dp-24f, 0x1.846988p-48f};
  /// On [-0.84, 0.84]: at 1e6 the quotient, rounded, may be 0.06 on the wrong side. Errors: 3e-10 and 3e-9.
  static constexpr float sine[] = {2.720379664e-6f, -0.0001983970412f, 0.008333331112f, -0.1666666666f};
  static constexpr float cosine[] = {2.450987074e-5f, -1.388811353e-3f, 4.166666361e-2f};
};

/// a b + c, rounded once where the instruction set can.
template <class P>
KINETREE_INLINE P multiply_add(const P& a, const P& b, const P& c) {
  if constexpr (!P::Set::fma)
    return a * b + c;
  else if constexpr (P::width == 1 && sizeof(typename P::Number) == sizeof(double))
    return P::of(__builtin_fma(a.lanes, b.lanes, c.lanes));
  else if constexpr (P::width == 1)
    return P::of(__builtin_fmaf(a.lanes, b.lanes, c.lanes));
  else
    return P::of(xsimd::fma(a.lanes, b.lanes, c.lanes));
}

/// A polynomial in z, its coefficients by falling power; zz = z². By pairs, half as deep as Horner's way (Estrin 1960).
template <class P, std::size_t N>
KINETREE_INLINE P polynomial(const typename P::Number (&coefficients)[N], const P& z, const P& zz) {
  const auto pair = [&](std::size_t k) { return multiply_add(P::of(coefficients[k]), z, P::of(coefficients[k + 1])); };
  P sum = N % 2 == 1 ? P::of(coefficients[0]) : pair(0);
  if constexpr (N > 2) sum = multiply_add(sum, zz, pair(2 - N % 2));
  if constexpr (N > 4) sum = multiply_add(sum, zz, pair(4 - N % 2));
  static_assert(N <= 6);
  return sum;
}

/// The bits of a pack as integers, and back.
template <class P>
KINETREE_INLINE auto bits(const P& x) {
  using Integer = typename Constants<typename P::Number>::Integer;
  if constexpr (P::width == 1)
    return std::bit_cast<Integer>(x.lanes);
  else
    return xsimd::bitwise_cast<xsimd::batch<Integer, typename P::Set::Arch>>(x.lanes);
}
template <class P, class Integers>
KINETREE_INLINE P from_bits(const Integers& i) {
  if constexpr (P::width == 1)
    return P::of(std::bit_cast<typename P::Number>(i));
  else
    return P::of(xsimd::bitwise_cast<typename P::Register>(i));
}

/// Whether some lane is beyond what the reduction is made for; NaN and infinity are.
template <class P>
KINETREE_INLINE bool some_beyond(const P& x) {
  using T = typename P::Number;
  const T limit = static_cast<T>(1e6);
  if constexpr (P::width == 1)
    return !(std::abs(x.lanes) <= limit);
  else
    return !xsimd::all(xsimd::abs(x.lanes) <= typename P::Register(limit));
}

template <class P>
struct SineCosine {
  P sine, cosine;
};

/// The lanes that are beyond, by the C library; the others keep their bits, whatever stands beside them. By value: what
/// is referred to stands in memory even where nothing is called.
template <class P>
[[gnu::noinline]] SineCosine<P> by_library(P x, SineCosine<P> at_x) {
  typename P::Number a[P::width], s[P::width], c[P::width];
  x.store(a), at_x.sine.store(s), at_x.cosine.store(c);
  for (int k = 0; k < P::width; ++k)
    if (some_beyond(Pack<typename P::Number, 1, typename P::Set>::of(a[k])))
      s[k] = std::sin(a[k]), c[k] = std::cos(a[k]);
  return {P::load(s), P::load(c)};
}

/// Floats without fused operations go through doubles: twenty bits of n leave too few of 24 for the parts of pi/2.
template <class P>
void through_doubles(const P& x, P& sine, P& cosine) {
  using D = std::conditional_t<P::width == 1, Pack<double, 1, typename P::Set>,
                               Pack<double, native_width<double, typename P::Set>, typename P::Set>>;
  float a[P::width], s[P::width], c[P::width];
  double wide[D::width], wide_sine[D::width], wide_cosine[D::width];
  x.store(a);
  for (int first = 0; first < P::width; first += D::width) {
    for (int k = 0; k < D::width; ++k) wide[k] = static_cast<double>(a[first + k]);
    D sines, cosines;
    sin_cos(D::load(wide), sines, cosines);
    sines.store(wide_sine), cosines.store(wide_cosine);
    for (int k = 0; k < D::width; ++k) {
      s[first + k] = static_cast<float>(wide_sine[k]);
      c[first + k] = static_cast<float>(wide_cosine[k]);
    }
  }
  sine = P::load(s), cosine = P::load(c);
}

}  // namespace trigonometry

template <class T, int W, class Isa>
KINETREE_INLINE void sin_cos(const Pack<T, W, Isa>& x, Pack<T, W, Isa>& sine, Pack<T, W, Isa>& cosine) {
  using P = Pack<T, W, Isa>;
  using C = trigonometry::Constants<T>;
  using I = typename C::Integer;
  using trigonometry::multiply_add;
  if constexpr (std::is_same_v<T, float> && !Isa::fma) {
    return trigonometry::through_doubles(x, sine, cosine);
  } else {
    const P shifted = multiply_add(x, P::of(C::two_over_pi), P::of(C::shift));
    const P n = shifted - P::of(C::shift);
    P r = x;
    if constexpr (Isa::fma) {
      for (const T part : C::parts) r = multiply_add(-n, P::of(part), r);
    } else {
      for (const T part : C::short_parts) r = r - n * P::of(part);
    }
    const P z = r * r, zz = z * z;
    const P s = multiply_add(r * z, trigonometry::polynomial(C::sine, z, zz), r);
    const P half = z * P::of(T(0.5));
    const P w = P::of(T(1)) - half;
    // what 1 - z/2 lost by rounding comes back with the rest
    const P c = w + multiply_add(zz, trigonometry::polynomial(C::cosine, z, zz), (P::of(T(1)) - w) - half);

    // n mod 4: bit 0 exchanges the two, bit 1 turns the sine's sign, their sum the cosine's
    constexpr int top = 8 * static_cast<int>(sizeof(T)) - 1;
    const auto quadrant = trigonometry::bits(shifted);
    using Integers = std::remove_const_t<decltype(quadrant)>;
    const Integers sign_bit(std::numeric_limits<I>::min());
    const Integers sine_sign = (quadrant << (top - 1)) & sign_bit;
    const Integers cosine_sign = ((quadrant + Integers(I(1))) << (top - 1)) & sign_bit;
    // sin r has the sign of r, of a zero too
    const auto s_bits = trigonometry::bits(s) | (trigonometry::bits(r) & sign_bit);
    const auto c_bits = trigonometry::bits(c);
    const auto exchange = (quadrant & Integers(I(1))) != Integers(I(0));
    if constexpr (W == 1) {
      sine = trigonometry::from_bits<P>(static_cast<I>((exchange ? c_bits : s_bits) ^ sine_sign));
      cosine = trigonometry::from_bits<P>(static_cast<I>((exchange ? s_bits : c_bits) ^ cosine_sign));
    } else {
      sine = trigonometry::from_bits<P>(xsimd::select(exchange, c_bits, s_bits) ^ sine_sign);
      cosine = trigonometry::from_bits<P>(xsimd::select(exchange, s_bits, c_bits) ^ cosine_sign);
    }
    if (trigonometry::some_beyond(x)) [[unlikely]] {
      const trigonometry::SineCosine<P> exact = trigonometry::by_library(x, {sine, cosine});
      sine = exact.sine, cosine = exact.cosine;
    }
  }
}

}  // namespace kinetree::inline inner
