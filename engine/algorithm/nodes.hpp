#pragma once
// Articulated bodies over the nodes of a module: segments and aggregates.

#include "engine/algorithm/aggregate.hpp"

namespace kinetree::inline inner {

/// Gather: a module without columns whose base is not cut. behind(i): what follows at body i, the first of a segment.
template <class S, class Behind>
void articulate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step, Behind&& behind) {
  segments_inwards(x, step, [&](const Segment& segment) {
    if (segment.role == Segment::Role::member) return articulate_aggregate(x, k, b, segment.begin);
    articulate(x, k, b, segment);
    behind(segment.begin);
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
    const int i = segment.begin;
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

}  // namespace kinetree::inline inner
