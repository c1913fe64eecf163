#pragma once
// The dial: modules swept by articulated bodies, joined by constraint forces (design: The module equations;
// Featherstone & Fijany 1999, Eq. 16, where every module is one body).

#include "engine/algorithm/dial/columns.hpp"
#include "engine/algorithm/dial/embedded_columns.hpp"
#include "engine/algorithm/dial/module_group.hpp"
#include "engine/algorithm/dial/multipliers_columns.hpp"

namespace kinetree::inline inner {

namespace dial_detail {

/// sums[k] += gᵀ P⁻¹ f for `count` forces g: `y` is L⁻¹ f, others[k] is L⁻¹ g, `P` the factor L D Lᵀ (ldl_factor).
template <class S>
KINETREE_INLINE void add_products(const ScaledForce<S>& y, const S* P, const ScaledForce<S>* others, int count,
                                  S* sums) {
  S moved[6];
  straight<0, 6>([&](auto r) { moved[r] = y[r] * P[7 * r]; });
  for (int k = 0; k < count; ++k) {
    S sum = sums[k];  // not in memory, where others might be too
    straight<0, 6>([&](auto r) { sum += moved[r] * others[k][r]; });
    sums[k] = sum;
  }
}

/// A module's matrix over its open joints: of the base's inertia P = L D Lᵀ all products are of L⁻¹ T and L⁻¹ Z.
template <class S>
void module_matrix(const Dial<S>& d, const Module& module, const Step& step) {
  S* A = d.e.matrix.data() + step.matrix;
  const int n = step.size, K = module.columns, base = n - K;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j <= i; ++j) A[(base + i) * n + base + j] = d.f.omega[module.omega + at(i) * at(K) + at(j)];
  if (module.cut < 0) return;
  const S* P = &d.f.P[36 * at(step.module)];
  const ScaledForce<S>*LT = &d.f.LT[at(d.x.modules->cuts[at(module.cut)].lambda)], *LZ = d.f.LZ.data() + module.lambda;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < std::min(i + 1, base); ++j) A[i * n + j] = S(0);
  for (int i = 0; i < base; ++i) add_products(LT[i], P, LT, i + 1, A + i * n);
  for (int i = 0; i < K; ++i) {
    S* row = A + (base + i) * n;
    add_products(LZ[i], P, LT, base, row);
    for (int j = 0; j < base; ++j) row[j] = -row[j];
    add_products(LZ[i], P, LZ, i + 1, row + base);
  }
}

/// A module's right-hand side: `c` is its base joint's velocity-product acceleration, `ground` that of the ground.
template <class S>
void module_vector(const Dial<S>& d, const Module& module, const Step& step, const Motion<S>& c,
                   const Motion<S>& ground) {
  S* r = d.e.vector.data() + step.vector;
  Motion<S> a = ground;  // what the base does while all lambda are zero: the ground's where the base is not cut
  if (module.cut >= 0) {
    const CutJoint& cut = d.x.modules->cuts[at(module.cut)];
    a = -response(&d.f.P[36 * at(d.x.modules->steps[at(module.step)].module)],
                  d.f.z[at(d.x.modules->steps[at(module.step)].module)]);
    for (int i = 0; i < cut.rows; ++i) *r++ = dot(c - a, d.f.T[at(cut.lambda + i)]);
  }
  for (int i = module.lambda; i < module.lambda + module.columns; ++i) *r++ = d.f.beta[at(i)] + dot(a, d.f.Z[at(i)]);
}

template <class S>
void clear_columns(const Dial<S>& d, const Module& module, bool omega) {
  for (int i = module.lambda; i < module.lambda + module.columns; ++i) d.f.beta[at(i)] = S(0);
  if (omega)
    for (std::size_t i = 0; i < at(module.columns) * at(module.columns); ++i) d.f.omega[module.omega + i] = S(0);
}

/// What the cut joints add to the bias of body i; their columns begin there. Rare, so not inlined.
template <class S>
[[gnu::noinline]] Force<S> open_columns(const Dial<S>& d, int i) {
  Force<S> z{};
  for_cut_children(d, i, [&](const CutJoint& cut) {
    if (!cut.carried) return;
    z += transpose_times(d.k.X_up[at(cut.body)], active(d, cut.body));
    for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j)
      d.f.Z[at(j)] = transpose_times(d.k.X_up[at(cut.body)], d.f.T[at(j)]);
  });
  return z;
}

