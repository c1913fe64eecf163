#pragma once
// X_up of a joint: by axial screws where body frames could be chosen so, else by a general transform.

#include "engine/spatial/screw.hpp"

namespace kinetree::inline inner {

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

/// What a turn leaves to do: by no angle, or by right angles, it only renames entries.
enum class Turning : unsigned char { any, none, square, back, half };

/// How a joint's first frame is placed in its parent's body: outer x inner, axial screws (Denavit & Hartenberg 1955;
/// body frames are chosen so that inner is the identity for one child of each body). The numbers of a turn that is none
/// or by right angles say so exactly.
template <class S>
struct AxialPlacement {
  ScrewZ<S> outer{S(1), S(0), S(0)};  ///< about the joint's axis, the joint at zero
  S angle{};                          ///< of outer
  ScrewX<S> x{S(1), S(0), S(0)};      ///< from the parent's axis to the joint's, along their common normal
  ScrewZ<S> inner{S(1), S(0), S(0)};  ///< about the parent's axis
  bool outer_slides = true;           ///< else d of outer is zero, whatever the joint does
  bool x_slides = true;               ///< else d of x is zero
  bool inner_slides = false;
  Turning x_turn = Turning::any;  ///< none: the axes are parallel; square: at right angles; else any
  Turning inner_turn = Turning::none;

  bool has_inner() const { return inner_slides || inner_turn != Turning::none; }
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
    return placed->has_inner() ? X * static_cast<Transform<S>>(placed->inner) : X;
  }

  friend Transform<S> operator*(const Transform<S>& c_b, const JointTransform& b_a) {
    return c_b * static_cast<Transform<S>>(b_a);
  }
};

namespace joint_transform_detail {

/// Calls use(x) with the screw about x, less what is known of it.
template <class S, class Use>
KINETREE_INLINE void with_x(const AxialPlacement<S>& X, Use&& use) {
  if (X.x_turn == Turning::square) {
    if (X.x_slides)
      use(PartX<SquareTurn, S>{{}, X.x.d});
    else
      use(PartX<SquareTurn, NoSlide>{});
  } else if (X.x_turn != Turning::none) {
    use(X.x);
  } else if (X.x_slides) {
    use(PartX<NoTurn, S>{{}, X.x.d});
  } else {
    use(PartX<NoTurn, NoSlide>{});
  }
}

/// Calls use(outer), of a joint placed by X.
template <class S, class Use>
KINETREE_INLINE void with_outer(const ScrewZ<S>& outer, const AxialPlacement<S>& X, Use&& use) {
  if (X.outer_slides)
    use(outer);
  else
    use(PartZ<AnyTurn<S>, NoSlide>{outer.turn(), {}});
}

/// Calls use(what inner turns), if it does.
template <class S, class Use>
KINETREE_INLINE void with_inner_turn(const AxialPlacement<S>& X, Use&& use) {
  switch (X.inner_turn) {
    case Turning::none:
      return;
    case Turning::square:
      return use(PartZ<SquareTurn, NoSlide>{});
    case Turning::back:
      return use(PartZ<BackTurn, NoSlide>{});
    case Turning::half:
      return use(PartZ<HalfTurn, NoSlide>{});
    case Turning::any:
      return use(PartZ<AnyTurn<S>, NoSlide>{X.inner.turn(), {}});
  }
}
template <class S, class Use>
KINETREE_INLINE void with_inner_slide(const AxialPlacement<S>& X, Use&& use) {
  if (X.inner_slides) use(PartZ<NoTurn, S>{{}, X.inner.d});
}

}  // namespace joint_transform_detail

// What inner does, in place: m := X m, Q := Xᵀ Q or Xᵀ Q X.

template <class S>
KINETREE_INLINE void move_outside_inner(const AxialPlacement<S>& X, Motion<S>& m) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_outside(screw, m); };
  with_inner_slide(X, move);
  with_inner_turn(X, move);
}
template <class S, class Quantity>
KINETREE_INLINE void move_inside_inner(const AxialPlacement<S>& X, Quantity& Q) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, Q); };
  with_inner_turn(X, move);
  with_inner_slide(X, move);
}

/// X_up where it is by screws, but for inner.
template <class S>
struct OuterTransform {
  const ScrewZ<S>& outer;
  const AxialPlacement<S>& placed;

  KINETREE_INLINE explicit OuterTransform(const JointTransform<S>& X) : outer(X.outer), placed(*X.placed) {}
};

// In place: m := X m, f := Xᵀ f, T := X T.

