#pragma once
// The dial: modules swept by articulated bodies, joined by constraint forces (design: section 2; Featherstone & Fijany
// 1999, Eq. 16, where every module is one body). Notation of the design: Z, beta, Omega, lambda, P⁻¹, T, S'.

#include <kinetree/algorithm/articulated_body.hpp>
#include <kinetree/algorithm/elimination.hpp>

namespace kinetree {

template <class S>
struct ConstraintForce {
  // over lambda: a cut joint's rows, consecutive
  std::vector<Force<S>> T;        ///< constraint-force basis, child's coordinates
  std::vector<Force<S>> Z;        ///< columns of carried joints, in the end at the module's base
  std::vector<Motion<S>> PZ, PT;  ///< P⁻¹ Z and P⁻¹ T
  std::vector<S> beta;
  std::vector<S> lambda;  ///< constraint forces so far; CutSystem::lambda are those of the last right-hand side
  // over modules
  std::vector<S> P;               ///< 6 x 6, factorized: the articulated inertia at a cut base
  std::vector<Force<S>> z;        ///< bias at a cut base, less its active force
  std::vector<S> omega, epsilon;  ///< laid out by Modules
  // over bodies
  std::vector<Motion<S>> x;      ///< accelerations of the last right-hand side
  std::vector<Motion<S>> kappa;  ///< over cut joints: c of the next right-hand side
  std::vector<Force<S>> f_up;    ///< force through an uncut joint, parent's coordinates, for residuals