/// The bias that gathers at body i: as gather_bias, and from its cut joints.
template <class S>
KINETREE_INLINE Force<S> gather_module_bias(const Dial<S>& d, int i) {
  Force<S> z = gather_bias(d.x, d.k, d.b, i);
  if (d.f.opens[at(i)]) [[unlikely]]
    z += open_columns(d, i);
  return z;
}

/// The base of a module whose joint is cut.
template <class S>
void sweep_base(const Dial<S>& d, const Module& module, const Step& step) {
  const CutJoint& cut = d.x.modules->cuts[at(module.cut)];
  S* F = &d.f.P[36 * at(step.module)];
  to_matrix(gather_inertia(d.x, d.b, module.base), F);
  ldl_factor(F, Size<6>());
  d.f.z[at(step.module)] = gather_module_bias(d, module.base) - active(d, module.base);
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j) d.f.LT[at(j)] = forward(F, d.f.T[at(j)]);
  for (int j = module.lambda; j < module.lambda + module.columns; ++j) d.f.LZ[at(j)] = forward(F, d.f.Z[at(j)]);
}

/// The columns at body i, once its factors are known.
template <class S, class Subspace>
KINETREE_INLINE void sweep_columns(const Dial<S>& d, const Subspace& subspace, const Module& module, int i,
                                   ColumnRun<S>& run) {
  const Passing& pass = d.x.modules->passing[at(i)];
  if (pass.end == pass.begin) return;
  constexpr int n = Subspace::freedoms;
  S y[n];  // D⁻¹ u, found again: few joints are asked for it
  for (int k = 0; k < n; ++k) y[k] = d.b.u[at(d.x.v_index(i) + k)];
  ldl_solve(d.b.D_of(i), Size<n>(), y);
  with_width<Subspace>(pass, [&](auto fixed) {
    if constexpr (RevoluteSubspace<Subspace> && fixed == 5) {
      run.add(d, module, i, y[0]);
    } else {
      run.pass(d, module);
      pass_columns<fixed>(d, subspace, module, i, y);
    }
  });
}

/// A segment: as articulate, with columns.
template <class S, class Joints>
[[gnu::noinline]] void sweep_segment(const Dial<S>& d, const Module& module, Segment segment, Joints joints,
                                     ColumnRun<S>& run) {
  articulate_segment(d.x, d.k, d.b, segment, joints,
                     [&](int i) KINETREE_INLINE_LAMBDA { return gather_module_bias(d, i); });
  for (int i = segment.last(); i >= segment.begin; --i) sweep_columns(d, joints(i).subspace, module, i, run);
}

/// An embedded aggregate.
template <class S>
void sweep_embedded(const Dial<S>& d, const Module& module, EmbeddedNode<S>& node) {
  articulate_embedded(d.x, d.k, d.b, node, [&](int i) KINETREE_INLINE_LAMBDA { return gather_module_bias(d, i); });
  pass_columns(d, module, node);
}

/// An aggregate by multipliers.
template <class S>
void sweep_multipliers(const Dial<S>& d, const Module& module, const Node& node, ColumnRun<S>& run) {
  MultiplierNode<S>& g = d.b.multipliers[at(node.index)];
  const std::span<const Segment> members = d.x.nodes.segments_of(node);
  for (std::size_t s = members.size(); s-- > 0;)
    with_joints(d.x, d.k, members[s], [&](const auto& joints) { sweep_segment(d, module, members[s], joints, run); });
  run.pass(d, module);
  eliminate_multipliers(d.x, d.k, d.b, g);
  pass_columns(d, module, g);
}

template <class S>
void sweep(const Dial<S>& d, const Module& module, int index) {
  const Step& step = d.x.modules->steps[at(index)];
  clear_columns(d, module, true);
  ColumnRun<S> run;
  nodes_inwards(d.x, index, [&](const Node& node) {
    switch (node.kind) {
      case Node::Kind::base:
        run.pass(d, module);
        return sweep_base(d, module, step);
      case Node::Kind::segment:
        return with_joints(d.x, d.k, node.segment,
                           [&](const auto& joints) { sweep_segment(d, module, node.segment, joints, run); });
      case Node::Kind::embedded:
        run.pass(d, module);
        return sweep_embedded(d, module, d.b.embedded[at(node.index)]);
      case Node::Kind::multipliers:
        if constexpr (may_choose<S>) sweep_multipliers(d, module, node, run);
        return;
      case Node::Kind::pack:  // sweeps its step by itself
        return;
    }
  });
  run.pass(d, module);
}

}  // namespace dial_detail

