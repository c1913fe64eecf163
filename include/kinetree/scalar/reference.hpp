#pragma once
// The high-precision reference scalar: 60 decimal digits.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <kinetree/scalar/scalar.hpp>

namespace kinetree {

using Reference =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>, boost::multiprecision::et_off>;

}  // namespace kinetree
