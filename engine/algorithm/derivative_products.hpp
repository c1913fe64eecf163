#pragma once
// Products of the derivatives of inverse dynamics tau = ID(q, v, a) by two sweeps, at a state whose velocities,
// accelerations and forces are known: tangents (an outward and an inward sweep) and cotangents (the same two,
// transposed and in reverse). In body coordinates a displacement e = S dq of joint i, in the coordinates of v, changes
// its transform by d(X_i m) = -e x X_i m and d(X_iᵀ f) = X_iᵀ (e x* f): no world coordinates enter, so no lever arm
// from a far origin costs digits. Matrices of these derivatives: Carpentier & Mansard 2018.
//
//   tangent      v' = X v'_p + v_in x e + y                            v_in = X v_p, s = S v_J, y = S v'_J + S' v_J
//                a' = X a'_p + a_in x e + v' x s + v x y + S a'_J + S' a_J + c'   a_in = X a_p
//                f' = I a' + v' x* I v + v x* I v' - f_ext' + sum over children of X_cᵀ (f'_c + e_c x* f_c)
//                tau' = Sᵀ f' + S'ᵀ f
//   cotangent    F = X F_p + S w, as velocities for the joint rates w; u = X F_p
//                A = I F + sum X_cᵀ A_c
//                V = I (F x v) - F x* I v + s x* A + sum X_cᵀ V_c,   Y = V - v x* A
//                a_bar = Sᵀ A,  v_bar = Sᵀ Y,  q_bar = -Sᵀ (u x* f + a_in x* A + v_in x* V)
//
// and what the motion of S and of external forces adds.

#include "engine/algorithm/inverse_dynamics.hpp"

namespace kinetree::inline inner {

/// Of a body's own motion, what its velocity's tangents and cotangents ask for.
template <class S>
struct Spin {
  Vector3<S> momentum;  ///< the angular momentum of the turn alone: I w about the origin
  Vector3<S> flow;      ///< w x h, h being mass times centre of mass
};

/// The force that a body's own motion asks for: velocity v, acceleration a. `spin`: what products ask for of its turn.
template <class S>
KINETREE_INLINE Force<S> own_force_with_spin(const RigidInertia<S>& I, const Motion<S>& v, Motion<S> a, Spin<S>& spin) {
  const Vector3<S>& w = v.angular;
  const Spin<S> own{I.I * w, cross(w, I.h)};
  a.linear += cross(w, v.linear);
  Force<S> moves = I * a;
  moves += {cross(w, own.momentum), cross(w, own.flow)};
  spin = own;
  return moves;
}

/// What a state gives to the products, and the sweeps of one direction. Accelerations and forces of the state are those
/// of inverse dynamics; `f_up` during a direction's gather is that direction's.
template <class S>
struct DerivativeProducts : InverseDynamics<S> {
  // of the state
  std::vector<Spin<S>> spin;
  std::vector<Motion<S>> a_in;  ///< acceleration of the parent, in the body's coordinates
  std::vector<Force<S>> f;      ///< force through the joint, the body's coordinates
  // of a direction; of tangents' motions only those of a segment's last body
  std::vector<Motion<S>> v_dot;    ///< tangents of velocities; F of cotangents
  std::vector<Motion<S>> a_dot;    ///< tangents of accelerations
  std::vector<Force<S>> f_dot;     ///< tangents of the body's own force; V, in the parent's coordinates, of cotangents
  std::vector<Vector3<S>> turned;  ///< the body's turn in the world, or its cotangent, where external forces act

