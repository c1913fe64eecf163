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

/// How a joint's first frame is placed in its parent's body: outboard x inboard, axial screws (Denavit & Hartenberg
/// 1955; body frames are chosen so that inboard is the identity for one child of each body). The numbers of a turn that
/// is none or by right angles say so exactly.
template <class S>
struct AxialPlacement {
  ScrewZ<S> outboard{S(1), S(0), S(0)};  ///< about the joint's axis, the joint at zero
  S angle{};                             ///< of outboard
  ScrewX<S> x{S(1), S(0), S(0)};         ///< from the parent's axis to the joint's, along their common normal
  ScrewZ<S> inboard{S(1), S(0), S(0)};   ///< about the parent's axis
  bool outboard_slides = true;           ///< else d of outboard is zero, whatever the joint does
  bool x_slides = true;                  ///< else d of x is zero
  bool inboard_slides = false;
  Turning x_turn = Turning::any;  ///< none: the axes are parallel; square: at right angles; else any
  Turning inboard_turn = Turning::none;

  bool has_inboard() const { return inboard_slides || inboard_turn != Turning::none; }
};

/// X_up of a joint: screws where they do, else a general transform. What it refers to must outlive it.
template <class S>
struct JointTransform {
  ScrewZ<S> outboard{S(1), S(0), S(0)};       ///< the joint's own motion and its placement's outboard screw
  const AxialPlacement<S>* placed = nullptr;  ///< null: general
  Transform<S>* general = nullptr;

  explicit operator Transform<S>() const {
    if (placed == nullptr) return *general;
    const Transform<S> X = static_cast<Transform<S>>(outboard) * static_cast<Transform<S>>(placed->x);
    return placed->has_inboard() ? X * static_cast<Transform<S>>(placed->inboard) : X;
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
      use(KnownScrew<Axis::x, SquareTurn, S>{{}, X.x.d});
    else
      use(KnownScrew<Axis::x, SquareTurn, NoSlide>{});
  } else if (X.x_turn != Turning::none) {
    use(X.x);
  } else if (X.x_slides) {
    use(KnownScrew<Axis::x, NoTurn, S>{{}, X.x.d});
  } else {
    use(KnownScrew<Axis::x, NoTurn, NoSlide>{});
  }
}

/// Calls use(outboard), of a joint placed by X.
template <class S, class Use>
KINETREE_INLINE void with_outboard(const ScrewZ<S>& outboard, const AxialPlacement<S>& X, Use&& use) {
  if (X.outboard_slides)
    use(outboard);
  else
    use(KnownScrew<Axis::z, AnyTurn<S>, NoSlide>{outboard.turn(), {}});
}

/// Calls use(what inboard turns), if it does.
template <class S, class Use>
KINETREE_INLINE void with_inboard_turn(const AxialPlacement<S>& X, Use&& use) {
  switch (X.inboard_turn) {
    case Turning::none:
      return;
    case Turning::square:
      return use(KnownScrew<Axis::z, SquareTurn, NoSlide>{});
    case Turning::back:
      return use(KnownScrew<Axis::z, BackTurn, NoSlide>{});
    case Turning::half:
      return use(KnownScrew<Axis::z, HalfTurn, NoSlide>{});
    case Turning::any:
      return use(KnownScrew<Axis::z, AnyTurn<S>, NoSlide>{X.inboard.turn(), {}});
  }
}
template <class S, class Use>
KINETREE_INLINE void with_inboard_slide(const AxialPlacement<S>& X, Use&& use) {
  if (X.inboard_slides) use(KnownScrew<Axis::z, NoTurn, S>{{}, X.inboard.d});
}

}  // namespace joint_transform_detail

// What inboard does, in place: m := X m, Q := Xᵀ Q or Xᵀ Q X.

