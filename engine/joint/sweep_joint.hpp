#pragma once
// A joint as sweeps take it: all that is known of it when the model is built is in its type. It does what Table 7.1 of
// Featherstone 2008 asks of a joint: U, D, u, the apparent inertia P - U D⁻¹ Uᵀ that the joint shows its parent
// (Sec. 7.2.2), and its acceleration.

#include "engine/joint/joint.hpp"
#include "engine/spatial/small_matrix.hpp"

namespace kinetree::inline inner {

// What is known of an apparent inertia is its type. Each works on P in place; U = P S and D = SᵀU, factorized
// (ldl_factor).

/// Nothing is known: a joint with rotors, and each kind of joint but the two below.
struct FullInertia {
  static constexpr bool uses_y = true;
  /// P := P - U D⁻¹ Uᵀ
  template <int n, class S>
  KINETREE_INLINE static void project(const Force<S>* U, const S* D, ArticulatedInertia<S>& P) {
    Force<S> W[n];  // L⁻¹ Uᵀ, row by row
    for (int k = 0; k < n; ++k) {
      W[k] = U[k];
      for (int j = 0; j < k; ++j) W[k] -= D[n * k + j] * W[j];
      P.downdate(W[k], D[n * k + k] * W[k]);
    }
  }
  /// z += U y, where y = D⁻¹ (tau - Sᵀz), if this type uses it
  template <int n, class Subspace, class S>
  KINETREE_INLINE static void add_joint_force(const Subspace&, const S*, const Force<S>* U, const S* y, Force<S>& z) {
    for (int k = 0; k < n; ++k) z += y[k] * U[k];
  }
  /// z += P c
  template <class Subspace, class S>
  KINETREE_INLINE static void add_bias(const Subspace& subspace, const ArticulatedInertia<S>& P, const Motion<S>& c,
                                       Force<S>& z) {
    z += bias_force(subspace, P, c);
  }
  /// to := XᵀP X; uses P up.
  template <class X, class S>
  KINETREE_INLINE static void to_parent(const X& X_up, ArticulatedInertia<S>& P, ArticulatedInertia<S>& to) {
    inner::to_parent(X_up, P, to);
  }
  /// f := f - U D⁻¹ x, what is left for the parent of a force of which x = Sᵀf
  template <int n, class S>
  KINETREE_INLINE static void project_force(const Force<S>* U, const S* D, const S* x, Force<S>& f) {
    S y[n];
    for (int k = 0; k < n; ++k) y[k] = x[k];
    ldl_solve(D, Size<n>(), y);
    for (int k = 0; k < n; ++k) f -= y[k] * U[k];
  }
  /// x := D⁻¹ (x - Uᵀa)
  template <int n, class Subspace, class S>
  KINETREE_INLINE static void solve(const Subspace&, const Force<S>* U, const S* D, const Motion<S>& a, S* x) {
    for (int k = 0; k < n; ++k)  // the linear part last: it waits longest for the parent's
      x[k] = (x[k] - dot(U[k].moment, a.angular)) - dot(U[k].force, a.linear);
    ldl_solve(D, Size<n>(), x);
  }
};

/// Of a revolute joint without rotor: the row of the axis is exactly zero, whatever rounding says.
struct ProjectedInertia : FullInertia {
  template <int, class S>
  KINETREE_INLINE static void project(const Force<S>* U, const S* D, ArticulatedInertia<S>& P) {
    const auto &n = U->moment, &l = U->force;
    const Vector3<S> nd{*D * n.x, *D * n.y, S(0)}, ld = *D * l;
    P.I.xx -= n.x * nd.x, P.I.yy -= n.y * nd.y, P.I.xy -= n.x * nd.y;
    P.I.xz = P.I.yz = P.I.zz = S(0);
    P.H.xx -= n.x * ld.x, P.H.xy -= n.x * ld.y, P.H.xz -= n.x * ld.z;
    P.H.yx -= n.y * ld.x, P.H.yy -= n.y * ld.y, P.H.yz -= n.y * ld.z;
    P.H.zx = P.H.zy = P.H.zz = S(0);
    P.M.xx -= l.x * ld.x, P.M.yy -= l.y * ld.y, P.M.zz -= l.z * ld.z;
    P.M.xy -= l.x * ld.y, P.M.xz -= l.x * ld.z, P.M.yz -= l.y * ld.z;
  }
  /// The joint bears tau about its axis.
  template <int, class Subspace, class S>
  KINETREE_INLINE static void add_joint_force(const Subspace&, const S* tau, const Force<S>* U, const S* y,
                                              Force<S>& z) {
    z.moment.x += *y * U->moment.x, z.moment.y += *y * U->moment.y, z.moment.z = *tau;
    z.force += *y * U->force;
  }
  template <class Subspace, class S>
  KINETREE_INLINE static void add_bias(const Subspace&, const ArticulatedInertia<S>& P, const Motion<S>& c,
                                       Force<S>& z) {
    const Force<S> f = Revolute::times_bias_across(P, c);
    z.moment.x += f.moment.x, z.moment.y += f.moment.y;
    z.force += f.force;
  }
  template <class X, class S>
  KINETREE_INLINE static void to_parent(const X& X_up, ArticulatedInertia<S>& P, ArticulatedInertia<S>& to) {
    to_parent_projected(X_up, P, to);
  }
};

/// Of a floating joint without rotors: none.
struct NoInertia : FullInertia {
  static constexpr bool uses_y = false;
  template <int, class S>
  KINETREE_INLINE static void project(const Force<S>*, const S*, const ArticulatedInertia<S>&) {}
  template <int, class S>
  KINETREE_INLINE static void project_force(const Force<S>*, const S*, const S*, Force<S>& f) {
    f = Force<S>{};
  }
  /// S tau: U D⁻¹ is S.
  template <int, class Subspace, class S>
  KINETREE_INLINE static void add_joint_force(const Subspace& subspace, const S* tau, const Force<S>*, const S*,
                                              Force<S>& z) {
    z = subspace.force(tau);
  }
  template <class Subspace, class S>
  KINETREE_INLINE static void add_bias(const Subspace&, const ArticulatedInertia<S>&, const Motion<S>&, Force<S>&) {}
  template <class X, class S>
  KINETREE_INLINE static void to_parent(const X&, const ArticulatedInertia<S>&, ArticulatedInertia<S>& to) {
    to = ArticulatedInertia<S>{};
  }
  /// D = SᵀP S and SᵀS = 1, so D⁻¹ Uᵀ is Sᵀ.
  template <int n, class Subspace, class S>
  KINETREE_INLINE static void solve(const Subspace& subspace, const Force<S>*, const S* D, const Motion<S>& a, S* x) {
    S own[n];
    subspace.transpose_times(a, own);
    ldl_solve(D, Size<n>(), x);
    for (int k = 0; k < n; ++k) x[k] -= own[k];
  }
};

enum class Rotors : unsigned char { none, some, unknown };

/// `in_segment`: whether screws place the joint, and the parent's screw is the identity but for a segment's first
/// joint.
template <class S, class Subspace_, Rotors rotors = Rotors::unknown, bool in_segment = false>
struct SweepJoint {
  using Subspace = Subspace_;
  using Inertia = std::conditional_t<
      rotors == Rotors::none && RevoluteSubspace<Subspace>, ProjectedInertia,
      std::conditional_t<rotors == Rotors::none && FloatingSubspace<Subspace>, NoInertia, FullInertia>>;
  static constexpr int freedoms = Subspace::freedoms;

