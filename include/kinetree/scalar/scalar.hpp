#pragma once
// What an algorithm may do with a Scalar: the four operations, sine and cosine, and `select` instead of branches.

#include <cmath>

namespace kinetree {

/// What a Scalar is made of. Where it is several numbers, kernels may look at none of them to choose: the others might
/// have to choose differently.
template <class S>
struct Numbers {
  using Type = S;
  using One = S;  ///< a Scalar of one of the numbers
  static constexpr int count = 1;
};

/// Sine and cosine of one angle (rad). A scalar that does it another way overloads this beside its own definition.
template <class S>
void sin_cos(const S& angle, S& sine, S& cosine) {
  using std::cos;
  using std::sin;
  sine = sin(angle);
  cosine = cos(angle);
}

/// The value of `a` where the condition holds, else of `b`; never a branch in a kernel.
template <class S>
S select(bool condition, const S& a, const S& b) {
  return condition ? a : b;
}

/// To double, for reporting and checks outside the kernels.
template <class S>
double to_double(const S& x) {
  return static_cast<double>(x);
}

/// One of the numbers that a Scalar is made of, to double.
template <class S>
double number_of(const S& x, int number) {
  if constexpr (Numbers<S>::count > 1)
    return static_cast<double>(x.lane(number));
  else
    return to_double(x);
}

}  // namespace kinetree
