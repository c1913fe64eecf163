#pragma once
// Tangent: a number and its rate along one direction (forward differentiation: Griewank & Walther 2008, ch. 3). Any
// kernel on it gives its result and the derivative of its result: to tests an oracle that shares no formula with
// closed forms.

#include <concepts>
#include <kinetree/scalar/scalar.hpp>

namespace kinetree::inline inner {

template <class S>
struct Tangent {
  S value{}, rate{};

  constexpr Tangent() = default;
  constexpr Tangent(const S& value, const S& rate) : value(value), rate(rate) {}
  /// A constant.
  template <class T>
  requires std::constructible_from<S, const T&>
  constexpr explicit Tangent(const T& constant) : value(constant), rate(0) {}

  friend Tangent operator+(const Tangent& a, const Tangent& b) { return {a.value + b.value, a.rate + b.rate}; }
  friend Tangent operator-(const Tangent& a, const Tangent& b) { return {a.value - b.value, a.rate - b.rate}; }
  friend Tangent operator*(const Tangent& a, const Tangent& b) {
    return {a.value * b.value, a.rate * b.value + a.value * b.rate};
  }
  friend Tangent operator/(const Tangent& a, const Tangent& b) {
    const S quotient = a.value / b.value;
    return {quotient, (a.rate - quotient * b.rate) / b.value};
  }
  friend Tangent operator-(const Tangent& a) { return {-a.value, -a.rate}; }
  Tangent& operator+=(const Tangent& b) { return *this = *this + b; }
  Tangent& operator-=(const Tangent& b) { return *this = *this - b; }
  Tangent& operator*=(const Tangent& b) { return *this = *this * b; }
  Tangent& operator/=(const Tangent& b) { return *this = *this / b; }
  friend auto operator>(const Tangent& a, const Tangent& b) { return a.value > b.value; }
  friend auto operator<(const Tangent& a, const Tangent& b) { return a.value < b.value; }

  friend void sin_cos(const Tangent& angle, Tangent& sine, Tangent& cosine) {
    S s, c;
    using kinetree::sin_cos;
    sin_cos(angle.value, s, c);
    sine = {s, c * angle.rate}, cosine = {c, -(s * angle.rate)};
  }
};

template <class S>
double to_double(const Tangent<S>& x) {
  return kinetree::to_double(x.value);
}

}  // namespace kinetree::inline inner