  explicit DerivativeProducts(const ModelData& m)
      : InverseDynamics<S>(m),
        spin(m.parent.size()),
        a_in(spin.size()),
        f(spin.size()),
        v_dot(spin.size()),
        a_dot(spin.size()),
        f_dot(spin.size()) {}
  void expect_external_forces() { turned.resize(f.size()); }
  std::size_t bytes() const {
    return InverseDynamics<S>::bytes() + bytes_of(spin, a_in, f, v_dot, a_dot, f_dot, turned);
  }
  KINETREE_INLINE void came(int i, const Motion<S>& in) { a_in[at(i)] = in; }
  KINETREE_INLINE void goes(int i, const Force<S>& through) { f[at(i)] = through; }
  /// With what the products ask for of the body's turn.
  KINETREE_INLINE Force<S> own_force(const Context<S>& x, const Kinematics<S>& k, int i) {
    Force<S> moves = own_force_with_spin(x.link[at(i)].I, k.v[at(i)], this->a[at(i)], spin[at(i)]);
    if (x.state.f_ext != nullptr) moves -= k.f[at(i)];
    return moves;
  }
};

namespace products_detail {

/// Whether a joint's columns of S depend on its positions, and more than by turning with them.
template <class Subspace>
inline constexpr bool moves = !Subspace::constant && Subspace::freedoms > 1;

/// sum over the columns of x_k S_k
template <class S, class Subspace>
KINETREE_INLINE Motion<S> times(const Subspace& subspace, const S* x) {
  Motion<S> m{};
  subspace.add(x, m);
  return m;
}

/// m - S x
template <class S, class Subspace>
KINETREE_INLINE Motion<S> less(Motion<S> m, const Subspace& subspace, const S* x) {
  S back[Subspace::freedoms];
  for (int k = 0; k < Subspace::freedoms; ++k) back[k] = -x[k];
  subspace.add(back, m);
  return m;
}

/// S x x* f
template <class S, class Subspace>
KINETREE_INLINE Force<S> cross_joint(const Subspace& subspace, const S* x, const Force<S>& f) {
  const auto about_z = [x](const Vector3<S>& a) -> Vector3<S> { return {-(x[0] * a.y), x[0] * a.x, S(0)}; };
  if constexpr (RevoluteSubspace<Subspace>)
    return {about_z(f.moment), about_z(f.force)};
  else if constexpr (std::is_same_v<Subspace, Prismatic>)
    return {about_z(f.force), {S(0), S(0), S(0)}};
  else
    return cross(times(subspace, x), f);
}

/// out += Sᵀ (m x* f)
template <class S, class Subspace>
KINETREE_INLINE void add_cross(const Subspace& subspace, const Motion<S>& m, const Force<S>& f, S* out) {
  const auto z = [](const Vector3<S>& a, const Vector3<S>& b) { return a.x * b.y - a.y * b.x; };
  if constexpr (RevoluteSubspace<Subspace>) {
    out[0] += z(m.angular, f.moment) + z(m.linear, f.force);
  } else if constexpr (std::is_same_v<Subspace, Prismatic>) {
    out[0] += z(m.angular, f.force);
  } else {
    S own[Subspace::freedoms];
    subspace.transpose_times(cross(m, f), own);
    for (int k = 0; k < Subspace::freedoms; ++k) out[k] += own[k];
  }
}

/// The tangent of I a + v x* I v, from those of a and v.
template <class S>
KINETREE_INLINE Force<S> own_force_tangent(const RigidInertia<S>& I, const Motion<S>& v, const Spin<S>& spin,
                                           const Motion<S>& v_dot, Motion<S> a_dot) {
  const Vector3<S>&w = v.angular, &turn = v_dot.angular;
  a_dot.linear += cross(turn, v.linear) + cross(w, v_dot.linear);
  Force<S> f = I * a_dot;
  f.moment += cross(turn, spin.momentum) + cross(w, I.I * turn);
  f.force += cross(turn, spin.flow) + cross(w, cross(turn, I.h));
  return f;
}

/// Its transpose by v: I (F x v) - F x* I v, less what Jacobi's identity takes out. `A`: I F.
template <class S>
KINETREE_INLINE Force<S> velocity_cotangent(const RigidInertia<S>& I, const Motion<S>& v, const Spin<S>& spin,
                                            const Motion<S>& F, const Force<S>& A) {
  const Vector3<S>&w = v.angular, &a = F.angular, &b = F.linear;
  const Vector3<S> moment = I.I * cross(a, w) - cross(a, spin.momentum) - cross(b, spin.flow) +
                            cross(I.h, cross(b, w)) - cross(A.force, v.linear);
  return {moment, cross(A.force, w)};
}

/// S': how the columns change along a displacement dq. Positions act one after the other, inboard first, so that
/// column k feels those behind it alone: dS_k/dq_l = S_k x S_l for l > k, else zero.
template <class S, int n>
KINETREE_INLINE void change_of_columns(const GeneralSubspace<S, n>& subspace, const S* dq, Motion<S>* change) {
  for (int k = 0; k < n; ++k) {
    Motion<S> behind{};
    for (int l = k + 1; l < n; ++l) behind += dq[l] * subspace.column[l];
    change[k] = cross(subspace.column[k], behind);
  }
}

/// The tangent of cJ = sum over k < l of v_k v_l S_k x S_l.
template <class S, int n>
KINETREE_INLINE Motion<S> change_of_bias(const GeneralSubspace<S, n>& subspace, const Motion<S>* change, const S* v,
                                         const S* dv) {
  Motion<S> c{};
  for (int k = 0; k < n; ++k)
    for (int l = k + 1; l < n; ++l) {
      const Motion<S>&own = subspace.column[k], &behind = subspace.column[l];
      c += (dv[k] * v[l] + v[k] * dv[l]) * cross(own, behind);
      c += (v[k] * v[l]) * (cross(change[k], behind) + cross(own, change[l]));
    }
  return c;
}

/// What columns of S that depend on positions add to the cotangents of these and of velocities; Y = V - v x* A, f the
/// force through the joint.
template <class S, int n>
KINETREE_INLINE void add_moving_columns(const GeneralSubspace<S, n>& subspace, const S* rate, const S* a, const S* w,
                                        const Force<S>& A, const Force<S>& Y, const Force<S>& f, S* q, S* of_v) {
  const Motion<S>* column = subspace.column;
  Force<S> change[n];  // cotangents of the columns
  for (int c = 0; c < n; ++c) change[c] = rate[c] * Y + a[c] * A + w[c] * f;
  for (int c = 0; c < n; ++c)
    for (int l = c + 1; l < n; ++l) {
      const S power = dot(cross(column[c], column[l]), A), product = rate[c] * rate[l];
      of_v[c] += rate[l] * power;
      of_v[l] += rate[c] * power;
      change[c] += product * cross(column[l], A);
      change[l] -= product * cross(column[c], A);
    }
  for (int c = 0; c < n; ++c)
    for (int l = c + 1; l < n; ++l) q[l] += dot(cross(column[c], column[l]), change[c]);
}

/// What cotangents of positions and velocities are at one joint. v, a: of the body, `in`: before the joint adds its
/// own; F, A, V: as product_cotangents has them; f: the force through the joint; turn: what turns of external forces
/// outboard come to, null where none act.
template <class S, class Subspace>
KINETREE_INLINE void cotangents_at_joint(const Subspace& subspace, const Motion<S>& v, const Motion<S>& v_in,
                                         const Motion<S>& a_in, const Motion<S>& F, const S* rate, const S* a,
                                         const S* w, const Force<S>& A, const Force<S>& V, const Force<S>& f,
                                         const Vector3<S>* turn, S* q, S* of_v) {
  constexpr int n = Subspace::freedoms;
  S less_v[n]{};
  for (int c = 0; c < n; ++c) q[c] = S(0);
  add_cross(subspace, less(F, subspace, w), f, q);
  add_cross(subspace, a_in, A, q);
  add_cross(subspace, v_in, V, q);
  subspace.transpose_times(V, of_v);
  add_cross(subspace, v, A, less_v);
  for (int c = 0; c < n; ++c) q[c] = -q[c], of_v[c] -= less_v[c];
  if (turn != nullptr) [[unlikely]] {
    S felt[n];
    subspace.transpose_times(Force<S>{*turn, {}}, felt);
    for (int c = 0; c < n; ++c) q[c] += felt[c];
  }
  if constexpr (moves<Subspace>) add_moving_columns(subspace, rate, a, w, A, V - cross(v, A), f, q, of_v);
}

/// What is left of an external force whose axes and origin stand in the world when the body turns by `turn`: its
/// tangent. It acts about the origin of the body's link, which is `origin` along z.
template <class S>
KINETREE_INLINE Force<S> change_of_external(const Force<S>& f, const S& origin, const Vector3<S>& turn) {
  const Vector3<S> o{S(0), S(0), origin}, force = cross(f.force, turn);
  return {cross(f.moment - cross(o, f.force), turn) + cross(o, force), force};
}

/// The transpose: the cotangent of a turn for F, that of a force on the body.
template <class S>
KINETREE_INLINE Vector3<S> turn_of_external(const Force<S>& f, const S& origin, const Motion<S>& F) {
  const Vector3<S> o{S(0), S(0), origin};
  return cross(f.moment - cross(o, f.force), F.angular) + cross(f.force, cross(F.angular, o) + F.linear);
}

}  // namespace products_detail

/// What a joint adds to the tangents of its body's velocity and acceleration, but for v' x s and S a'_J. v: of the body,
/// `in`: before the joint adds its own; rate, a: the joint's own.
template <class S, class Subspace>
KINETREE_INLINE void add_tangents_at_joint(const Subspace& subspace, const Motion<S>& v, const Motion<S>& v_in,
                                           const Motion<S>& a_in, const S* rate, const S* a, const S* dq, const S* dv,
                                           Motion<S>& v_dot, Motion<S>& a_dot) {
  using namespace products_detail;
  v_dot += subspace.cross_product(v_in, dq);
  a_dot += subspace.cross_product(a_in, dq);
  subspace.add(dv, v_dot);
  a_dot += subspace.cross_product(v, dv);
  if constexpr (moves<Subspace>) {
    Motion<S> change[Subspace::freedoms], y{};
    change_of_columns(subspace, dq, change);
    for (int n = 0; n < Subspace::freedoms; ++n) {
      y += rate[n] * change[n];
      a_dot += a[n] * change[n];
    }
    v_dot += y;
    a_dot += cross(v, y) + change_of_bias(subspace, change, rate, dv);
  }
}

template <class S, class Joints>
[[gnu::noinline]] void tangents_of_segment(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d,
                                           const S* dq, const S* dv, const S* da, Segment segment, Joints joints) {
  using namespace products_detail;
  const bool forced = x.state.f_ext != nullptr;
  const int p = x.parent(segment.begin);
  Motion<S> v_dot{}, a_dot{};
  Vector3<S> turned{};
  if (p >= 0) {
    v_dot = d.v_dot[at(p)], a_dot = d.a_dot[at(p)];
    if (forced) turned = d.turned[at(p)];
    const AxialPlacement<S>& placement = x.link[at(segment.begin)].placement;
    joints(segment.begin).to_child_inboard(placement, v_dot), joints(segment.begin).to_child_inboard(placement, a_dot);
  }
  for (int i = segment.begin; i <= segment.last(); ++i) {
    const auto joint = joints(i);
    const auto& subspace = joint.subspace;
    const int j = x.v_index(i);
    const Motion<S>& v = k.v[at(i)];
    const S* rate = x.v(i);
    if (p >= 0 || i > segment.begin)
      to_child(joint.transform(k.X_up[at(i)]), v_dot), to_child(joint.transform(k.X_up[at(i)]), a_dot);
    add_tangents_at_joint(subspace, v, less(v, subspace, rate), d.a_in[at(i)], rate, x.state.a + j, dq + j, dv + j,
                          v_dot, a_dot);
    a_dot += subspace.cross_product(v_dot, rate);
    if (da != nullptr) subspace.add(da + j, a_dot);
    Force<S> f = own_force_tangent(x.link[at(i)].I, v, d.spin[at(i)], v_dot, a_dot);
    if (forced) [[unlikely]] {
      Vector3<S> turn = times(subspace, dq + j).angular;
      if (x.parent(i) >= 0) turn += static_cast<Transform<S>>(k.X_up[at(i)]).E * turned;
      d.turned[at(i)] = turned = turn;
      f -= change_of_external(k.f[at(i)], x.link[at(i)].origin, turn);
    }
    d.f_dot[at(i)] = f;
  }
  d.v_dot[at(segment.last())] = v_dot, d.a_dot[at(segment.last())] = a_dot;
}

/// Scatter, of a direction, after `accelerations` and `joint_forces` of the state: tangents of velocities,
/// accelerations and the bodies' own forces. `da` null: joint accelerations stay as they are.
template <class S>
void product_tangents(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d, const S* dq, const S* dv,
                      const S* da, int step) {
  segments_outwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    tangents_of_segment(x, k, d, dq, dv, da, segment, joints);
  });
}

