#pragma once
// Counted: a double that counts the operations done on it, by kind, and the depth of the longest chain behind it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <kinetree/export.hpp>
#include <kinetree/scalar/scalar.hpp>

namespace kinetree {

/// Operations by kind since the last reset, on this thread.
struct OperationCounts {
  std::uint64_t additions = 0;  ///< and subtractions
  std::uint64_t multiplications = 0;
  std::uint64_t divisions = 0;
  std::uint64_t trigonometric = 0;  ///< sine and cosine, one each
  std::uint64_t negations = 0;      ///< free in most machines; not part of total()
  std::uint64_t selections = 0;     ///< comparisons and selects; not part of total()
  std::uint64_t total() const { return additions + multiplications + divisions + trigonometric; }
};

/// A scalar for measuring: results are those of double.
class KINETREE_EXPORT Counted {
 public:
  constexpr Counted() = default;
  constexpr explicit Counted(double value) : value_(value) {}
  constexpr Counted(double value, std::uint32_t depth) : value_(value), depth_(depth) {}
  constexpr explicit Counted(int value) : value_(value) {}

  constexpr double value() const { return value_; }
  /// Length of the longest chain of operations that led here; an input or a constant has depth 0.
  constexpr std::uint32_t depth() const { return depth_; }

  static OperationCounts& counts() {
    thread_local OperationCounts counts;
    return counts;
  }

  friend Counted operator+(Counted a, Counted b) {
    ++counts().additions;
    return {a.value_ + b.value_, next(a, b)};
  }
  friend Counted operator-(Counted a, Counted b) {
    ++counts().additions;
    return {a.value_ - b.value_, next(a, b)};
  }
  friend Counted operator*(Counted a, Counted b) {
    ++counts().multiplications;
    return {a.value_ * b.value_, next(a, b)};
  }
  friend Counted operator/(Counted a, Counted b) {
    ++counts().divisions;
    return {a.value_ / b.value_, next(a, b)};
  }
  friend Counted operator-(Counted a) {
    ++counts().negations;
    return {-a.value_, a.depth_};
  }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }

  /// The outcome of a comparison, as deep as what was compared.
  struct Mask {
    bool holds;
    std::uint32_t depth;
  };
  friend Mask operator>(Counted a, Counted b) {
    ++counts().selections;
    return {a.value_ > b.value_, next(a, b)};
  }
  friend Mask operator<(Counted a, Counted b) { return b > a; }

  friend void sin_cos(Counted angle, Counted& sine, Counted& cosine) {
    counts().trigonometric += 2;
    sine = {std::sin(angle.value_), angle.depth_ + 1};
    cosine = {std::cos(angle.value_), angle.depth_ + 1};
  }
  friend Counted select(Mask mask, Counted a, Counted b) {
    const Counted& chosen = mask.holds ? a : b;
    return {chosen.value_, std::max(mask.depth, chosen.depth_)};
  }

 private:
  static std::uint32_t next(Counted a, Counted b) { return std::max(a.depth_, b.depth_) + 1; }

  double value_ = 0;
  std::uint32_t depth_ = 0;
};

inline double to_double(Counted x) { return x.value(); }

}  // namespace kinetree
