#pragma once
// The high-precision reference scalar: 60 decimal digits.

// with visibility of its own, since templates on it have no more than its
#pragma GCC visibility push(default)
#include <boost/multiprecision/cpp_bin_float.hpp>
#pragma GCC visibility pop

#include <kinetree/scalar/scalar.hpp>

namespace kinetree {

using Reference =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>, boost::multiprecision::et_off>;

}  // namespace kinetree
