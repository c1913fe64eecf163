#pragma once
// Articulated bodies over the nodes of a module: segments and aggregates.

#include "engine/algorithm/aggregate.hpp"

namespace kinetree::inline inner {

/// Gather: a module without columns whose base is not cut. behind(i): what follows at body i, the first of a segment.
template <class S, class Behind>
void articulate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step, Behind&& behind) {
  segments_inwards(x, step, [&](const Segment& segment) {
    if (segment.role == Segment::Role::member) return articulate_aggregate(x, k, b, segment.first());
    articulate(x, k, b, segment);
    behind(segment.first());
  });
}
template <class S>
void articulate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step) {
  articulate(x, k, b, step, [](int) {});
}

/// Scatter: accelerations of a module without columns whose base is not cut. before(i): what comes first at body i, the
/// first of a segment.
template <class S, class Before>
void accelerate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step, Before&& before) {
  segments_outwards(x, step, [&](const Segment& segment) {
    const int i = segment.first();
    before(i);
    if (segment.role == Segment::Role::member)
      accelerate_member(x, k, b, i, parent_acceleration(x, b, i));
    else
      accelerate(x, k, b, segment);
  });
}
template <class S>
void accelerate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step) {
  accelerate(x, k, b, step, [](int) {});
}

/// Whether the factor D of the joint that carries body i is positive and finite.
template <class S>
bool positive(const ArticulatedBody<S>& b, const Context<S>& x, int i) {
  const int n = velocity_count(x.type(i));
  for (int k = 0; k < n; ++k) {
    const double inverse = to_double(b.D_of(i)[n * k + k]);
    if (!(inverse > 0) || !(inverse < 1e300)) return false;
  }
  return true;
}

}  // namespace kinetree::inline inner