template <class S>
KINETREE_INLINE void move_outside(const OuterTransform<S>& X, Motion<S>& m) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_outside(screw, m); };
  with_x(X.placed, move);
  with_outer(X.outer, X.placed, move);
}
template <class S>
KINETREE_INLINE void move_inside(const OuterTransform<S>& X, Force<S>& f) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, f); };
  with_outer(X.outer, X.placed, move);
  with_x(X.placed, move);
}
/// Of a force without part along the joint's axis.
template <class S>
KINETREE_INLINE void move_inside_across_axis(const OuterTransform<S>& X, Force<S>& f) {
  using namespace joint_transform_detail;
  with_outer(X.outer, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, f); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside_across_z(screw, f); });
}
template <class S>
KINETREE_INLINE void lead_on(const OuterTransform<S>& X, Transform<S>& T) {
  using namespace joint_transform_detail;
  const auto lead = [&](const auto& screw) KINETREE_INLINE_LAMBDA { lead_on(screw, T); };
  with_x(X.placed, lead);
  with_outer(X.outer, X.placed, lead);
}
/// A := Xᵀ A X, of a rigid body.
template <class S>
KINETREE_INLINE void move_inside(const OuterTransform<S>& X, RigidInertia<S>& A) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, A); };
  with_outer(X.outer, X.placed, move);
  with_x(X.placed, move);
}
/// to := Xᵀ A X, of an articulated body; uses A up.
template <class S>
KINETREE_INLINE void move_inside(const OuterTransform<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  using namespace joint_transform_detail;
  with_outer(X.outer, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, A); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside(screw, A, to); });
}
/// The same of one that no turn about the joint's axis feels.
template <class S>
KINETREE_INLINE void move_inside_free_turn(const OuterTransform<S>& X, ArticulatedInertia<S>& A,
                                           ArticulatedInertia<S>& to) {
  using namespace joint_transform_detail;
  with_outer(X.outer, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside_free_turn(screw, A); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { move_inside_free_turn(screw, A, to); });
}

// The same all the way, by either kind. With one way out: what is returned on several ways is put together in memory.

template <class S>
KINETREE_INLINE void move_outside(const JointTransform<S>& X, Motion<S>& m) {
  if (X.placed == nullptr) {
    m = joint_transform_detail::times(*X.general, Motion<S>(m));
  } else {
    move_outside_inner(*X.placed, m);
    move_outside(OuterTransform<S>(X), m);
  }
}
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) {
    f = joint_transform_detail::transpose_times_general(*X.general, Force<S>(f));
  } else {
    move_inside(OuterTransform<S>(X), f);
    move_inside_inner(*X.placed, f);
  }
}
template <class S>
KINETREE_INLINE void move_inside_across_axis(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) {
    move_inside(X, f);
  } else {
    move_inside_across_axis(OuterTransform<S>(X), f);
    move_inside_inner(*X.placed, f);
  }
}
template <class S>
KINETREE_INLINE void lead_on(const JointTransform<S>& X, Transform<S>& T) {
  using namespace joint_transform_detail;
  if (X.placed == nullptr) {
    T = *X.general * T;
  } else {
    const auto lead = [&](const auto& screw) KINETREE_INLINE_LAMBDA { lead_on(screw, T); };
    with_inner_slide(*X.placed, lead);
    with_inner_turn(*X.placed, lead);
    lead_on(OuterTransform<S>(X), T);
  }
}
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, RigidInertia<S>& A) {
  if (X.placed == nullptr) {
    A = joint_transform_detail::congruence_general(*X.general, RigidInertia<S>(A));
  } else {
    move_inside(OuterTransform<S>(X), A);
    move_inside_inner(*X.placed, A);
  }
}
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  if (X.placed == nullptr) {
    to = joint_transform_detail::congruence_general(*X.general, ArticulatedInertia<S>(A));
  } else {
    move_inside(OuterTransform<S>(X), A, to);
    move_inside_inner(*X.placed, to);
  }
}
/// Of one that no turn about the joint's axis feels, X by screws.
template <class S>
KINETREE_INLINE void move_inside_free_turn(const JointTransform<S>& X, ArticulatedInertia<S>& A,
                                           ArticulatedInertia<S>& to) {
  move_inside_free_turn(OuterTransform<S>(X), A, to);
  move_inside_inner(*X.placed, to);
}
template <class S>
KINETREE_INLINE void move_inside(const JointTransform<S>& X, ArticulatedInertia<S>& A) {
  ArticulatedInertia<S> used = A;
  move_inside(X, used, A);
}

/// The same by one call: for joints too rare to compile a kernel once more with all that a placement may be.
template <class S>
struct CalledTransform {
  const JointTransform<S>& X;
};
template <class S>
[[gnu::noinline]] void move_outside(const CalledTransform<S>& called, Motion<S>& m) {
  const JointTransform<S>& X = called.X;
  if (X.placed == nullptr)
    m = *X.general * m;
  else
    move_outside(X, m);
}
template <class S>
[[gnu::noinline]] void move_inside(const CalledTransform<S>& called, Force<S>& f) {
  const JointTransform<S>& X = called.X;
  if (X.placed == nullptr)
    f = transpose_times(*X.general, f);
  else
    move_inside(X, f);
}
template <class S, template <class> class Inertia>
[[gnu::noinline]] void move_inside(const CalledTransform<S>& called, Inertia<S>& A) {
  move_inside(called.X, A);
}
template <class S>
[[gnu::noinline]] void move_inside(const CalledTransform<S>& called, ArticulatedInertia<S>& A,
                                   ArticulatedInertia<S>& to) {
  move_inside(called.X, A, to);
}

template <class S>
Force<S> inverse_transpose_times(const JointTransform<S>& X, const Force<S>& f) {
  if (X.placed == nullptr) return inverse_transpose_times(*X.general, f);
  const Force<S> inside = X.placed->has_inner() ? inverse_transpose_times(X.placed->inner, f) : f;
  return inverse_transpose_times(X.outer, inverse_transpose_times(X.placed->x, inside));
}

/// Xᵀ A X
template <class S, template <class> class Inertia>
Inertia<S> congruence(const JointTransform<S>& X, const Inertia<S>& A) {
  Inertia<S> moved = A;
  move_inside(X, moved);
  return moved;
}

}  // namespace kinetree::inline inner
