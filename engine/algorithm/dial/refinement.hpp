#pragma once
// Refinement of the dial's answer: its residual as a right-hand side for the same factors (design: Refinement).

#include "engine/algorithm/dial/constraint_force.hpp"

namespace kinetree::inline inner {

namespace dial_detail {

/// The forces, active and constraint, of body i's cut child joints in the answer so far; i's coordinates. Not inlined.
template <class S>
[[gnu::noinline]] Force<S> force_of_cut_children(const Dial<S>& d, int i) {
  Force<S> f{};
  for_cut_children(d, i, [&](const CutJoint& cut) {
    f += transpose_times(d.k.X_up[at(cut.body)], active(d, cut.body) + constraint(d, cut, d.f.lambda));
  });
  return f;
}

/// What gathers at body i of the residual: the force f that the motion of it and of all outboard asks for, and what is
/// left over of it, the bias z of those outboard.
template <class S>
KINETREE_INLINE void gather_residual(const Dial<S>& d, int i, Force<S>& f, Force<S>& z) {
  f = sum_of(d.x.model->children_of(i), d.f.f_up);
  z = sum_of(d.x.nodes.contributions_to(i), d.b.z_up);
  f += d.x.link[at(i)].I * d.b.a[at(i)] + bias_of_body(d.x, d.k, i);
  if (d.f.opens[at(i)]) [[unlikely]]
    f += force_of_cut_children(d, i);
}

template <class S>
void correct_base(const Dial<S>& d, const Module& module, const Step& step) {
  Force<S> f, z;
  gather_residual(d, module.base, f, z);
  d.f.z[at(step.module)] =
      z + f - active(d, module.base) - constraint(d, d.x.modules->cuts[at(module.cut)], d.f.lambda);
}

/// The residual at a joint that is not cut: the bias z of body i, and what is left of the joint's forces. `push`: what
/// multipliers add to these; null: nothing.
template <class S, class Subspace>
KINETREE_INLINE void joint_residual(const Dial<S>& d, int i, const Subspace& subspace, Force<S>& z, S* rest,
                                    const S* push = nullptr) {
  Force<S> f;
  gather_residual(d, i, f, z);
  const int v = d.x.v_index(i);
  const S* rotor = d.x.rotor(i);
  subspace.transpose_times(f, rest);
  for (int k = 0; k < Subspace::freedoms; ++k) {
    rest[k] = d.x.state.tau[v + k] - rest[k];
    if (rotor != nullptr) rest[k] -= rotor[k] * d.x.state.result[v + k];
    if (push != nullptr) rest[k] += push[k];
  }
  to_parent(transform_of(subspace, d.k.X_up[at(i)]), f);
  d.f.f_up[at(i)] = f;
}

template <class S, class Joint>
KINETREE_INLINE void correct_body(const Dial<S>& d, const Module& module, int i, const Joint& joint,
                                  const S* push = nullptr) {
  constexpr int n = Joint::freedoms;
  Force<S> z;
  const int v = d.x.v_index(i);
  S rest[n], y[n];
  joint_residual(d, i, joint.subspace, z, rest, push);
  joint.bias(rest, &d.b.U[at(v)], d.b.D_of(i), &d.b.u[at(v)], y, z);
  to_parent(joint.transform(d.k.X_up[at(i)]), z);
  d.b.z_up[d.x.slot(i)] = z;
  if (const Passing& pass = d.x.modules->passing[at(i)]; pass.end > pass.begin)
    with_width<typename Joint::Subspace>(pass,
                                         [&](auto fixed) { pass_beta<fixed>(d, joint.subspace, module, pass, y); });
}

/// An aggregate by multipliers.
template <class S>
void correct_multipliers(const Dial<S>& d, const Module& module, MultiplierNode<S>& g) {
  push_joints(g);
  for (std::size_t p = g.aggregate->bodies.size(); p-- > 0;)
    with_joint(d.x, d.k, g.aggregate->bodies[p], [&](const auto& joint) {
      correct_body(d, module, g.aggregate->bodies[p], joint, &g.push[at(g.aggregate->column[p])]);
    });
  eliminate_bias(d.x, d.b, g);
  pass_beta(d, module, g);
}

}  // namespace dial_detail

/// Gather: the residual of the answer so far, as a right-hand side for the same factors (design: Refinement).
/// Inside a module and at uncut joints accelerations agree by construction, so kappa is zero there.
template <class S>
void correct_modules(const Dial<S>& d, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  if (step.module >= 0) {
    const Module& module = m.modules[at(step.module)];
    clear_columns(d, module, false);
    nodes_inwards(d.x, index, [&](const Node& node) {
      switch (node.kind) {
        case Node::Kind::base:
          return correct_base(d, module, step);
        case Node::Kind::segment:
          for (int i = node.segment.last(); i >= node.segment.begin; --i)
            with_joint(d.x, d.k, i, [&](const auto& joint) { correct_body(d, module, i, joint); });
          return;
        case Node::Kind::embedded: {
          EmbeddedNode<S>& aggregate = d.b.embedded[at(node.index)];
          bias_embedded(d.x, d.k, d.b, aggregate,
                        [&](int i, const auto& subspace, Force<S>& z, S* rest)
                            KINETREE_INLINE_LAMBDA { joint_residual(d, i, subspace, z, rest); });
          return pass_beta(d, module, aggregate);
        }
        case Node::Kind::multipliers:
          if constexpr (may_choose<S>) correct_multipliers(d, module, d.b.multipliers[at(node.index)]);
          return;
        case Node::Kind::pack:  // sweeps its step by itself
          return;
      }
    });
    if (step.size > 0)
      module_vector(d, module, step, module.cut >= 0 ? d.f.kappa[at(module.cut)] : Motion<S>{}, Motion<S>{});
  } else {
    eliminate_vector(m, d.e, step);
  }
}

}  // namespace kinetree::inline inner
