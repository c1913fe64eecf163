#pragma once
// The joint-torque regressor: joint forces of inverse dynamics are linear in ten numbers of each link, tau = Y p
// (Atkeson, An & Hollerbach 1986). An entry of Y is the power that a unit of one number takes from the motion s of one
// joint's column: with the link's angular velocity w, angular acceleration u and its origin's acceleration b, gravity's
// upward one included, and the parts (m, n) of s in the link's axes,
//
//   s . f = mass (n . b) + h . (b x m + n x u + w x (w x n)) + m . I u + (m x w) . I w
//
// h being mass times centre of mass and I about the origin. All is in the axes of the user's links and about their
// origins: columns of a joint go outwards from link to link, so that no lever arm from the world's origin costs digits.
// Products with Y take one such sweep of a link's numbers inwards, those with its transpose one outwards.

#include <algorithm>
#include <vector>

#include "engine/algorithm/link_kinematics.hpp"
#include "engine/algorithm/method.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// What a link's own force needs of its motion: angular velocity, angular acceleration, its origin's acceleration.
template <class S>
struct LinkMotion {
  Vector3<S> w, u, b;
};

template <class S>
struct Regressor {
  // over bodies
  std::vector<Transform<S>> own, back;  ///< from the body's frame to that of its own link; and back
  std::vector<Transform<S>> X;          ///< from the link's frame that carries it to its own
  std::vector<Motion<S>> v, a;          ///< in the link's axes; a with gravity as an upward acceleration of the ground
  std::vector<LinkMotion<S>> motion;
  std::vector<Motion<S>> s;  ///< over velocities: columns of joints, in the axes of the link that each carries
  std::vector<std::size_t> path_begin;  ///< over bodies, of `path`; one entry more. Empty but for the matrix
  std::vector<Motion<S>> path;          ///< columns of all joints that move a link, its own joint's first, in its axes
  std::vector<Force<S>> f;              ///< over bodies, of a product: the force that its parent's link feels
  std::vector<Motion<S>> moved;         ///< over bodies, of a transposed product

  Regressor(const ModelData& m, Function function) {
    const std::size_t n = m.parent.size();
    own.reserve(n), back.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Transform<double>& U = m.frames[at(m.body_frame[i])].X_frame_body;
      const Vector3<double> r = U.E * U.r;
      own.push_back(of(U)), back.push_back(of({transpose(U.E), -r}));
    }
    X.resize(n), v.resize(n), a.resize(n), motion.resize(n), s.resize(at(m.v_index.back()));
    if (function == Function::joint_torque_regressor) {
      path_begin.resize(n + 1);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t inboard = m.parent[i] < 0 ? 0 : path_begin[at(m.parent[i]) + 1] - path_begin[at(m.parent[i])];
        path_begin[i + 1] = path_begin[i] + inboard + at(m.v_index[i + 1] - m.v_index[i]);
      }
      path.resize(path_begin.back());
    } else if (function == Function::joint_torque_regressor_product) {
      f.resize(n);
    } else {
      moved.resize(n);
    }
  }
  std::size_t bytes() const { return bytes_of(own, back, X, v, a, motion, s, path_begin, path, f, moved); }

 private:
  static Transform<S> of(const Transform<double>& U) {
    Link<double> constants;
    constants.X_tree = U;
    return cast<S>(constants).X_tree;
  }
};

/// Scatter, after `positions`: how links move, in their own axes.
template <class S>
void link_motions(const Context<S>& x, const Kinematics<S>& k, Regressor<S>& d, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int p = x.parent(i);
    const Transform<S>& own = d.own[at(i)];
    Transform<S> X = own * static_cast<Transform<S>>(k.X_up[at(i)]);
    if (p >= 0) X = X * d.back[at(p)];
    Motion<S> v{}, a = X * (p < 0 ? x.ground_acceleration : d.a[at(p)]), rate{};
    if (p >= 0) v = X * d.v[at(p)];
    for_columns_of_joint(x, k, i, [&](int j, const Motion<S>& column) {
      const Motion<S> s = own * column;
      d.s[at(j)] = s;
      rate += x.state.v[j] * s;
      if (x.state.a != nullptr) a += x.state.a[j] * s;
    });
    v += rate;
    a += cross(v, rate) + own * k.c[at(i)];  // c: of the columns' own motion alone, where `positions` wrote it
    d.X[at(i)] = X, d.v[at(i)] = v, d.a[at(i)] = a;
    d.motion[at(i)] = {v.angular, a.angular, a.linear + cross(v.angular, v.linear)};
  });
}