  ConstraintForce(const ModelData& model, const Modules& m)
      : T(at(m.lambda_count)),
        Z(at(m.lambda_count)),
        PZ(at(m.lambda_count)),
        PT(at(m.lambda_count)),
        beta(at(m.lambda_count)),
        lambda(at(m.lambda_count)),
        P(36 * m.modules.size()),
        z(m.modules.size()),
        omega(m.omega_count),
        epsilon(m.epsilon_count),
        x(model.parent.size()),
        kappa(m.cuts.size()),
        f_up(model.parent.size()) {}
};

/// Everything a kernel of the dial works on.
template <class S>
struct Dial {
  const Context<S>& x;
  Kinematics<S>& k;
  ArticulatedBody<S>& b;
  ConstraintForce<S>& f;
  CutSystem<S>& e;
};

namespace dial_detail {

template <class S>
void to_matrix(const ArticulatedInertia<S>& a, S* A) {
  const S rows[36] = {a.I.xx, a.I.xy, a.I.xz, a.H.xx, a.H.xy, a.H.xz, a.I.xy, a.I.yy, a.I.yz, a.H.yx, a.H.yy, a.H.yz,
                      a.I.xz, a.I.yz, a.I.zz, a.H.zx, a.H.zy, a.H.zz, a.H.xx, a.H.yx, a.H.zx, a.M.xx, a.M.xy, a.M.xz,
                      a.H.xy, a.H.yy, a.H.zy, a.M.xy, a.M.yy, a.M.yz, a.H.xz, a.H.yz, a.H.zz, a.M.xz, a.M.yz, a.M.zz};
  for (int i = 0; i < 36; ++i) A[i] = rows[i];
}

/// P⁻¹ f
template <class S>
Motion<S> compliance(const S* P, const Force<S>& f) {
  S y[6] = {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
  ldl_solve<6>(P, y);
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

/// S' tau of the joint that carries body i, body coordinates.
template <class S>
Force<S> active(const Dial<S>& d, int i) {
  return active_force(d.x.type(i), d.x.link[at(i)], &d.k.columns[at(d.x.v_index(i))], d.x.state.tau + d.x.v_index(i));
}

/// T lambda of a cut joint, body coordinates.
template <class S>
Force<S> constraint(const Dial<S>& d, const CutJoint& cut, const std::vector<S>& lambda) {
  Force<S> f{};
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j) f += lambda[at(j)] * d.f.T[at(j)];
  return f;
}

/// Calls use(cut joint) for the cut children of body i, ascending.
template <class S, class Use>
void for_cut_children(const Dial<S>& d, int i, Use&& use) {
  const ModelData& model = *d.x.model;
  for (const int child : model.children_of(i))
    if (const int cut = d.x.modules->cut_of[at(child)]; cut >= 0) use(d.x.modules->cuts[at(cut)]);
}

/// One uncut joint's share of the columns that pass it: epsilon, Omega, Z (before it goes to the parent).
template <class S, class Subspace>
void pass_columns(const Dial<S>& d, const Subspace& subspace, const Module& module, const Passing& pass,
                  const Force<S>* U, const S* D) {
  constexpr int n = Subspace::freedoms;
  const int width = pass.end - pass.begin;
  S* epsilon = d.f.epsilon.data() + pass.epsilon;
  for (int col = pass.begin; col < pass.end; ++col) {
    Force<S>& Z = d.f.Z[at(module.lambda + col)];
    S y[n];
    subspace.transpose_times(Z, y);
    for (int k = 0; k < n; ++k) epsilon[k * width + col - pass.begin] = y[k] = -y[k];
    ldl_solve<n>(D, y);
    for (int k = 0; k < n; ++k) Z += y[k] * U[k];
    S* omega = &d.f.omega[module.omega + at(col) * at(module.columns)];
    for (int other = pass.begin; other <= col; ++other)
      for (int k = 0; k < n; ++k) omega[other] += y[k] * epsilon[k * width + other - pass.begin];
  }
}

/// The columns' beta at one uncut joint, from y = D⁻¹ u of the joint's bias.
template <class S>
void pass_beta(const Dial<S>& d, int n, const Module& module, const Passing& pass, const S* y) {
  const int width = pass.end - pass.begin;
  for (int col = 0; col < width; ++col)
    for (int k = 0; k < n; ++k)
      d.f.beta[at(module.lambda + pass.begin + col)] -= d.f.epsilon[pass.epsilon + at(k * width + col)] * y[k];
}

/// A module's matrix over its open joints.
template <class S>
void module_matrix(const Dial<S>& d, const Module& module, const Step& step) {
  S* A = d.e.matrix.data() + step.matrix;
  const int n = step.size, K = module.columns, base = n - K;
  const CutJoint* cut = module.cut >= 0 ? &d.x.modules->cuts[at(module.cut)] : nullptr;
  for (int i = 0; i < base; ++i)
    for (int j = 0; j <= i; ++j) A[i * n + j] = dot(d.f.PT[at(cut->lambda + j)], d.f.T[at(cut->lambda + i)]);
  for (int i = 0; i < K; ++i) {
    const Force<S>& Z = d.f.Z[at(module.lambda + i)];
    for (int j = 0; j < base; ++j) A[(base + i) * n + j] = -dot(d.f.PT[at(cut->lambda + j)], Z);
    for (int j = 0; j <= i; ++j) {
      S sum = d.f.omega[module.omega + at(i) * at(K) + at(j)];
      if (cut != nullptr) sum += dot(d.f.PZ[at(module.lambda + j)], Z);
      A[(base + i) * n + base + j] = sum;
    }
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
    a = -compliance(&d.f.P[36 * at(d.x.modules->steps[at(module.step)].module)],
                    d.f.z[at(d.x.modules->steps[at(module.step)].module)]);
    for (int i = 0; i < cut.rows; ++i) *r++ = dot(c - a, d.f.T[at(cut.lambda + i)]);
  }
  for (int i = module.lambda; i < module.lambda + module.columns; ++i) *r++ = d.f.beta[at(i)] + dot(a, d.f.Z[at(i)]);
}

/// Rakes a finished group of modules into the body it hangs from: P_up and z_up of its topmost body.
template <class S>
void rake_matrix(const Dial<S>& d, const Step& step) {
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  S* J = d.e.matrix.data() + step.matrix;
  ldl_factor(J, cut.rows, cut.rows);
  if (d.x.parent(cut.body) < 0) return;
  ArticulatedInertia<S> P{};
  Force<S> W[6];
  for (int i = 0; i < cut.rows; ++i) {
    W[i] = transpose_times(d.k.X_up[at(cut.body)], d.f.T[at(cut.lambda + i)]);
    for (int j = 0; j < i; ++j) W[i] -= J[i * cut.rows + j] * W[j];
    P.downdate(W[i], -J[i * cut.rows + i] * W[i]);
  }
  d.b.P_up[at(cut.body)] = P;
}

template <class S>
void rake_vector(const Dial<S>& d, const Step& step, Force<S> f) {
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  if (d.x.parent(cut.body) < 0) return;
  S y[6];
  for (int i = 0; i < cut.rows; ++i) y[i] = d.e.vector[step.vector + at(i)];
  ldl_solve(d.e.matrix.data() + step.matrix, cut.rows, cut.rows, y);
  for (int i = 0; i < cut.rows; ++i) f += y[i] * d.f.T[at(cut.lambda + i)];
  d.b.z_up[at(cut.body)] = transpose_times(d.k.X_up[at(cut.body)], f);
}

template <class S>
void clear_columns(const Dial<S>& d, const Module& module, bool omega) {
  for (int i = module.lambda; i < module.lambda + module.columns; ++i) d.f.beta[at(i)] = S(0);
  if (omega)
    for (std::size_t i = 0; i < at(module.columns) * at(module.columns); ++i) d.f.omega[module.omega + i] = S(0);
}

template <class S>
void sweep(const Dial<S>& d, const Module& module, const Step& step) {
  clear_columns(d, module, true);
  inwards(*d.x.modules, module, [&](int i) {
    if (aggregate_of(*d.x.model, i) >= 0)  // no column passes it: nothing outboard is cut
      return articulate_aggregate(d.x, d.k, d.b, i);
    ArticulatedInertia<S> P;
    Force<S> z;
    gather_body(d.x, d.k, d.b, i, P, z);
    for_cut_children(d, i, [&](const CutJoint& cut) {
      if (!cut.carried) return;
      z += transpose_times(d.k.X_up[at(cut.body)], active(d, cut.body));
      for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j)
        d.f.Z[at(j)] = transpose_times(d.k.X_up[at(cut.body)], d.f.T[at(j)]);
    });
    if (i == module.base && module.cut >= 0) {
      const CutJoint& cut = d.x.modules->cuts[at(module.cut)];
      S* F = &d.f.P[36 * at(step.module)];
      to_matrix(P, F);
      ldl_factor<6>(F);
      d.f.z[at(step.module)] = z - active(d, i);
      for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j) d.f.PT[at(j)] = compliance(F, d.f.T[at(j)]);
      for (int j = module.lambda; j < module.lambda + module.columns; ++j) d.f.PZ[at(j)] = compliance(F, d.f.Z[at(j)]);
      return;
    }
    const int v = d.x.v_index(i);
    const Passing& pass = d.x.modules->passing[at(i)];
    const Force<S>* U = &d.b.U[at(v)];
    S* D = &d.b.D[d.b.d_index[at(i)]];
    S y[6];  // D⁻¹ u
    with_subspace(d.x.type(i), &d.k.columns[at(v)], [&](auto subspace) {
      joint_factor(subspace, rotors(d.x, v), P, &d.b.U[at(v)], D);
      z += joint_bias(subspace, z, d.x.state.tau + v, U, D, &d.b.u[at(v)], y);
      pass_columns(d, subspace, module, pass, U, D);
      if (d.x.parent(i) < 0) return;
      z += bias_inside(subspace, rotors(d.x, v), P, d.k.c[at(i)]);
      inertia_inside(subspace, rotors(d.x, v), d.k.X_up[at(i)], P);
      d.b.P_up[at(i)] = P;
    });
    if (pass.end > pass.begin) {
      pass_beta(d, velocity_count(d.x.type(i)), module, pass, y);
      for (int j = module.lambda + pass.begin; j < module.lambda + pass.end; ++j) {
        d.f.beta[at(j)] += dot(d.k.c[at(i)], d.f.Z[at(j)]);
        d.f.Z[at(j)] = transpose_times(d.k.X_up[at(i)], d.f.Z[at(j)]);
      }
    }
    if (d.x.parent(i) < 0) return;
    d.b.z_up[at(i)] = transpose_times(d.k.X_up[at(i)], z);
  });
}

}  // namespace dial_detail

