#pragma once
// Products with the inverse of the mass matrix by articulated bodies (Jain 2011, Sec. 6.2): inertias are factorized
// once by the gather of forward dynamics, and each right-hand side then takes a gather of biases and a scatter, as the
// refinement of the dial does with its residual. With aggregates the product is with X_S (X_Sᵀ M X_S)⁻¹ X_Sᵀ.

#include "engine/algorithm/link_kinematics.hpp"
#include "engine/algorithm/node/nodes.hpp"

namespace kinetree::inline inner {

/// The bias that the nodes outboard of body i hand to it.
template <class S>
KINETREE_INLINE Force<S> outboard_bias(const Context<S>& x, const ArticulatedBody<S>& b, int i) {
  return sum_of(x.nodes.contributions_to(i), b.z_up);
}

template <class S, class Joints, class Load>
[[gnu::noinline]] void solve_segment_inwards(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                             Segment segment, Joints joints, Load load) {
  Force<S> up{};  // of the body before, the only one that this one carries
  for (int i = segment.last();; --i) {
    const auto joint = joints(i);
    constexpr int n = decltype(joint)::freedoms;
    const int j = x.v_index(i);
    Force<S> z{}, moved{};
    S rest[n], y[n];
    load(i, joint.subspace, z, rest, moved);
    z += i == segment.last() ? outboard_bias(x, b, i) : up;
    joint.template bias<false>(rest, &b.U[at(j)], b.D_of(i), &b.u[at(j)], y, z);
    if (x.parent(i) < 0) return;
    z += moved;
    to_parent(joint.transform(k.X_up[at(i)]), z);
    if (i == segment.begin) {
      joint.to_parent_inboard(x.link[at(i)].placement, z);
      b.z_up[x.slot(i)] = z;
      return;
    }
    up = z;
  }
}

/// Gather, of a right-hand side, after `articulate`. load(i, subspace, z, rest, moved): the bias z of body i, zero on
/// entry as `moved` is, what is left of its joint's forces, and a force that its parent feels besides.
template <class S, class Load>
void solve_inwards(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step, const Load& load) {
  nodes_inwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded)
      return bias_embedded(x, k, b, b.embedded[at(node.index)], [&](int i, const auto& subspace, Force<S>& z, S* rest) {
        constexpr int n = std::remove_cvref_t<decltype(subspace)>::freedoms;
        Force<S> moved{};
        S felt[n];
        z = outboard_bias(x, b, i);
        load(i, subspace, z, rest, moved);
        subspace.transpose_times(moved, felt);
        for (int c = 0; c < n; ++c) rest[c] += felt[c];
        z += moved;
      });
    with_joints(x, k, node.segment,
                [&](const auto& joints) { solve_segment_inwards(x, k, b, node.segment, joints, load); });
  });
}

template <class S, class Joints>
[[gnu::noinline]] void solve_segment_outwards(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b,
                                              std::vector<Motion<S>>& a, S* out, Segment segment, Joints joints) {
  const int p = x.parent(segment.begin);
  accelerate_segment(
      x, k, b, segment, joints, p < 0 ? Motion<S>{} : a[at(p)],
      [](int, const auto&, S*, Motion<S>&) KINETREE_INLINE_LAMBDA {},
      [&](int i, const S* rate, int n, const Motion<S>& own) KINETREE_INLINE_LAMBDA {
        for (int c = 0; c < n; ++c) out[x.v_index(i) + c] = rate[c];
        a[at(i)] = own;
      });
}

/// Scatter, of a right-hand side: the answer to `out` (over all velocities), and the accelerations of bodies that go
/// with it, to `a`.
template <class S>
void solve_outwards(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, std::vector<Motion<S>>& a, S* out,
                    int step) {
  const Motion<S> still{};
  nodes_outwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded) {
      EmbeddedNode<S>& aggregate = b.embedded[at(node.index)];
      return accelerate_embedded(
          x, k, aggregate, false, true, out, [&](int p) -> const Motion<S>& { return p < 0 ? still : a[at(p)]; },
          [](S*) {}, [&](int p, const Motion<S>& own) { a[at(aggregate.body(p))] = own; });
    }
    with_joints<false>(x, k, node.segment,
                       [&](const auto& joints) { solve_segment_outwards(x, k, b, a, out, node.segment, joints); });
  });
}

/// From a body's frame to the one in which `axes` have a force on a point and its acceleration. `X_world`: of the body;
/// read unless axes are the link's.
template <class S>
Transform<S> point_in_axes(Axes axes, const BodyPoint<S>& point, const Transform<S>& X_world) {
  if (axes == Axes::link) return point.X;
  const Matrix3<S>& E = X_world.E;
  const Matrix3<S> back{E.xx, E.yx, E.zx, E.xy, E.yy, E.zy, E.xz, E.yz, E.zz};
  if (axes == Axes::world_aligned) return {back, point.X.r};
  return {back, -(E * X_world.r)};
}

}  // namespace kinetree::inline inner