/// How the force f through a joint changes by the joint's own displacement: that which the parent feels, and `felt`, of
/// the joint's own forces, to which it is added.
template <class S, class Subspace>
KINETREE_INLINE Force<S> displaced_force(const Force<S>& f, const Subspace& subspace, const S* dq, S* felt) {
  using namespace products_detail;
  if constexpr (moves<Subspace>) {
    Motion<S> change[Subspace::freedoms];
    change_of_columns(subspace, dq, change);
    for (int n = 0; n < Subspace::freedoms; ++n) felt[n] += dot(change[n], f);
  }
  return cross_joint(subspace, dq, f);
}

template <class S, class Joints>
[[gnu::noinline]] void force_tangents_of_segment(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d,
                                                 const S* dq, const S* da, S* dtau, Segment segment, Joints joints) {
  forces_along(
      x, k, d.f_up, segment, joints, [&](int i) KINETREE_INLINE_LAMBDA { return d.f_dot[at(i)]; },
      [&](int i, const auto& joint, Force<S>& f) KINETREE_INLINE_LAMBDA {
        const int j = x.v_index(i);
        joint.subspace.transpose_times(f, dtau + j);
        f += displaced_force(d.f[at(i)], joint.subspace, dq + j, dtau + j);
        if (!x.rotors.empty()) [[unlikely]]
          for (int n = j; n < x.v_index(i + 1); ++n) dtau[n] += x.rotors[at(n)] * da[n];
      });
}

