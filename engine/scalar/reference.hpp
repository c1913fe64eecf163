#pragma once
// The high-precision reference scalar: 60 decimal digits.

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <kinetree/scalar/scalar.hpp>

namespace kinetree {

using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>, boost::multiprecision::et_off>;

inline void sin_cos(const Reference& angle, Reference& sine, Reference& cosine) {
  sine = sin(angle);
  cosine = cos(angle);
}
inline Reference select(bool condition, const Reference& a, const Reference& b) { return condition ? a : b; }
inline double to_double(const Reference& x) { return x.convert_to<double>(); }

}  // namespace kinetree
