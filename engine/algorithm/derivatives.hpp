#pragma once
// Derivatives of inverse dynamics in closed form (Carpentier & Mansard 2018; Singh, Russell & Wensing 2022, Eq. 24-31),
// body by body: what a displacement of a joint does to velocities and accelerations outboard of it, and composites of
// what bodies make of that. All is in the axes of the tree's root body and about the body's own origin: no lever arm
// from the world's origin costs digits, and only arms, no turns, lie between a body and its parent.
//
// A displacement d in the coordinates of v moves all that is outboard of a column s of S by s d. In coordinates that
// move along, velocities change by eta = v_p x s and accelerations by xi = a_p x s + v_p x eta, less v x eta at a body
// of velocity v; a rate of the column changes them by s and by xi_v = (v_p + v) x s, less v x s. v_p, a_p: inboard of
// the column.

#include <array>
#include <vector>

#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/wide.hpp"

namespace kinetree::inline inner {

/// Columns of S that move together: those of a joint whose S is constant in body coordinates. A joint whose S is not
/// (universal, planar) is a series of joints of one freedom, with a group each, whose columns inboard rest where
/// columns outboard move.
struct ColumnGroup {
  int body = 0, begin = 0, end = 0;  ///< velocities [begin, end)
  int subtree_end = 0;               ///< velocities outboard: [end, subtree_end)
  int inboard = -1;                  ///< the group before on the way to the ground; -1: none
  bool turns = false;                ///< one column that turns about an axis through the origin
  bool innermost = false;            ///< of its joint
};

/// What forces of a subtree change by where its root's velocity changes by m: 2 B m = (2 G w, -2 p x w), w the angular
/// part of m. B = 1/2 [(v x*) I - I (v x) + (I v) x*] of Singh, Russell & Wensing has no other entries: written out,
/// those of m's linear part cancel by Jacobi's identity, whatever the body's velocity.
template <class S>
struct VelocityForce {
  Matrix3<S> G;
  Vector3<S> p;  ///< momentum

  KINETREE_INLINE Force<S> operator()(const Vector3<S>& w) const { return {S(2) * (G * w), S(-2) * cross(p, w)}; }
  /// w -> (2 B)ᵀ s: a moment.
  KINETREE_INLINE Vector3<S> transposed(const Motion<S>& s) const {
    return S(2) * (transpose_times(G, s.angular) + cross(p, s.linear));
  }
};

/// What external forces of a subtree, fixed in world axes about their links, change by in moving axes where these turn
/// by w: (G w, F x w).
template <class S>
struct TurnedForce {
  Matrix3<S> G;
  Vector3<S> F;

  KINETREE_INLINE Force<S> operator()(const Vector3<S>& w) const { return {G * w, cross(F, w)}; }
  KINETREE_INLINE Vector3<S> transposed(const Motion<S>& s) const {
    return transpose_times(G, s.angular) + cross(s.linear, F);
  }
};

template <class S>
struct Derivatives {
  std::vector<ColumnGroup> group;         ///< ascending
  std::vector<int> group_of, last_group;  ///< over velocities; over bodies
  // over bodies
  std::vector<Transform<S>>
      arm;  ///< E from the root body's axes to the body's; r from the parent's origin to the body's
  std::vector<Motion<S>> v, a;
  std::vector<RigidInertia<S>> I;  ///< from here on: of the body alone, or with all that is outboard of it
  std::vector<Force<S>> f;         ///< the force through the joint; before accelerations are known its bias
  std::vector<VelocityForce<S>> B;
  std::vector<TurnedForce<S>> turned;  ///< only where external forces act
  std::vector<Motion<S>> c;            ///< over groups: velocity-product acceleration
  // over velocities; xi lacks a_p x s until accelerations are known
  std::vector<Motion<S>> s, eta, xi, xi_v;