template <class S>
KINETREE_INLINE void to_child_inboard(const AxialPlacement<S>& X, Motion<S>& m) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_child(screw, m); };
  with_inboard_slide(X, move);
  with_inboard_turn(X, move);
}
template <class S, class Quantity>
KINETREE_INLINE void to_parent_inboard(const AxialPlacement<S>& X, Quantity& Q) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent(screw, Q); };
  with_inboard_turn(X, move);
  with_inboard_slide(X, move);
}

/// X_up where it is by screws, but for inboard.
template <class S>
struct SegmentTransform {
  const ScrewZ<S>& outboard;
  const AxialPlacement<S>& placed;

  KINETREE_INLINE explicit SegmentTransform(const JointTransform<S>& X) : outboard(X.outboard), placed(*X.placed) {}
};

// In place: m := X m; T := X T; Q := Xᵀ Q of a force, Xᵀ Q X of a rigid body.

template <class S>
KINETREE_INLINE void to_child(const SegmentTransform<S>& X, Motion<S>& m) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_child(screw, m); };
  with_x(X.placed, move);
  with_outboard(X.outboard, X.placed, move);
}
template <class S, class Quantity>
KINETREE_INLINE void to_parent(const SegmentTransform<S>& X, Quantity& Q) {
  using namespace joint_transform_detail;
  const auto move = [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent(screw, Q); };
  with_outboard(X.outboard, X.placed, move);
  with_x(X.placed, move);
}
/// Of a force without part along the joint's axis.
template <class S>
KINETREE_INLINE void to_parent_across_axis(const SegmentTransform<S>& X, Force<S>& f) {
  using namespace joint_transform_detail;
  with_outboard(X.outboard, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent(screw, f); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent_across_z(screw, f); });
}
template <class S>
KINETREE_INLINE void extend(const SegmentTransform<S>& X, Transform<S>& T) {
  using namespace joint_transform_detail;
  const auto lead = [&](const auto& screw) KINETREE_INLINE_LAMBDA { extend(screw, T); };
  with_x(X.placed, lead);
  with_outboard(X.outboard, X.placed, lead);
}
/// to := Xᵀ A X, of an articulated body; uses A up.
template <class S>
KINETREE_INLINE void to_parent(const SegmentTransform<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  using namespace joint_transform_detail;
  with_outboard(X.outboard, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent(screw, A); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent(screw, A, to); });
}
/// The same of one that no turn about the joint's axis feels.
template <class S>
KINETREE_INLINE void to_parent_projected(const SegmentTransform<S>& X, ArticulatedInertia<S>& A,
                                         ArticulatedInertia<S>& to) {
  using namespace joint_transform_detail;
  with_outboard(X.outboard, X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent_projected(screw, A); });
  with_x(X.placed, [&](const auto& screw) KINETREE_INLINE_LAMBDA { to_parent_projected(screw, A, to); });
}

// The same all the way, by either kind. With one way out: what is returned on several ways is put together in memory.