/// T of a cut joint, after positions are known.
template <class S>
void constraint_basis(const Dial<S>& d, const CutJoint& cut) {
  if (cut.rows > 0)
    constraint_basis(d.x.type(cut.body), d.x.link[at(cut.body)], &d.k.columns[at(d.x.v_index(cut.body))],
                     &d.f.T[at(cut.lambda)]);
}

/// T of the joint that carries a module.
template <class S>
void constraint_bases(const Dial<S>& d, int step) {
  if (!d.x.sweeps(step)) return;
  const Module& module = d.x.module_of_step(step);
  if (module.cut >= 0) constraint_basis(d, d.x.modules->cuts[at(module.cut)]);
}

/// Gather: inertias, biases and the systems of constraint forces.
template <class S>
void articulate_modules(const Dial<S>& d, int index) {
  using namespace dial_detail;
  const Step& step = d.x.modules->steps[at(index)];
  if (step.module >= 0) {
    const Module& module = d.x.modules->modules[at(step.module)];
    sweep(d, module, index);
    if (step.size > 0) {
      module_matrix(d, module, step);
      module_vector(d, module, step, d.k.c[at(module.base)], d.x.ground_acceleration);
    }
  } else {
    eliminate_matrix(*d.x.modules, d.e, step);
    eliminate_vector(*d.x.modules, d.e, step);
  }
}

namespace dial_detail {

/// Stores (problem) or adds (residual) the n accelerations `x` of joint i; keeps body i's, `a`, if `asked`.
template <class S>
KINETREE_INLINE void answer(const Dial<S>& d, RightSide side, int i, const Motion<S>& a, bool asked, const S* x,
                            int n) {
  S* result = d.x.state.result + d.x.v_index(i);
  if (asked) last_accelerations(d, side)[at(i)] = a;
  if (side == RightSide::problem) {
    for (int k = 0; k < n; ++k) result[k] = x[k];
  } else {
    d.b.a[at(i)] += a;
    for (int k = 0; k < n; ++k) result[k] += x[k];
  }
}

/// Along a segment; `a`: the acceleration of the body that it hangs from.
template <class S, class Joints>
[[gnu::noinline]] void accelerate_columns(const Dial<S>& d, const Module& module, RightSide side, Segment segment,
                                          Joints joints, const Motion<S>& a) {
  const auto prepare = [&](int i, const auto& joint, S* x, Motion<S>& own) KINETREE_INLINE_LAMBDA {
    if (side == RightSide::problem) add_bias(joint.subspace, d.k.c[at(i)], own);
    using Subspace = std::remove_cvref_t<decltype(joint.subspace)>;
    if (const Passing& pass = d.x.modules->passing[at(i)]; pass.end > pass.begin)
      with_width<Subspace>(pass, [&](auto fixed) { add_columns<fixed>(d, joint.subspace, module, pass, x); });
  };
  const auto take = [&](int i, const S* x, int n, const Motion<S>& own)
                        KINETREE_INLINE_LAMBDA { answer(d, side, i, own, d.f.refined || i == segment.last(), x, n); };
  accelerate_segment(d.x, d.k, d.b, segment, joints, a, prepare, take);
}

/// An embedded aggregate; acceleration(p): of body p, or of the ground, -1.
template <class S, class Acceleration>
void accelerate_embedded(const Dial<S>& d, const Module& module, RightSide side, EmbeddedNode<S>& node,
                         Acceleration&& acceleration) {
  accelerate_embedded(
      d.x, d.k, node, side == RightSide::problem, true, d.b.u.data(), acceleration,
      [&](S* x) { add_columns(d, module, node, x); },
      [&](int p, const Motion<S>& a) {
        const int i = node.body(p);
        answer(d, side, i, a, true, &d.b.u[at(d.x.v_index(i))], velocity_count(d.x.type(i)));
      });
}

/// The multipliers of an aggregate, added to u of its joints.
template <class S>
void accelerate_multipliers(const Dial<S>& d, const Module& module, RightSide side, MultiplierNode<S>& g,
                            const Motion<S>& a) {
  apply_multipliers(d.x, d.b, g, a, [&](int r, S& asked) { asked -= share_of_columns(d, module, g, r); });
  for (std::size_t r = 0; r < g.total.size(); ++r)
    g.total[r] = side == RightSide::problem ? g.lambda[r] : g.total[r] + g.lambda[r];
}

template <class S>
Motion<S> base_acceleration(const Dial<S>& d, const Module& module, const Step& step) {
  Force<S> f = constraint(d, d.x.modules->cuts[at(module.cut)], d.e.lambda) - d.f.z[at(step.module)];
  for (int j = module.lambda; j < module.lambda + module.columns; ++j) f -= d.e.lambda[at(j)] * d.f.Z[at(j)];
  return response(&d.f.P[36 * at(step.module)], f);
}

}  // namespace dial_detail