  [[no_unique_address]] Subspace subspace;
  [[no_unique_address]] Inertia inertia;
  const S* rotor = nullptr;  ///< reflected inertias, one per degree of freedom; null: none

  /// U = P S and D = SᵀU, factorized; P becomes P - U D⁻¹ Uᵀ.
  KINETREE_INLINE void factor(ArticulatedInertia<S>& P, Force<S>* U, S* D) const {
    constexpr int n = freedoms;
    subspace.image(P, U);
    S own[n * n];  // not in memory while it is worked on
    for (int k = 0; k < n; ++k) subspace.transpose_times(U[k], own + n * k);
    add_rotors(own);
    ldl_factor(own, Size<n>());
    for (int k = 0; k < n * n; ++k) D[k] = own[k];
    inertia.template project<n>(U, own, P);
  }
  /// u = tau - Sᵀz and y = D⁻¹ u; z becomes z + U y. `asks_y`: whether the caller reads y; else y is written only where
  /// z needs it.
  template <bool asks_y = true>
  KINETREE_INLINE void bias(const S* tau, const Force<S>* U, const S* D, S* u, S* y, Force<S>& z) const {
    constexpr int n = freedoms;
    S own[n];  // not read back from memory
    subspace.transpose_times(z, own);
    for (int k = 0; k < n; ++k) u[k] = own[k] = tau[k] - own[k];
    if constexpr (asks_y || Inertia::uses_y) {
      for (int k = 0; k < n; ++k) y[k] = own[k];
      ldl_solve(D, Size<n>(), y);
    }
    inertia.template add_joint_force<n>(subspace, tau, U, y, z);
  }
  /// The joint's acceleration D⁻¹ (u - Uᵀa) from a = X a_p + c, to which S times it is added. `x`: on entry u, or u and
  /// more.
  KINETREE_INLINE void acceleration(const Force<S>* U, const S* D, S* x, Motion<S>& a) const {
    inertia.template solve<freedoms>(subspace, U, D, a, x);
    subspace.add(x, a);
  }

  /// X_up, but for the parent's screw of a segment's first joint.
  KINETREE_INLINE decltype(auto) transform(const JointTransform<S>& X_up) const {
    if constexpr (in_segment)
      return SegmentTransform<S>(X_up);
    else
      return transform_of(subspace, X_up);
  }
  /// What the parent's screw does, at a segment's first joint.
  KINETREE_INLINE void to_child_inboard(const AxialPlacement<S>& placement, Motion<S>& m) const {
    if constexpr (in_segment) inner::to_child_inboard(placement, m);
  }
  template <class... Quantities>
  KINETREE_INLINE void to_parent_inboard(const AxialPlacement<S>& placement, Quantities&... all) const {
    if constexpr (in_segment)
      if (placement.has_inboard()) (inner::to_parent_inboard(placement, all), ...);
  }

 private:
  /// D += the rotors' inertias
  KINETREE_INLINE void add_rotors(S* D) const {
    if constexpr (rotors == Rotors::none) return;
    if (rotors == Rotors::some || rotor != nullptr)
      for (int k = 0; k < freedoms; ++k) D[freedoms * k + k] += rotor[k];
  }
};

/// Calls use(joint). `columns`: as in with_subspace; `rotor`: null where the joint has none.
template <class S, class Use>
KINETREE_INLINE void with_joint(JointType type, const Motion<S>* columns, const S* rotor, Use&& use) {
  with_subspace(type, columns, [&](auto subspace) {
    using Subspace = decltype(subspace);
    if constexpr (!RevoluteSubspace<Subspace> && !FloatingSubspace<Subspace>)
      use(SweepJoint<S, Subspace>{subspace, {}, rotor});
    else if (rotor == nullptr)
      use(SweepJoint<S, Subspace, Rotors::none>{subspace, {}});
    else
      use(SweepJoint<S, Subspace, Rotors::some>{subspace, {}, rotor});
  });
}

}  // namespace kinetree::inline inner