template <class S>
KINETREE_INLINE void to_child(const JointTransform<S>& X, Motion<S>& m) {
  if (X.placed == nullptr) {
    m = joint_transform_detail::times(*X.general, Motion<S>(m));
  } else {
    to_child_inboard(*X.placed, m);
    to_child(SegmentTransform<S>(X), m);
  }
}
template <class S>
KINETREE_INLINE void to_parent(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) {
    f = joint_transform_detail::transpose_times_general(*X.general, Force<S>(f));
  } else {
    to_parent(SegmentTransform<S>(X), f);
    to_parent_inboard(*X.placed, f);
  }
}
template <class S>
KINETREE_INLINE void to_parent_across_axis(const JointTransform<S>& X, Force<S>& f) {
  if (X.placed == nullptr) {
    to_parent(X, f);
  } else {
    to_parent_across_axis(SegmentTransform<S>(X), f);
    to_parent_inboard(*X.placed, f);
  }
}
template <class S>
KINETREE_INLINE void extend(const JointTransform<S>& X, Transform<S>& T) {
  using namespace joint_transform_detail;
  if (X.placed == nullptr) {
    T = *X.general * T;
  } else {
    const auto lead = [&](const auto& screw) KINETREE_INLINE_LAMBDA { extend(screw, T); };
    with_inboard_slide(*X.placed, lead);
    with_inboard_turn(*X.placed, lead);
    extend(SegmentTransform<S>(X), T);
  }
}
template <class S>
KINETREE_INLINE void to_parent(const JointTransform<S>& X, RigidInertia<S>& A) {
  if (X.placed == nullptr) {
    A = joint_transform_detail::congruence_general(*X.general, RigidInertia<S>(A));
  } else {
    to_parent(SegmentTransform<S>(X), A);
    to_parent_inboard(*X.placed, A);
  }
}
template <class S>
KINETREE_INLINE void to_parent(const JointTransform<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  if (X.placed == nullptr) {
    to = joint_transform_detail::congruence_general(*X.general, ArticulatedInertia<S>(A));
  } else {
    to_parent(SegmentTransform<S>(X), A, to);
    to_parent_inboard(*X.placed, to);
  }
}
/// Of one that no turn about the joint's axis feels.
template <class S>
KINETREE_INLINE void to_parent_projected(const JointTransform<S>& X, ArticulatedInertia<S>& A,
                                         ArticulatedInertia<S>& to) {
  if (X.placed == nullptr) {
    to_parent(X, A, to);
  } else {
    to_parent_projected(SegmentTransform<S>(X), A, to);
    to_parent_inboard(*X.placed, to);
  }
}
template <class S>
KINETREE_INLINE void to_parent(const JointTransform<S>& X, ArticulatedInertia<S>& A) {
  ArticulatedInertia<S> used = A;
  to_parent(X, used, A);
}

/// The same by one call: for joints too rare to compile a kernel once more with all that a placement may be.
template <class S>
struct CalledTransform {
  const JointTransform<S>& X;
};
template <class S>
[[gnu::noinline]] void to_child(const CalledTransform<S>& called, Motion<S>& m) {
  const JointTransform<S>& X = called.X;
  if (X.placed == nullptr)
    m = *X.general * m;
  else
    to_child(X, m);
}
template <class S>
[[gnu::noinline]] void to_parent(const CalledTransform<S>& called, Force<S>& f) {
  const JointTransform<S>& X = called.X;
  if (X.placed == nullptr)
    f = transpose_times(*X.general, f);
  else
    to_parent(X, f);
}
template <class S, template <class> class Inertia>
[[gnu::noinline]] void to_parent(const CalledTransform<S>& called, Inertia<S>& A) {
  to_parent(called.X, A);
}
template <class S>
[[gnu::noinline]] void to_parent(const CalledTransform<S>& called, ArticulatedInertia<S>& A,
                                 ArticulatedInertia<S>& to) {
  to_parent(called.X, A, to);
}

/// X m
template <template <class> class X_up, class S>
KINETREE_INLINE auto operator*(const X_up<S>& X, Motion<S> m) -> decltype(to_child(X, m), Motion<S>()) {
  to_child(X, m);
  return m;
}
/// Xᵀ f
template <template <class> class X_up, class S>
KINETREE_INLINE auto transpose_times(const X_up<S>& X, Force<S> f) -> decltype(to_parent(X, f), Force<S>()) {
  to_parent(X, f);
  return f;
}

template <class S>
Force<S> inverse_transpose_times(const JointTransform<S>& X, const Force<S>& f) {
  if (X.placed == nullptr) return inverse_transpose_times(*X.general, f);
  const Force<S> inside = X.placed->has_inboard() ? inverse_transpose_times(X.placed->inboard, f) : f;
  return inverse_transpose_times(X.outboard, inverse_transpose_times(X.placed->x, inside));
}

/// Xᵀ A X
template <class S, template <class> class Inertia>
Inertia<S> congruence(const JointTransform<S>& X, const Inertia<S>& A) {
  Inertia<S> moved = A;
  to_parent(X, moved);
  return moved;
}

}  // namespace kinetree::inline inner