/// Scatter: constraint forces and the accelerations of all bodies and uncut joints.
template <class S>
void accelerate_modules(const Dial<S>& d, RightSide side, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  const bool first = side == RightSide::problem;
  const Motion<S> ground = first ? d.x.ground_acceleration : Motion<S>{};
  const std::vector<Motion<S>>& last = last_accelerations(d, side);
  const auto acceleration = [&](int p) -> const Motion<S>& { return p >= 0 ? last[at(p)] : ground; };
  if (step.module < 0) return back_substitute(m, d.e, step);
  const Module& module = m.modules[at(step.module)];
  nodes_outwards(d.x, index, [&](const Node& node) {
    const int i = node.segment.begin;
    switch (node.kind) {
      case Node::Kind::base: {  // the joint's own comes with close_joints
        const Motion<S> a = base_acceleration(d, module, step);
        last_accelerations(d, side)[at(i)] = a;
        if (!first) d.b.a[at(i)] += a;
        return;
      }
      case Node::Kind::embedded:
        return accelerate_embedded(d, module, side, d.b.embedded[at(node.index)], acceleration);
      case Node::Kind::multipliers:
        if constexpr (may_choose<S>)
          accelerate_multipliers(d, module, side, d.b.multipliers[at(node.index)], acceleration(d.x.parent(i)));
        break;
      case Node::Kind::segment:
        break;
      case Node::Kind::pack:  // sweeps its step by itself
        return;
    }
    for (const Segment& segment : d.x.nodes.segments_of(node))
      with_joints<false>(d.x, d.k, segment, [&](const auto& joints) {
        accelerate_columns(d, module, side, segment, joints, acceleration(d.x.parent(segment.begin)));
      });
  });
}

/// Adds a cut joint's constraint forces to those so far.
template <class S>
void add_forces(const Dial<S>& d, RightSide side, const CutJoint& cut) {
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j)
    d.f.lambda[at(j)] = side == RightSide::problem ? d.e.lambda[at(j)] : d.f.lambda[at(j)] + d.e.lambda[at(j)];
}

/// Each: accelerations of the cut joints, from the bodies on both sides, and how far these are from agreeing.
template <class S>
void close_joints(const Dial<S>& d, RightSide side, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  if (!d.x.sweeps(index)) return;
  const Module& module = d.x.module_of_step(index);
  if (module.cut < 0) return;
  const CutJoint& cut = m.cuts[at(module.cut)];
  const bool first = side == RightSide::problem;
  const int i = module.base, p = d.x.parent(i), v = d.x.v_index(i), n = velocity_count(d.x.type(i));
  const Motion<S>* columns = &d.k.columns[at(v)];
  const std::vector<Motion<S>>& last = last_accelerations(d, side);
  Motion<S> relative = last[at(i)] - (first ? d.k.c[at(i)] : d.f.kappa[at(module.cut)]);
  if (p >= 0)
    relative -= d.k.X_up[at(i)] * last[at(p)];
  else if (first)
    relative -= d.k.X_up[at(i)] * d.x.ground_acceleration;
  S x[6];
  joint_share(d.x.type(i), d.x.link[at(i)], columns, relative, x);
  for (int k = 0; k < n; ++k) d.x.state.result[v + k] = first ? x[k] : d.x.state.result[v + k] + x[k];
  add_forces(d, side, cut);
  Motion<S> kappa = disagreement(d, i);
  with_cut_subspace(d.x.type(i), columns, [&](auto subspace) { subspace.add(d.x.state.result + v, kappa); });
  d.f.kappa[at(module.cut)] = kappa;
}

}  // namespace kinetree::inline inner