/// T of the joint that carries a module, after positions are known.
template <class S>
void constraint_bases(const Dial<S>& d, int step) {
  if (!d.x.sweeps(step)) return;
  const Module& module = d.x.module_of_step(step);
  if (module.cut < 0) return;
  const CutJoint& cut = d.x.modules->cuts[at(module.cut)];
  if (cut.rows > 0)
    constraint_basis(d.x.type(cut.body), d.x.link[at(cut.body)], &d.k.columns[at(d.x.v_index(cut.body))],
                     &d.f.T[at(cut.lambda)]);
}

/// Gather: inertias, biases and the systems of constraint forces.
template <class S>
void articulate_modules(const Dial<S>& d, int index) {
  using namespace dial_detail;
  const Step& step = d.x.modules->steps[at(index)];
  if (step.module >= 0) {
    const Module& module = d.x.modules->modules[at(step.module)];
    sweep(d, module, step);
    if (step.size > 0) {
      module_matrix(d, module, step);
      module_vector(d, module, step, d.k.c[at(module.base)], d.x.ground_acceleration);
    }
  } else {
    eliminate_matrix(*d.x.modules, d.e, step);
    eliminate_vector(*d.x.modules, d.e, step);
  }
  if (step.closes >= 0) {
    rake_matrix(d, step);
    rake_vector(d, step, active(d, d.x.modules->cuts[at(step.closes)].body));
  }
}

