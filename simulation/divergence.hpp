#pragma once
// A motion that diverges: an integrator comes to numbers that are no longer finite.

#include <algorithm>
#include <cmath>
#include <kinetree/status.hpp>
#include <string_view>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "library/quaternion_check.hpp"

namespace kinetree::inline inner {

/// The status of a step that came to q and v, which are not finite or whose accelerations are not, from velocities
/// `before` at `time`. A NaN spreads over a mechanism within one step: named is the joint that was the fastest among
/// those that lost their numbers, or among all.
inline Status divergence(const ModelData& m, const double* q, const double* v, const double* before, double time) {
  Status status{StatusCode::diverged, 0, -1, time};
  for (const bool lost_alone : {true, false}) {
    double fastest = -1;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const int q_i = m.q_index[i], v_i = m.v_index[i], q_end = m.q_index[i + 1], v_end = m.v_index[i + 1];
      if (lost_alone && all_finite(q + q_i, at(q_end - q_i)) && all_finite(v + v_i, at(v_end - v_i))) continue;
      double speed = 0;
      for (int k = v_i; k < v_end; ++k) speed = std::max(speed, std::abs(before[k]));
      if (speed > fastest) fastest = speed, status.body = static_cast<int>(i);
    }
    if (status.body >= 0) break;
  }
  return status;
}

/// The status of a step at whose state q, v the dynamics say `solved`: that, or `divergence`, since the state is the
/// integrator's own. Forces that are not finite are their function's fault, unless it got numbers whose squares are
/// not.
inline Status status_in_motion(const Status& solved, const ModelData& m, const double* q, const double* v,
                               const double* before, double time) {
  if (solved.code != StatusCode::not_finite) return solved;
  const std::string_view argument = solved.argument;
  if (argument == "tau" || argument == "f_ext") {
    const auto moderate = [](double x) { return std::isfinite(x * x); };
    if (std::all_of(q, q + m.q_index.back(), moderate) && std::all_of(v, v + m.v_index.back(), moderate)) return solved;
  }
  return divergence(m, q, v, before, time);
}

}  // namespace kinetree::inline inner