  explicit Derivatives(const ModelData& m) : group_of(at(m.v_index.back())), last_group(m.parent.size()) {
    const std::size_t n = m.parent.size();
    for (std::size_t i = 0; i < n; ++i) {
      const JointType type = m.joint_type[i];
      const bool series = type == JointType::universal || type == JointType::planar;
      const int p = m.parent[i], first = m.v_index[i], end = m.v_index[i + 1];
      int inboard = p < 0 ? -1 : last_group[at(p)];
      for (int v = first; v < end; v = group.back().end) {
        const int last = series ? v + 1 : end;
        group.push_back({.body = static_cast<int>(i),
                         .begin = v,
                         .end = last,
                         .subtree_end = m.v_index[at(m.subtree_end[i])],
                         .inboard = inboard,
                         .turns = is_revolute(type),
                         .innermost = v == first});
        inboard = static_cast<int>(group.size()) - 1;
        for (int k = v; k < last; ++k) group_of[at(k)] = inboard;
      }
      last_group[i] = inboard;
    }
    arm.resize(n), v.resize(n), a.resize(n), I.resize(n), f.resize(n), B.resize(n), c.resize(group.size());
    s.resize(group_of.size()), eta.resize(s.size()), xi.resize(s.size()), xi_v.resize(s.size());
  }
  void expect_external_forces() { turned.resize(arm.size()); }
  std::size_t bytes() const {
    return bytes_of(group, group_of, last_group, arm, v, a, I, f, B, turned, c, s, eta, xi, xi_v);
  }
};

namespace derivatives_detail {

/// The columns of S of the joint that carries body i, in axes to which E turns back.
template <class S>
void columns_of_joint(const Context<S>& x, const Kinematics<S>& k, int i, const Matrix3<S>& E, Motion<S>* s) {
  const Vector3<S> o{};
  const std::array<Vector3<S>, 3> axis{{{E.xx, E.xy, E.xz}, {E.yx, E.yy, E.yz}, {E.zx, E.zy, E.zz}}};
  switch (x.type(i)) {
    case JointType::prismatic:
      s[0] = {o, axis[2]};
      break;
    case JointType::spherical:
      for (std::size_t c = 0; c < 3; ++c) s[c] = {axis[c], o};
      break;
    case JointType::floating:
      for (std::size_t c = 0; c < 3; ++c) s[c] = {o, axis[c]}, s[c + 3] = {axis[c], o};
      break;
    case JointType::helical:
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::planar:
      for (int c = 0; c < x.v_index(i + 1) - x.v_index(i); ++c) {
        const Motion<S>& column = k.columns[at(x.v_index(i) + c)];
        s[c] = {transpose_times(E, column.angular), transpose_times(E, column.linear)};
      }
      break;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::fixed:
      s[0] = {axis[2], o};
      break;
  }
}

/// A += a bᵀ, less dot(a, b) on the diagonal: [b] [a], of two cross products.
template <class S>
KINETREE_INLINE void add_crossed(const Vector3<S>& a, const Vector3<S>& b, Matrix3<S>& A) {
  const S xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  A.xx -= yy + zz, A.xy += a.x * b.y, A.xz += a.x * b.z;
  A.yx += a.y * b.x, A.yy -= xx + zz, A.yz += a.y * b.z;
  A.zx += a.z * b.x, A.zy += a.z * b.y, A.zz -= xx + yy;
}

/// G and p of one body: G = [w] (I - tr(I) / 2) + (h V) 1 - V hᵀ, V the origin's velocity.
template <class S>
KINETREE_INLINE VelocityForce<S> velocity_force(const RigidInertia<S>& R, const Motion<S>& v) {
  const Symmetric3<S>& I = R.I;
  const Vector3<S>&w = v.angular, V = -v.linear;
  const S half = S(0.5) * (I.xx + I.yy + I.zz);
  const Vector3<S> x = cross(w, {I.xx - half, I.xy, I.xz}), y = cross(w, {I.xy, I.yy - half, I.yz}),
                   z = cross(w, {I.xz, I.yz, I.zz - half});
  VelocityForce<S> B{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, R.mass * v.linear + cross(w, R.h)};
  add_crossed(V, R.h, B.G);
  return B;
}

/// A motion about a point that is r from where m is about, in the same axes.
template <class S>
KINETREE_INLINE Motion<S> moved(const Vector3<S>& r, const Motion<S>& m) {
  return {m.angular, m.linear + cross(m.angular, r)};
}
/// A force about a point that is -r from where f is about.
template <class S>
KINETREE_INLINE Force<S> moved(const Vector3<S>& r, const Force<S>& f) {
  return {f.moment + cross(r, f.force), f.force};
}

/// The inertia of a body about a point that is -r from its origin.
template <class S>
KINETREE_INLINE void add_moved(const Vector3<S>& r, const RigidInertia<S>& R, RigidInertia<S>& to) {
  const Vector3<S> h = R.h + R.mass * r, g = R.h + h;  // r hᵀ + h rᵀ + m r rᵀ, made symmetric
  const S xx = r.x * g.x, yy = r.y * g.y, zz = r.z * g.z;
  to.mass += R.mass, to.h += h;
  to.I.xx += R.I.xx + (yy + zz), to.I.yy += R.I.yy + (xx + zz), to.I.zz += R.I.zz + (xx + yy);
  to.I.xy += R.I.xy - (r.x * R.h.y + h.x * r.y);
  to.I.xz += R.I.xz - (r.x * R.h.z + h.x * r.z);
  to.I.yz += R.I.yz - (r.y * R.h.z + h.y * r.z);
}

/// The external force on body i in root axes, and how it turns. `R`: from world to root axes.
template <class S>
Force<S> external_force(const Context<S>& x, Derivatives<S>& d, int i, const Matrix3<S>& R) {
  const S* f = x.state.f_ext + 6 * x.model->whole_of(i);
  const Matrix3<S>& E = d.arm[at(i)].E;
  const Vector3<S> n = R * Vector3<S>{f[0], f[1], f[2]}, F = R * Vector3<S>{f[3], f[4], f[5]},
                   o = x.link[at(i)].origin * Vector3<S>{E.zx, E.zy, E.zz};  // where the user's link is
  TurnedForce<S>& turned = d.turned[at(i)];
  const S z(0);
  turned = {{z, -n.z, n.y, n.z, z, -n.x, -n.y, n.x, z}, F};
  add_crossed(F, o, turned.G);
  return {n + cross(o, F), F};
}

}  // namespace derivatives_detail

/// Scatter, after `positions`: columns and velocities, and what one body alone makes of them.
template <class S>
void derivative_velocities(const Context<S>& x, const Kinematics<S>& k, Derivatives<S>& d) {
  using namespace derivatives_detail;
  Matrix3<S> to_root{};  // world to root axes
  Matrix3<S> E{};        // of the body before, which stays in registers, as v does
  Motion<S> v{};
  std::size_t g = 0;
  for (int i = 0; i < x.bodies(); ++i) {
    const int p = x.parent(i);
    Transform<S> arm = Transform<S>::identity();
    if (p >= 0) {
      if (p != i - 1) E.take(d.arm[at(p)].E), v = d.v[at(p)];
      arm.E.take(E);
      extend(k.X_up[at(i)], arm);
      v = moved(arm.r, v);
    } else {
      v = {};
      if (x.state.f_ext != nullptr) to_root = static_cast<Transform<S>>(k.X_up[at(i)]).E;
    }
    d.arm[at(i)].take(arm);
    E.take(arm.E);
    columns_of_joint(x, k, i, arm.E, &d.s[at(x.v_index(i))]);
    for (; g < d.group.size() && d.group[g].body == i; ++g) {
      Motion<S> rate{};
      for (int n = d.group[g].begin; n < d.group[g].end; ++n) {
        rate += x.state.v[n] * d.s[at(n)];
        d.eta[at(n)] = cross(v, d.s[at(n)]), d.xi[at(n)] = cross(v, d.eta[at(n)]);
      }
      d.c[g] = cross(v, rate);
      const Motion<S> outboard = v + rate, both = v + outboard;
      for (int n = d.group[g].begin; n < d.group[g].end; ++n) d.xi_v[at(n)] = cross(both, d.s[at(n)]);
      v = outboard;
    }
    d.v[at(i)] = v;
    const RigidInertia<S>& own = x.link[at(i)].I;
    const RigidInertia<S> R{own.mass, transpose_times(arm.E, own.h), congruence(arm.E, own.I)};
    d.I[at(i)].take(R);
    d.f[at(i)] = gyroscopic_force(R, v);
    if (x.state.f_ext != nullptr) d.f[at(i)] -= external_force(x, d, i, to_root);
    d.B[at(i)] = velocity_force(R, v);
  }
}

/// Scatter: accelerations, xi. `accelerate(group, a)` adds to a what the group's velocities add, c left out.
/// `use(i)`: called once d.a[i] is known.
template <class S, class Accelerate, class Use>
void derivative_accelerations(const Context<S>& x, const Kinematics<S>& k, Derivatives<S>& d, Accelerate&& accelerate,
                              Use&& use) {
  std::size_t g = 0;
  Motion<S> a{};  // of the body before, which stays in registers
  for (int i = 0; i < x.bodies(); ++i) {
    const int p = x.parent(i);
    if (p >= 0) {
      if (p != i - 1) a = d.a[at(p)];
      a = derivatives_detail::moved(d.arm[at(i)].r, a);
    } else {
      a = k.X_up[at(i)] * x.ground_acceleration;
    }
    for (; g < d.group.size() && d.group[g].body == i; ++g) {
      for (int n = d.group[g].begin; n < d.group[g].end; ++n) d.xi[at(n)] += cross(a, d.s[at(n)]);
      accelerate(d.group[g], a);
      a += d.c[g];
    }
    d.a[at(i)] = a;
    use(i);
  }
}

/// The same with the accelerations of the state; the forces of bodies alone.
template <class S>
void derivative_accelerations(const Context<S>& x, const Kinematics<S>& k, Derivatives<S>& d) {
  derivative_accelerations(
      x, k, d,
      [&](const ColumnGroup& g, Motion<S>& a) {
        for (int n = g.begin; n < g.end; ++n) a += x.state.a[n] * d.s[at(n)];
      },
      [&](int i) { d.f[at(i)] += d.I[at(i)] * d.a[at(i)]; });
}

/// What body i hands to its parent, once it has all that is outboard of it.
template <class S>
void derivative_composites(const Context<S>& x, Derivatives<S>& d, int i) {
  using namespace derivatives_detail;
  const int p = x.parent(i);
  if (p < 0) return;
  const Vector3<S>& r = d.arm[at(i)].r;
  add_moved(r, d.I[at(i)], d.I[at(p)]);
  d.f[at(p)] += moved(r, d.f[at(i)]);
  d.B[at(p)].G += d.B[at(i)].G, d.B[at(p)].p += d.B[at(i)].p;
  add_crossed(-d.B[at(i)].p, r, d.B[at(p)].G);
  if (x.state.f_ext == nullptr) return;
  d.turned[at(p)].G += d.turned[at(i)].G, d.turned[at(p)].F += d.turned[at(i)].F;
  add_crossed(d.turned[at(i)].F, r, d.turned[at(p)].G);
}

}  // namespace kinetree::inline inner
