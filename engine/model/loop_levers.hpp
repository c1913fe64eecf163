#pragma once
// Where along a sliding loop its forces act. The constraints of a loop allow no other velocities for it, but singular
// values, pivots and errors are to be those of a mechanism, not of the way that its loop's frames have gone apart.

#include <algorithm>

#include "engine/model/loop_jacobian.hpp"
#include "engine/model/open_rows.hpp"

namespace kinetree::inline inner {

/// The rows of a loop that are moments, which come first.
inline int moment_count(LoopType type) {
  const auto kinds = row_kinds(type);
  return static_cast<int>(std::count_if(kinds.begin(), kinds.begin() + constraint_count(type),
                                        [](RowKind kind) { return !is_length(kind); }));
}

/// The axis of a loop's first force; the others follow it.
constexpr int first_force_axis(LoopType type) { return type == LoopType::planar ? 2 : 0; }

/// Whether the origins of a closed loop's frames may go apart while its forces act at the first (loop_forces).
constexpr bool parts_origins(LoopType type) {
  return type == LoopType::prismatic || type == LoopType::cylindrical || type == LoopType::planar;
}

/// Moves the force rows of one loop, which act at the first frame's origin, to the point between both origins where
/// the joints' turns move them least: forces through another point are these and multiples of the moments. `p`: the
/// second origin in the first frame. `slides(c)`: of a column. `errors` (null: none): of the loop, the derivatives of
/// which act at the second origin; they become those of the rows.
template <class Slides>
void act_where_levers_are_short(LoopType type, const Vector3<double>& p, int columns, double* K, double* errors,
                                Slides&& slides) {
  if (!parts_origins(type)) return;
  const int moments = moment_count(type), forces = constraint_count(type) - moments;
  double lever[3][3];  // forces x moments: those of a unit force at p
  for (int f = 0; f < forces; ++f) {
    const int axis = first_force_axis(type) + f;
    const Vector3<double> moment = cross(p, loop_detail::Rows<double>::unit(axis));
    lever[f][0] = moment.x, lever[f][1] = moment.y, lever[f][2] = moment.z;
  }
  const auto moment_at = [&](int f, int c) {
    double sum = 0;
    for (int k = 0; k < moments; ++k) sum += lever[f][k] * K[k * columns + c];
    return sum;
  };
  double along = 0, square = 0;
  for (int f = 0; f < forces; ++f)
    for (int c = 0; c < columns; ++c) {
      if (slides(c)) continue;
      const double there = moment_at(f, c);
      along -= K[(moments + f) * columns + c] * there, square += there * there;
    }
  const double part = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
  for (int f = 0; f < forces; ++f) {
    for (int c = 0; c < columns; ++c) K[(moments + f) * columns + c] += part * moment_at(f, c);
    if (errors == nullptr) continue;
    for (int k = 0; k < moments; ++k) errors[moments + f] -= (1 - part) * lever[f][k] * errors[k];
  }
}

}  // namespace kinetree::inline inner
