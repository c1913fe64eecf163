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

/// Gather, of a right-hand side, after `articulate`. load(i, subspace, z, rest, moved): the bias z that gathers at body
/// i, what is left of its joint's forces, and a force that its parent feels besides.
template <class S, class Load>
void solve_inwards(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step, const Load& load) {
  nodes_inwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded)
      return bias_embedded(x, k, b, b.embedded[at(node.index)], [&](int i, const auto& subspace, Force<S>& z, S* rest) {
        constexpr int n = std::remove_cvref_t<decltype(subspace)>::freedoms;
        Force<S> moved{};
        S felt[n];
        load(i, subspace, z, rest, moved);
        subspace.transpose_times(moved, felt);
        for (int c = 0; c < n; ++c) rest[c] += felt[c];
        z += moved;
      });
    for (int i = node.segment.last(); i >= node.segment.begin; --i)
      with_joint(x, k, i, [&](const auto& joint) {
        constexpr int n = std::remove_cvref_t<decltype(joint)>::freedoms;
        Force<S> z, moved{};
        S rest[n], y[n];
        const int j = x.v_index(i);
        load(i, joint.subspace, z, rest, moved);
        joint.bias(rest, &b.U[at(j)], b.D_of(i), &b.u[at(j)], y, z);
        if (x.parent(i) < 0) return;
        z += moved;
        to_parent(joint.transform(k.X_up[at(i)]), z);
        b.z_up[x.slot(i)] = z;
      });
  });
}

/// Scatter: the answer to `out` (over all velocities), and the accelerations of bodies that go with it, to `a`.
template <class S>
void solve_outwards(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, std::vector<Motion<S>>& a, S* out,
                    int step) {
  const Motion<S> still{};
  const auto inboard = [&](int p) -> const Motion<S>& { return p < 0 ? still : a[at(p)]; };
  nodes_outwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded) {
      EmbeddedNode<S>& aggregate = b.embedded[at(node.index)];
      return accelerate_embedded(
          x, k, aggregate, false, true, out, inboard, [](S*) {},
          [&](int p, const Motion<S>& own) { a[at(aggregate.body(p))] = own; });
    }
    for (int i = node.segment.begin; i <= node.segment.last(); ++i)
      with_joint(x, k, i, [&](const auto& joint) {
        constexpr int n = std::remove_cvref_t<decltype(joint)>::freedoms;
        const int j = x.v_index(i);
        Motion<S> own = inboard(x.parent(i));
        to_child(joint.transform(k.X_up[at(i)]), own);
        S rate[n];
        for (int c = 0; c < n; ++c) rate[c] = b.u[at(j + c)];
        joint.acceleration(&b.U[at(j)], b.D_of(i), rate, own);
        for (int c = 0; c < n; ++c) out[j + c] = rate[c];
        a[at(i)] = own;
      });
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