/// Gather, of a direction: tangents of joint forces.
template <class S>
void product_force_tangents(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d, const S* dq,
                            const S* da, S* dtau, int step) {
  segments_inwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    force_tangents_of_segment(x, k, d, dq, da, dtau, segment, joints);
  });
}

template <class S, class Joints>
[[gnu::noinline]] void cotangents_of_segment(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d,
                                             const S* w, Segment segment, Joints joints) {
  const int p = x.parent(segment.begin);
  motions_along(x, k, segment, joints, p < 0 ? Motion<S>{} : d.v_dot[at(p)],
                [&](int i, const auto& joint, Motion<S>& F) KINETREE_INLINE_LAMBDA {
                  joint.subspace.add(w + x.v_index(i), F);
                  d.v_dot[at(i)] = F;
                });
}

/// Scatter, of a cotangent w of joint forces: F.
template <class S>
void product_cotangents(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d, const S* w, int step) {
  segments_outwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    cotangents_of_segment(x, k, d, w, segment, joints);
  });
}

/// Where cotangents go. `a` null: is not asked for. `sign`: by which they are multiplied.
template <class S>
struct Cotangents {
  S sign;
  S *q, *v, *a;
};

template <class S, class Joints>
[[gnu::noinline]] void force_cotangents_of_segment(const Context<S>& x, const Kinematics<S>& k,
                                                   DerivativeProducts<S>& d, const S* w, const Cotangents<S>& bar,
                                                   Segment segment, Joints joints) {
  using namespace products_detail;
  Force<S> A_up{}, V_up{};  // of the body before
  for (int i = segment.last(); i >= segment.begin; --i) {
    const auto joint = joints(i);
    const auto& subspace = joint.subspace;
    using Subspace = std::remove_cvref_t<decltype(subspace)>;
    constexpr int n = Subspace::freedoms;
    const int j = x.v_index(i);
    const RigidInertia<S>& I = x.link[at(i)].I;
    const Motion<S>&v = k.v[at(i)], &F = d.v_dot[at(i)];
    const S* rate = x.v(i);
    Force<S> A = I * F, V = velocity_cotangent(I, v, d.spin[at(i)], F, A);
    if (i < segment.last())
      A += A_up, V += V_up;
    else
      A = plus_children(x, i, A, d.f_up), V = plus_children(x, i, V, d.f_dot);
    V += cross_joint(subspace, rate, A);
    const bool forced = x.state.f_ext != nullptr;
    Vector3<S> turn{};
    if (forced) [[unlikely]] {
      turn = plus_children(x, i, turn_of_external(k.f[at(i)], x.link[at(i)].origin, F), d.turned);
      d.turned[at(i)] = transpose_times(static_cast<Transform<S>>(k.X_up[at(i)]).E, turn);
    }
    S q[n], of_v[n];
    cotangents_at_joint(subspace, v, less(v, subspace, rate), d.a_in[at(i)], F, rate, x.state.a + j, w + j, A, V,
                        d.f[at(i)], forced ? &turn : nullptr, q, of_v);
    for (int c = 0; c < n; ++c) bar.q[j + c] = bar.sign * q[c], bar.v[j + c] = bar.sign * of_v[c];
    if (bar.a != nullptr) {
      S of_a[n];
      subspace.transpose_times(A, of_a);
      for (int c = 0; c < n; ++c) {
        bar.a[j + c] = bar.sign * of_a[c];
        if (!x.rotors.empty()) bar.a[j + c] += bar.sign * x.rotors[at(j + c)] * w[j + c];
      }
    }
    to_parent(joint.transform(k.X_up[at(i)]), A), to_parent(joint.transform(k.X_up[at(i)]), V);
    A_up = A, V_up = V;
  }
  const AxialPlacement<S>& placement = x.link[at(segment.begin)].placement;
  joints(segment.begin).to_parent_inboard(placement, A_up), joints(segment.begin).to_parent_inboard(placement, V_up);
  d.f_up[at(segment.begin)] = A_up, d.f_dot[at(segment.begin)] = V_up;
}

/// Gather, of a cotangent w of joint forces, after F: those of positions, velocities and accelerations.
template <class S>
void product_force_cotangents(const Context<S>& x, const Kinematics<S>& k, DerivativeProducts<S>& d, const S* w,
                              const Cotangents<S>& bar, int step) {
  segments_inwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    force_cotangents_of_segment(x, k, d, w, bar, segment, joints);
  });
}

}  // namespace kinetree::inline inner
