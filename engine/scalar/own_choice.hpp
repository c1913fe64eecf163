#pragma once
// Decisions by value where a Scalar may be several numbers: each has an index of its own, so that the decision of one
// depends on no other. Of one number an index is an int and a condition a bool; packs overload all this
// (lanes/own_choice.hpp).

#include <algorithm>
#include <cmath>
#include <kinetree/scalar/scalar.hpp>
#include <type_traits>

namespace kinetree::inline inner {

using kinetree::select;  // beside the one of packs

/// An index for each number of a Scalar.
template <class S>
using Index = std::conditional_t<Numbers<S>::count == 1, int, S>;

/// Magnitudes of the numbers of a Scalar, to be compared: of one number a double, whatever the Scalar.
template <class S>
using Magnitude = std::conditional_t<Numbers<S>::count == 1, double, S>;

template <class S>
Magnitude<S> magnitude(const S& x) {
  return std::abs(to_double(x));
}
inline double largest(double a, double b) { return std::max(a, b); }

/// Whether a condition holds for any number.
inline bool any(bool condition) { return condition; }

/// row[column] of each number's own column, of n.
template <class S>
S entry(const S* row, int, int column) {
  return row[column];
}
template <class S>
void set_entry(S* row, int, int column, const S& value) {
  row[column] = value;
}

/// One number of `to` becomes that of `from`.
template <class S>
void set_number(S& to, int, const S& from) {
  to = from;
}

}  // namespace kinetree::inline inner
