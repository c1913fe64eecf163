#pragma once
// The largest error so far, NaN among them: std::max(worst, x) and Eigen's maxCoeff() lose a NaN, and what they then
// report is the best of what went wrong.

#include <Eigen/Core>
#include <cmath>

namespace kinetree::inline inner {

/// `worst` becomes the larger of both; a NaN is worse than any number and stays.
template <class S>
void keep_worst(S& worst, const S& x) {
  if (worst == worst && !(x <= worst)) worst = x;
}

/// The largest |x| of an Eigen matrix or of an expression; 0 where it has no entries, NaN where one entry is.
template <class X>
typename X::Scalar largest_of(const X& x) {
  using std::abs;
  using S = typename X::Scalar;
  const auto& values = x.eval();
  S worst(0);
  for (Eigen::Index c = 0; c < values.cols(); ++c)
    for (Eigen::Index r = 0; r < values.rows(); ++r) keep_worst(worst, S(abs(values(r, c))));
  return worst;
}

}  // namespace kinetree::inline inner
