#pragma once
// Operational space compliance J M⁻¹ Jᵀ of several frames, without J and without M (Jain 2011, Sec. 6.2, Eq. 60): the
// blocks of Omega = psi* H* D⁻¹ H psi. Gather of articulated inertias; scatter of Omega's diagonal along the paths to
// the frames (Lemma 5, Eq. 24); gather that carries each frame's unit forces inwards by psi, to the body where its path
// meets another frame's: there, with the diagonal block of that body, stands the off-diagonal block (Eq. 25, case 4).

#include <algorithm>

#include "engine/algorithm/articulated_body.hpp"
#include "engine/algorithm/link_kinematics.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Symmetric 6x6 map from forces to motions. It is an inertia with angular and linear exchanged, and moves like one.
template <class S>
struct Compliance {
  ArticulatedInertia<S> exchanged;  ///< I: linear by force, H: linear by moment, M: angular by moment

  friend Motion<S> operator*(const Compliance& C, const Force<S>& f) {
    const Force<S> m = C.exchanged * Motion<S>{f.force, f.moment};
    return {m.force, m.moment};
  }
};

/// X C Xᵀ, where X = X_b_a: takes a compliance from a's coordinates to b's.
template <class S>
Compliance<S> moved(const Transform<S>& X, const Compliance<S>& C) {
  return {congruence(Transform<S>{transpose(X.E), -(X.E * X.r)}, C.exchanged)};
}

/// Force number c of the six that have one coordinate 1 and the others 0.
template <class S>
Force<S> unit_force(int c) {
  const auto e = [c](int k) { return S(c == k ? 1 : 0); };
  return {{e(0), e(1), e(2)}, {e(3), e(4), e(5)}};
}

template <class S>
struct OperationalSpace {
  struct Task {
    int body = -1;          ///< -1: fixed to the ground
    int place = 0;          ///< in the caller's list
    Transform<S> X_frame;   ///< from the body's frame to the point's
    Force<S> carried[6]{};  ///< the frame's unit forces, in the coordinates of the body that they were carried to
  };
  ArticulatedBody<S> articulated;
  std::vector<Compliance<S>> Omega;  ///< over bodies with frames at or outboard of them: diagonal blocks
  std::vector<char> met_above;       ///< over these: whether an inboard body has frames outside this body's subtree
  std::vector<Task> tasks;           ///< ascending bodies, so that the tasks of a subtree are consecutive
  std::vector<int> first;            ///< first task of body i or after it; one entry more than bodies
  S* result = nullptr;               ///< 6 rows and columns per frame, in the caller's order; both triangles
  std::ptrdiff_t stride = 0;

  explicit OperationalSpace(const Context<S>& x)
      : articulated(*x.model, x.nodes), Omega(at(x.bodies())), met_above(Omega.size()), first(Omega.size() + 1) {}

  /// Sorts the points by body. Allocates only for more points than ever before.
  void set_points(const ModelData& m, std::span<const LinkPoint> points) {
    tasks.resize(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      const BodyPoint<S> point = body_point<S>(m, points[k]);
      tasks[k].body = point.body, tasks[k].place = static_cast<int>(k), tasks[k].X_frame = point.X;
    }
    std::sort(tasks.begin(), tasks.end(),
              [](const Task& a, const Task& b) { return a.body < b.body || (a.body == b.body && a.place < b.place); });
    int t = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      while (t < static_cast<int>(tasks.size()) && tasks[at(t)].body < static_cast<int>(i)) ++t;
      first[i] = t;
    }
  }
  int last(const ModelData& m, int i) const { return first[at(m.subtree_end[at(i)])]; }
  std::size_t bytes() const { return articulated.bytes() + bytes_of(Omega, met_above, tasks, first); }
};

template <class S, class Joints>
[[gnu::noinline]] void inertias_of_segment(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                           Segment segment, Joints joints) {
  articulate_segment(x, k, b, segment, joints, NoBias());
}

/// Gather: articulated inertias alone (Eq. 33), of a model without aggregates.
template <class S>
void articulated_inertias(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step) {
  segments_inwards<true>(
      x, k, step, [&](const Segment& segment, const auto& joints) { inertias_of_segment(x, k, b, segment, joints); });
}

/// f := tau_bar f = f - U D⁻¹ Sᵀf: what is left of a force on a body for those inboard; x := Sᵀf on the way.
template <class S, class Joint>
void pass_joint(const Joint& joint, const Force<S>* U, const S* D, Force<S>& f, S* x) {
  joint.subspace.transpose_times(f, x);
  joint.inertia.template project_force<Joint::freedoms>(U, D, x, f);
}