/// What a right-hand side is: the whole problem, or the residual of an answer.
enum class Round { first, correction };

/// Scatter, at the last step of a group: the force of the joint that it hangs from.
template <class S>
void close_group(const Dial<S>& d, const Step& step, const Motion<S>& parent_acceleration) {
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  const Motion<S> a = d.k.X_up[at(cut.body)] * parent_acceleration;
  S* lambda = d.e.lambda.data() + cut.lambda;
  for (int i = 0; i < cut.rows; ++i) lambda[i] = d.e.vector[step.vector + at(i)] + dot(a, d.f.T[at(cut.lambda + i)]);
  ldl_solve(d.e.matrix.data() + step.matrix, cut.rows, cut.rows, lambda);
}

/// Scatter: constraint forces and the accelerations of all bodies and uncut joints.
template <class S>
void accelerate_modules(const Dial<S>& d, Round round, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  const bool first = round == Round::first;
  const auto acceleration = [&](int p) {
    return p >= 0 ? d.f.x[at(p)] : (first ? d.x.ground_acceleration : Motion<S>{});
  };
  if (step.closes >= 0) close_group(d, step, acceleration(d.x.parent(m.cuts[at(step.closes)].body)));
  if (step.module < 0) return back_substitute(m, d.e, step);
  const Module& module = m.modules[at(step.module)];
  outwards(m, module, [&](int i) {
    Motion<S>& a = d.f.x[at(i)];
    if (i == module.base && module.cut >= 0) {
      Force<S> f = constraint(d, m.cuts[at(module.cut)], d.e.lambda) - d.f.z[at(step.module)];
      for (int j = module.lambda; j < module.lambda + module.columns; ++j) f -= d.e.lambda[at(j)] * d.f.Z[at(j)];
      a = compliance(&d.f.P[36 * at(step.module)], f);
    } else {
      const int v = d.x.v_index(i), n = velocity_count(d.x.type(i));
      a = d.k.X_up[at(i)] * acceleration(d.x.parent(i));
      if (first) a += d.k.c[at(i)];
      S x[6];
      if (const int aggregate = aggregate_of(*d.x.model, i); aggregate >= 0) {
        if (stands_for(*d.x.model, i))
          accelerate_aggregate(d.x, d.b, aggregate, acceleration(d.x.parent(i)), first, d.b.u.data());
        for (int k = 0; k < n; ++k) x[k] = d.b.u[at(v + k)];
        with_subspace(d.x.type(i), &d.k.columns[at(v)], [&](auto subspace) { subspace.add(x, a); });
        for (int k = 0; k < n; ++k) d.x.state.result[v + k] = first ? x[k] : d.x.state.result[v + k] + x[k];
        d.b.a[at(i)] = first ? a : d.b.a[at(i)] + a;
        return;
      }
      for (int k = 0; k < n; ++k) x[k] = d.b.u[at(v + k)];
      const Passing& pass = m.passing[at(i)];
      const int width = pass.end - pass.begin;
      for (int k = 0; k < n; ++k)
        for (int col = 0; col < width; ++col)
          x[k] += d.f.epsilon[pass.epsilon + at(k * width + col)] * d.e.lambda[at(module.lambda + pass.begin + col)];
      with_subspace(d.x.type(i), &d.k.columns[at(v)], [&](auto subspace) {
        joint_acceleration(subspace, &d.b.U[at(v)], &d.b.D[d.b.d_index[at(i)]], x, a);
      });
      for (int k = 0; k < n; ++k) d.x.state.result[v + k] = first ? x[k] : d.x.state.result[v + k] + x[k];
    }
    d.b.a[at(i)] = first ? a : d.b.a[at(i)] + a;
  });
}

