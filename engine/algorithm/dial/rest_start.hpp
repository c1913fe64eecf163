#pragma once
// The literal form's start (Featherstone & Fijany 1999, Eq. 16 wants tau less the bias): joint accelerations zero, body
// accelerations and joint forces by inverse dynamics, as scans over modules so that the depth stays O(log N).
// What is left of tau is then the refinement's to solve for. Near rest it is small, and so is the loss.

#include "engine/algorithm/dial/constraint_force.hpp"
#include "engine/algorithm/dial/force_scan.hpp"

namespace kinetree::inline inner {

template <class S>
struct RestStart : ForceScan<S> {
  std::vector<const S*> drift;  ///< over bodies: g of the joint in an embedded aggregate; null elsewhere

  RestStart() = default;
  RestStart(const Modules& m, const Nodes<S>& b) : ForceScan<S>(m), drift(b.a.size()) {
    for (const EmbeddedNode<S>& node : b.embedded)
      for (int p = 0; p < node.members(); ++p)
        drift[at(node.body(p))] = node.map.g.data() + node.aggregate->column[at(p)];
  }
  std::size_t bytes() const { return ForceScan<S>::bytes() + bytes_of(drift); }
};

/// What joint i adds to accelerations while independent coordinates have none: c, and in an aggregate S g.
template <class S>
Motion<S> acceleration_at_rest(const Dial<S>& d, const RestStart<S>& rest, int i) {
  Motion<S> a = d.k.c[at(i)];
  if (const S* g = rest.drift[at(i)]; g != nullptr)
    with_subspace(d.x, d.k, i, [&](auto subspace) { subspace.add(g, a); });
  return a;
}

/// Gather: maps of accelerations; every joint adds its own. Takes the place of the velocities' maps.
template <class S>
void compose_rest(const Dial<S>& d, MotionScan<S>& scan, const RestStart<S>& rest, int step) {
  const Step& s = d.x.modules->steps[at(step)];
  if (s.module < 0) return compose_merge(*d.x.modules, scan, s);
  compose_module(d.x, d.k, scan, s, [&](int i, Motion<S>& m) { m += acceleration_at_rest(d, rest, i); });
}

/// Scatter: accelerations of all bodies.
template <class S>
void accelerate_rest(const Dial<S>& d, MotionScan<S>& scan, const RestStart<S>& rest, int step) {
  const auto acceleration = [&](int p) { return p < 0 ? d.x.ground_acceleration : d.b.a[at(p)]; };
  hand_to_step(d.x, scan, step, acceleration);
  if (!d.x.sweeps(step)) return;
  const Module& module = d.x.module_of_step(step);
  nodes_outwards(d.x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::multipliers)
      for (S& lambda : d.b.multipliers[at(node.index)].total) lambda = S(0);
  });
  outwards(*d.x.modules, module, [&](int i) {
    const Motion<S>& inboard = i == module.base || d.x.parent(i) < 0 ? scan.m[at(step)] : d.b.a[at(d.x.parent(i))];
    d.b.a[at(i)] = d.k.X_up[at(i)] * inboard + acceleration_at_rest(d, rest, i);
    const S* g = rest.drift[at(i)];
    for (int r = 0; r < velocity_count(d.x.type(i)); ++r) d.x.state.result[d.x.v_index(i) + r] = g ? g[r] : S(0);
  });
}

/// Gather: forces of all bodies of a step, without those that come through its open joints.
template <class S>
void gather_rest_forces(const Dial<S>& d, const MotionScan<S>& scan, RestStart<S>& rest, int index) {
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  if (step.module < 0) {
    merge_forces(m, scan, rest, index);
  } else {
    const Module& module = d.x.module_of_step(index);
    inwards(m, module, [&](int i) {
      const Force<S> f = plus_children(d.x, i, d.x.link[at(i)].I * d.b.a[at(i)] + bias_of_body(d.x, d.k, i), d.f.f_up);
      const Force<S> up = transpose_times(d.k.X_up[at(i)], f);
      (i == module.base ? rest.total[at(index)] : d.f.f_up[at(i)]) = up;
    });
    if (module.cut < 0) d.f.f_up[at(module.base)] = rest.total[at(index)];
  }
  if (step.closes >= 0) d.f.f_up[at(m.cuts[at(step.closes)].body)] = rest.total[at(index)];
}

/// Scatter: forces through the cut joints.
template <class S>
void hand_rest_forces(const Dial<S>& d, const MotionScan<S>& scan, RestStart<S>& rest, int index) {
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  if (step.closes >= 0) {
    rest.through[at(step.closes)] = rest.total[at(index)];
    d.f.f_up[at(m.cuts[at(step.closes)].body)] = {};  // the slot of a cut joint is zero for the refinements' gather
  }
  if (step.module < 0) hand_force(m, scan, rest, step);
}

/// Each: constraint forces of the cut joints, and how far the bodies on both sides are from agreeing (rounding only).
template <class S>
void close_rest(const Dial<S>& d, const RestStart<S>& rest, int index) {
  if (!d.x.sweeps(index)) return;
  const Module& module = d.x.module_of_step(index);
  if (module.cut < 0) return;
  const CutJoint& cut = d.x.modules->cuts[at(module.cut)];
  const int i = module.base;
  const Force<S> f = inverse_transpose_times(d.k.X_up[at(i)], rest.through[at(module.cut)]);
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j)
    d.f.lambda[at(j)] = dot(d.f.T[at(j)].moment, f.moment) + dot(d.f.T[at(j)].force, f.force);
  d.f.kappa[at(module.cut)] = disagreement(d, i);
}

}  // namespace kinetree::inline inner
