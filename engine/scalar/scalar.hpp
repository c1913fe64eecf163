#pragma once
// What an algorithm may do with a Scalar: the four operations, sine and cosine, and `select` instead of branches.

#include <cmath>

namespace kinetree {

/// Sine and cosine of one angle (rad). Other scalars overload it beside their own definition.
inline void sin_cos(double angle, double& sine, double& cosine) {
  sine = std::sin(angle);
  cosine = std::cos(angle);
}
inline void sin_cos(float angle, float& sine, float& cosine) {
  sine = std::sin(angle);
  cosine = std::cos(angle);
}

/// The value of `a` where the condition holds, else of `b`; never a branch in a kernel.
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline float select(bool condition, float a, float b) { return condition ? a : b; }

/// To double, for reporting and checks outside the kernels.
inline double to_double(double x) { return x; }
inline double to_double(float x) { return static_cast<double>(x); }

/// `sum += a * b` and friends are written out in the kernels; the compiler contracts them where the target has FMA.

}  // namespace kinetree