namespace regressor_detail {

/// The ten entries of one row of Y, of a link that moves so and a joint's column s in its axes: put(number, entry).
template <class S, class Put>
KINETREE_INLINE void ten_entries(const LinkMotion<S>& link, const Motion<S>& s, const Put& put) {
  const Vector3<S>&w = link.w, &u = link.u, &b = link.b, &m = s.angular, &n = s.linear;
  const Vector3<S> h = cross(b, m) + cross(n, u) + cross(w, cross(w, n)), t = cross(m, w);
  put(0, dot(n, b));
  put(1, h.x), put(2, h.y), put(3, h.z);
  put(4, m.x * u.x + t.x * w.x), put(5, m.y * u.y + t.y * w.y), put(6, m.z * u.z + t.z * w.z);
  put(7, (m.x * u.y + m.y * u.x) + (t.x * w.y + t.y * w.x));
  put(8, (m.x * u.z + m.z * u.x) + (t.x * w.z + t.z * w.x));
  put(9, (m.y * u.z + m.z * u.y) + (t.y * w.z + t.z * w.y));
}

/// The force that a link with these ten numbers asks for.
template <class S>
KINETREE_INLINE Force<S> force_of(const LinkMotion<S>& link, const S* p) {
  const RigidInertia<S> I{p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]}};
  return I * Motion<S>{link.u, link.b} + gyroscopic_force(I, Motion<S>{link.w, {}});
}

/// Of a velocity, as friction has it.
template <class S>
KINETREE_INLINE S sign(const S& v) {
  return select(v > S(0), S(1), select(v < S(0), S(-1), S(0)));
}

template <class S>
S acceleration(const Context<S>& x, int v) {
  return x.state.a == nullptr ? S(0) : x.state.a[v];
}

}  // namespace regressor_detail

/// Scatter: the columns of Y that a module's links and joints have, nv x parameters column by column.
template <class S>
void regressor_columns(const Context<S>& x, Regressor<S>& d, S* Y, int step) {
  using namespace regressor_detail;
  const int nv = x.model->v_index.back();
  S* const of_joints = Y + 10 * x.bodies() * std::ptrdiff_t{nv};
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int p = x.parent(i), first = x.v_index(i), own = x.v_index(i + 1) - first;
    Motion<S>* const path = &d.path[d.path_begin[at(i)]];
    for (int c = 0; c < own; ++c) path[c] = d.s[at(first + c)];
    if (p >= 0) {
      const Transform<S> X = d.X[at(i)];
      for (std::size_t from = d.path_begin[at(p)], to = at(own); from < d.path_begin[at(p + 1)]; ++from, ++to)
        path[to] = X * d.path[from];
    }
    S* const ten = Y + 10 * std::ptrdiff_t{i} * nv;
    std::fill_n(ten, 10 * nv, S(0));
    const LinkMotion<S> link = d.motion[at(i)];
    const Motion<S>* s = path;
    for (int j = i; j >= 0; j = x.parent(j))
      for (int v = x.v_index(j); v < x.v_index(j + 1); ++v, ++s)
        ten_entries(link, *s, [&](int number, const S& entry) { ten[number * nv + v] = entry; });
    for (int v = first; v < first + own; ++v) {
      S* const armature = of_joints + std::ptrdiff_t{v} * nv;
      const std::ptrdiff_t apart = std::ptrdiff_t{nv} * nv;
      for (int k = 0; k < 3; ++k) std::fill_n(armature + k * apart, nv, S(0));
      armature[v] = acceleration(x, v);
      armature[apart + v] = x.state.v[v];
      armature[2 * apart + v] = sign(x.state.v[v]);
    }
  });
}

/// Gather: tau = Y p.
template <class S>
void regressor_times(const Context<S>& x, Regressor<S>& d, const S* p, S* tau, int step) {
  using namespace regressor_detail;
  const int nv = x.model->v_index.back();
  const S* const of_joints = p + 10 * std::ptrdiff_t{x.bodies()};
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    const Force<S> f = plus_children(x, i, force_of(d.motion[at(i)], p + 10 * std::ptrdiff_t{i}), d.f);
    for (int v = x.v_index(i); v < x.v_index(i + 1); ++v)
      tau[v] = dot(d.s[at(v)], f) + of_joints[v] * acceleration(x, v) + of_joints[nv + v] * x.state.v[v] +
               of_joints[2 * nv + v] * sign(x.state.v[v]);
    d.f[at(i)] = transpose_times(d.X[at(i)], f);
  });
}

/// Scatter: p = Yᵀ tau.
template <class S>
void regressor_transpose_times(const Context<S>& x, Regressor<S>& d, const S* tau, S* p, int step) {
  using namespace regressor_detail;
  const int nv = x.model->v_index.back();
  S* const of_joints = p + 10 * std::ptrdiff_t{x.bodies()};
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    Motion<S> m{};
    if (x.parent(i) >= 0) m = d.X[at(i)] * d.moved[at(x.parent(i))];
    for (int v = x.v_index(i); v < x.v_index(i + 1); ++v) {
      m += tau[v] * d.s[at(v)];
      of_joints[v] = tau[v] * acceleration(x, v);
      of_joints[nv + v] = tau[v] * x.state.v[v];
      of_joints[2 * nv + v] = tau[v] * sign(x.state.v[v]);
    }
    d.moved[at(i)] = m;
    S* const ten = p + 10 * std::ptrdiff_t{i};
    ten_entries(d.motion[at(i)], m, [&](int number, const S& entry) { ten[number] = entry; });
  });
}

}  // namespace kinetree::inline inner