/// Each: accelerations of the cut joints, from the bodies on both sides, and how far these are from agreeing.
template <class S>
void close_joints(const Dial<S>& d, Round round, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  if (!d.x.sweeps(index)) return;
  const Module& module = d.x.module_of_step(index);
  if (module.cut < 0) return;
  const CutJoint& cut = m.cuts[at(module.cut)];
  const bool first = round == Round::first;
  const int i = module.base, p = d.x.parent(i), v = d.x.v_index(i), n = velocity_count(d.x.type(i));
  const Motion<S>* columns = &d.k.columns[at(v)];
  Motion<S> relative = d.f.x[at(i)] - (first ? d.k.c[at(i)] : d.f.kappa[at(module.cut)]);
  if (p >= 0)
    relative -= d.k.X_up[at(i)] * d.f.x[at(p)];
  else if (first)
    relative -= d.k.X_up[at(i)] * d.x.ground_acceleration;
  S x[6];
  joint_share(d.x.type(i), d.x.link[at(i)], columns, relative, x);
  for (int k = 0; k < n; ++k) d.x.state.result[v + k] = first ? x[k] : d.x.state.result[v + k] + x[k];
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j)
    d.f.lambda[at(j)] = first ? d.e.lambda[at(j)] : d.f.lambda[at(j)] + d.e.lambda[at(j)];
  Motion<S> kappa = d.k.X_up[at(i)] * (p >= 0 ? d.b.a[at(p)] : d.x.ground_acceleration) + d.k.c[at(i)] - d.b.a[at(i)];
  with_subspace(d.x.type(i), columns, [&](auto subspace) { subspace.add(d.x.state.result + v, kappa); });
  d.f.kappa[at(module.cut)] = kappa;
}

/// Gather: the residual of the answer so far, as a right-hand side for the same factors (design: the correction).
/// Inside a module and at uncut joints accelerations agree by construction, so kappa is zero there.
template <class S>
void correct_modules(const Dial<S>& d, int index) {
  using namespace dial_detail;
  const Modules& m = *d.x.modules;
  const Step& step = m.steps[at(index)];
  if (step.module >= 0) {
    const Module& module = m.modules[at(step.module)];
    clear_columns(d, module, false);
    inwards(m, module, [&](int i) {
      Force<S> f = plus_children(d.x, i, d.x.link[at(i)].I * d.b.a[at(i)] + d.k.p[at(i)],
                                 [&](int c) -> const Force<S>& { return d.f.f_up[at(c)]; });
      for_cut_children(d, i, [&](const CutJoint& cut) {
        f += transpose_times(d.k.X_up[at(cut.body)], active(d, cut.body) + constraint(d, cut, d.f.lambda));
      });
      Force<S> z{};
      add_nodes(d.x, i, z, [&](int c) -> const Force<S>& { return d.b.z_up[at(c)]; });
      if (i == module.base && module.cut >= 0) {
        d.f.z[at(step.module)] = z + f - active(d, i) - constraint(d, m.cuts[at(module.cut)], d.f.lambda);
        return;
      }
      const int v = d.x.v_index(i), n = velocity_count(d.x.type(i));
      const Passing& pass = m.passing[at(i)];
      const S* D = &d.b.D[d.b.d_index[at(i)]];
      S y[6];
      const S* rotor = rotors(d.x, v);
      with_subspace(d.x.type(i), &d.k.columns[at(v)], [&](auto subspace) {
        S rest[subspace.freedoms];
        subspace.transpose_times(f, rest);
        for (int k = 0; k < subspace.freedoms; ++k) {
          rest[k] = d.x.state.tau[v + k] - rest[k];
          if (rotor != nullptr) rest[k] -= rotor[k] * d.x.state.result[v + k];
        }
        if (aggregate_of(*d.x.model, i) >= 0) return bias_aggregate(d.x, d.k, d.b, i, z, rest);
        z += joint_bias(subspace, z, rest, &d.b.U[at(v)], D, &d.b.u[at(v)], y);
      });
      if (pass.end > pass.begin) pass_beta(d, n, module, pass, y);
      d.f.f_up[at(i)] = transpose_times(d.k.X_up[at(i)], f);
      if (aggregate_of(*d.x.model, i) >= 0) return;
      d.b.z_up[at(i)] = transpose_times(d.k.X_up[at(i)], z);
    });
    if (step.size > 0)
      module_vector(d, module, step, module.cut >= 0 ? d.f.kappa[at(module.cut)] : Motion<S>{}, Motion<S>{});
  } else {
    eliminate_vector(m, d.e, step);
  }
  if (step.closes >= 0) rake_vector(d, step, Force<S>{});
}

}  // namespace kinetree
