// Sine and cosine of packs against 60 digits, and one lane against many.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/scalar/reference.hpp>
#include <limits>
#include <random>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "scalar/sin_cos_lanes.hpp"

namespace kinetree::oracle {
namespace {

template <class T>
struct Set {
  const char* name;
  void (*of)(const T*, int, bool, T*, T*);
  bool runs;
};

template <class T>
std::vector<Set<T>> sets() {
  std::vector<Set<T>> all{{"baseline", sin_cos_baseline, true}};
  all.push_back({"avx2", sin_cos_avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")});
  all.push_back(
      {"avx512", sin_cos_avx512,
       __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")});
  std::erase_if(all, [](const Set<T>& s) { return !s.runs; });
  return all;
}

/// Angles of every size up to `limit`, next to multiples of pi/2, and tiny.
template <class T>
std::vector<T> angles(double limit) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> unit(-1, 1), size(-12, std::log10(limit)), tiny(-320, -12);
  std::vector<T> x;
  for (int n = 0; n < 1500; ++n) {
    x.push_back(static_cast<T>(unit(generator) * limit));
    x.push_back(static_cast<T>(4 * unit(generator)));
    x.push_back(static_cast<T>(std::copysign(std::pow(10, size(generator)), unit(generator))));
    x.push_back(static_cast<T>(std::copysign(std::pow(10, tiny(generator)), unit(generator))));
  }
  // all small multiples, then some: the rounded ones and their neighbours
  for (int n = 1; n < 600000 && x.size() < 15000; n += n < 500 ? 1 : 311) {
    const T near = static_cast<T>(n * 1.5707963267948966);
    for (const T y : {near, std::nextafter(near, T(0)), std::nextafter(near, T(1e9)),
                      static_cast<T>((n - 0.5) * 1.5707963267948966)})
      if (static_cast<double>(y) <= limit) x.push_back(n % 2 ? y : -y);
  }
  while (x.size() % 16) x.push_back(T(1));
  return x;
}

/// Units in the last place between what came out and the truth.
template <class T>
double units(T got, const Reference& truth) {
  int exponent = 0;
  (void)std::frexp(static_cast<T>(truth), &exponent);
  constexpr int digits = std::numeric_limits<T>::digits;
  exponent = std::max(exponent - digits, std::numeric_limits<T>::min_exponent - digits);
  return std::abs(static_cast<double>(ldexp(Reference(got) - truth, -exponent)));
}

template <class T>
class SinCos : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(SinCos, Numbers);

TYPED_TEST(SinCos, TwoUnitsUpToAMillion) {
  using T = TypeParam;
  const std::vector<T> x = angles<T>(1e6);
  std::vector<Reference> sine, cosine;
  for (const T& a : x) sine.push_back(sin(Reference(a))), cosine.push_back(cos(Reference(a)));
  for (const Set<T>& set : sets<T>())
    for (const bool full : {true, false}) {
      std::vector<T> s(x.size()), c(x.size());
      set.of(x.data(), static_cast<int>(x.size()), full, s.data(), c.data());
      double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        double error = units(s[i], sine[i]);
        keep_worst(error, units(c[i], cosine[i]));
        ASSERT_LE(error, 2) << set.name << ", " << (full ? "a register" : "one lane") << ", x = " << std::hexfloat
                            << x[i];
        keep_worst(worst, error);
      }
      this->RecordProperty(std::string(set.name) + (full ? "_register" : "_lane"), std::to_string(worst));
      std::printf("%s %s, %zu bytes: worst %.3f\n", set.name, full ? "register" : "lane", sizeof(T), worst);
    }
}

TYPED_TEST(SinCos, OneLaneAndManyGiveTheSameBits) {
  using T = TypeParam;
  for (const double limit : {1e6, 1e9}) {
    const std::vector<T> x = angles<T>(limit);
    const int n = static_cast<int>(x.size());
    for (const Set<T>& set : sets<T>()) {
      std::vector<T> s1(x.size()), c1 = s1, s = s1, c = s1;
      set.of(x.data(), n, false, s1.data(), c1.data());
      set.of(x.data(), n, true, s.data(), c.data());
      for (std::size_t i = 0; i < x.size(); ++i) {  // a great angle in the next lane must not change them
        ASSERT_EQ(s[i], s1[i]) << set.name << ", x = " << x[i];
        ASSERT_EQ(c[i], c1[i]) << set.name << ", x = " << x[i];
      }
    }
  }
}

TYPED_TEST(SinCos, GreatAnglesAreAsGoodAsTheLibrary) {
  using T = TypeParam;
  const std::vector<T> x = angles<T>(1e18);
  for (const Set<T>& set : sets<T>()) {
    std::vector<T> s(x.size()), c(x.size());
    set.of(x.data(), static_cast<int>(x.size()), true, s.data(), c.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_LE(units(s[i], Reference(std::sin(x[i]))), 2) << set.name << ", x = " << x[i];
      ASSERT_LE(units(c[i], Reference(std::cos(x[i]))), 2) << set.name << ", x = " << x[i];
    }
  }
}

TYPED_TEST(SinCos, ZerosKeepTheirSignAndNoNumberStaysNone) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  for (const Set<T>& set : sets<T>())
    for (const bool full : {true, false}) {
      std::vector<T> x(16, T(1)), s(16), c(16);
      x[0] = T(0), x[1] = -T(0), x[2] = Limits::denorm_min(), x[3] = -Limits::min();
      set.of(x.data(), 16, full, s.data(), c.data());
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(s[i], x[i]) << set.name;
        EXPECT_EQ(std::signbit(s[i]), std::signbit(x[i])) << set.name;
        EXPECT_EQ(c[i], T(1)) << set.name;
      }
      x[0] = Limits::infinity(), x[1] = -x[0], x[2] = Limits::quiet_NaN(), x[3] = Limits::max();
      set.of(x.data(), 16, full, s.data(), c.data());
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(std::isnan(s[i])) << set.name;
        EXPECT_TRUE(std::isnan(c[i])) << set.name;
      }
      EXPECT_EQ(s[3], std::sin(x[3]));
      EXPECT_LE(std::abs(s[4] - std::sin(T(1))), Limits::epsilon()) << "a lane beside one that is no number";
    }
}

}  // namespace
}  // namespace kinetree::oracle