/// tau_bar* B tau_bar + H* D⁻¹ H, column by column as articulated bodies answer a unit force: symmetric, so that the
/// linear answers to forces, and all answers to moments, are enough.
template <class S, class Joint>
Compliance<S> through_joint(const Joint& joint, const Force<S>* U, const S* D, const Compliance<S>& B) {
  Motion<S> a[6];
  for (int c = 0; c < 6; ++c) {
    S x[Joint::freedoms];
    Force<S> f = unit_force<S>(c);
    pass_joint(joint, U, D, f, x);
    a[c] = B * f;
    joint.acceleration(U, D, x, a[c]);
  }
  const auto &m = a[0].angular, &n = a[1].angular, &o = a[2].angular;
  const auto &p = a[0].linear, &q = a[1].linear, &r = a[2].linear;
  const auto &u = a[3].linear, &v = a[4].linear, &w = a[5].linear;
  return {
      {{u.x, v.y, w.z, v.x, w.x, w.y}, {p.x, q.x, r.x, p.y, q.y, r.y, p.z, q.z, r.z}, {m.x, n.y, o.z, n.x, o.x, o.y}}};
}

/// Scatter: diagonal blocks of Omega on the paths from the ground to the frames.
template <class S>
void compliances(const Context<S>& x, const Kinematics<S>& k, OperationalSpace<S>& o, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int first = o.first[at(i)], last = o.last(*x.model, i), p = x.parent(i), j = x.v_index(i);
    if (first == last) return;
    Compliance<S> B{};
    o.met_above[at(i)] = 0;
    if (p >= 0) {
      B = moved(static_cast<Transform<S>>(k.X_up[at(i)]), o.Omega[at(p)]);
      o.met_above[at(i)] = o.met_above[at(p)] || last - first < o.last(*x.model, p) - o.first[at(p)];
    }
    with_joint(x, k, i, [&](const auto& joint) {
      const ArticulatedBody<S>& b = o.articulated;
      o.Omega[at(i)] = through_joint(joint, &b.U[at(j)], b.D_of(i), B);
    });
  });
}

/// The blocks of tasks s in [first, end) with task t, all carried to the body whose diagonal block is given.
template <class S>
void meet(OperationalSpace<S>& o, const Compliance<S>& Omega, int first, int end, int t) {
  const typename OperationalSpace<S>::Task& b = o.tasks[at(t)];
  Motion<S> answer[6];
  for (int c = 0; c < 6; ++c) answer[c] = Omega * b.carried[c];
  for (int s = first; s < end; ++s) {
    const typename OperationalSpace<S>::Task& a = o.tasks[at(s)];
    for (int c = 0; c < 6; ++c)
      for (int r = 0; r < 6; ++r) {
        const S entry = dot(answer[c], a.carried[r]);
        o.result[6 * a.place + r + (6 * b.place + c) * o.stride] = entry;
        o.result[6 * b.place + c + (6 * a.place + r) * o.stride] = entry;
      }
  }
}

/// Gather: the blocks of all pairs of tasks that meet at a body, on it or on two of its branches.
template <class S>
void relate(const Context<S>& x, const Kinematics<S>& k, OperationalSpace<S>& o, int step) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int first = o.first[at(i)], own = o.first[at(i + 1)], last = o.last(*x.model, i), j = x.v_index(i);
    for (int t = first; t < own; ++t) {
      for (int c = 0; c < 6; ++c) o.tasks[at(t)].carried[c] = transpose_times(o.tasks[at(t)].X_frame, unit_force<S>(c));
      meet(o, o.Omega[at(i)], first, t + 1, t);
    }
    for (const int child : x.model->children_of(i)) {
      const int begin = o.first[at(child)];
      if (begin > first)
        for (int t = begin; t < o.last(*x.model, child); ++t) meet(o, o.Omega[at(i)], first, begin, t);
    }
    if (first == last || !o.met_above[at(i)]) return;
    with_joint(x, k, i, [&](const auto& joint) {
      const ArticulatedBody<S>& b = o.articulated;
      S unused[std::remove_cvref_t<decltype(joint)>::freedoms];
      for (int t = first; t < last; ++t)
        for (Force<S>& f : o.tasks[at(t)].carried) {
          pass_joint(joint, &b.U[at(j)], b.D_of(i), f, unused);
          f = transpose_times(k.X_up[at(i)], f);
        }
    });
  });
}

}  // namespace kinetree::inline inner
