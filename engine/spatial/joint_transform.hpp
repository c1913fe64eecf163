#pragma once
// X_up of a joint: by axial screws where body frames could be chosen so, else by a general transform.

#include <kinetree/spatial/screw.hpp>

namespace kinetree {

namespace joint_transform_detail {

// The rarer way is called, with a copy: what it takes by reference could not stay in registers on the other way either.
template <class S>
[[gnu::noinline]] Motion<S> times(const Transform<S>& X, const Motion<S>& m) {
  return X * m;
}
template <class S>
[[gnu::noinline]] Force<S> transpose_times_general(const Transform<S>& X, const Force<S>& f) {
  return transpose_times(X, f);
}
template <class S, template <class> class Inertia>
[[gnu::noinline]] Inertia<S> congruence_general(const Transform<S>& X, const Inertia<S>& A) {
  return congruence(X, A);
}

}  // namespace joint_transform_detail

/// How a joint's first frame is placed in its parent's body: outer x inner, axial screws (Denavit & Hartenberg 1955;
/// body frames are chosen so that inner is the identity for one child of each body).
template <class S>
struct AxialPlacement {
  ScrewZ<S> outer{S(1), S(0), S(0)};  ///< about the joint's axis, the joint at zero
  S angle{};                          ///< of outer
  ScrewX<S> x{S(1), S(0), S(0)};      ///< from the parent's axis to the joint's, along their common normal
  ScrewZ<S> inner{S(1), S(0), S(0)};  ///< about the parent's axis
  bool has_inner = false;
  bool inner_turns = false;  ///< else it is a shift
};

/// X_up of a joint: screws where they do, else a general transform. What it refers to must outlive it.
template <class S>
struct JointTransform {
  ScrewZ<S> outer{S(1), S(0), S(0)};          ///< the joint's own motion and its placement's outer screw
  const AxialPlacement<S>* placed = nullptr;  ///< null: general
  Transform<S>* general = nullptr;

  explicit operator Transform<S>() const {
    if (placed == nullptr) return *general;
    const Transform<S> X = static_cast<Transform<S>>(outer) * static_cast<Transform<S>>(placed->x);
    return placed->has_inner ? X * static_cast<Transform<S>>(placed->inner) : X;
  }

  friend Transform<S> operator*(const Transform<S>& c_b, const JointTransform& b_a) {
    return c_b * static_cast<Transform<S>>(b_a);
  }
};

namespace joint_transform_detail {
template <class S, class Quantity>
KINETREE_INLINE void move_inside_inner(const AxialPlacement<S>& X, Quantity& A) {
  if (!X.has_inner) return;
  if (X.inner_turns)
    move_inside(X.inner, A);
  else
    move_inside(ShiftZ<S>{X.inner.d}, A);
}
}  // namespace joint_transform_detail

/// A := Xᵀ A X of a rigid or an articulated body; f := Xᵀ f of a force.
template <class S, class Quantity>
KINETREE_INLINE void move_inside(const AxialPlacement<S>& X, Quantity& A) {
  move_inside(X.x, A);
  joint_transform_detail::move_inside_inner(X, A);
}

/// to := Xᵀ A X of an articulated body that no turn about the joint's axis feels, all the way by `outer` and the
/// placement; uses A up.
template <class S>
KINETREE_INLINE void move_inside_free_turn(const ScrewZ<S>& outer, const AxialPlacement<S>& X, ArticulatedInertia<S>& A,
                                           ArticulatedInertia<S>& to) {
  move_inside_free_turn(outer, A);
  move_inside_free_turn(X.x, A, to);
  joint_transform_detail::move_inside_inner(X, to);
}

// In place, and with one way out: what is returned on several ways is put together in memory.

/// m := X m
template <class S>
KINETREE_INLINE void move_outside(const JointTransform<S>& X, Motion<S>& m) {
  if (X.placed == nullptr) {
    m = joint_transform_detail::times(*X.general, Motion<S>(m));
    return;
  }
  if (X.placed->has_inner) {
    if (X.placed->inner_turns)
      move_outside(X.placed->inner, m);
    else
      move_outside(ShiftZ<S>{X.placed->inner.d}, m);
  }
  move_outside(X.placed->x, m);
  move_outside(X.outer, m);
}

/// f := Xᵀ f
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) {
    f = joint_transform_detail::transpose_times_general(*X.general, Force<S>(f));
    return;
  }
  move_inside(X.outer, f);
  move_inside(*X.placed, f);
}

/// f := Xᵀ f of a force without part along the joint's axis.
template <class S>
KINETREE_INLINE void move_inside_across_axis(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) return move_inside(X, f);
  move_inside(X.outer, f);
  move_inside_across_z(X.placed->x, f);
  joint_transform_detail::move_inside_inner(*X.placed, f);
}

/// T := X T, of a transform that leads to the joint's parent.
template <class S>
KINETREE_INLINE void lead_on(const JointTransform<S>& X, Transform<S>& T) {
  if (X.placed == nullptr) {
    T = *X.general * T;
    return;
  }
  if (X.placed->has_inner) lead_on(X.placed->inner, T);
  lead_on(X.placed->x, T);
  lead_on(X.outer, T);
}

template <class S>
Force<S> inverse_transpose_times(const JointTransform<S>& X, const Force<S>& f) {
  if (X.placed == nullptr) return inverse_transpose_times(*X.general, f);
  const Force<S> inside = X.placed->has_inner ? inverse_transpose_times(X.placed->inner, f) : f;
  return inverse_transpose_times(X.outer, inverse_transpose_times(X.placed->x, inside));
}

/// A := Xᵀ A X, of a rigid or an articulated body.
template <class S, template <class> class Inertia>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, Inertia<S>& A) {
  if (X.placed == nullptr) {
    A = joint_transform_detail::congruence_general(*X.general, Inertia<S>(A));
    return;
  }
  move_inside(X.outer, A);
  move_inside(*X.placed, A);
}

/// to := Xᵀ A X, of an articulated body; uses A up.
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  if (X.placed == nullptr) {
    to = joint_transform_detail::congruence_general(*X.general, ArticulatedInertia<S>(A));
    return;
  }
  move_inside(X.outer, A);
  move_inside(X.placed->x, A, to);
  joint_transform_detail::move_inside_inner(*X.placed, to);
}

/// Xᵀ A X
template <class S, template <class> class Inertia>
Inertia<S> congruence(const JointTransform<S>& X, const Inertia<S>& A) {
  Inertia<S> moved = A;
  move_inside(X, moved);
  return moved;
}

}  // namespace kinetree
