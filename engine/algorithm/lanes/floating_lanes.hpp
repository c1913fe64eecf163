#pragma once
// The kernel of floating joints' steps: one pass outwards over the joints that float or carry, when a step begins and
// when it ends.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <kinetree/scalar/scalar.hpp>

#include "engine/algorithm/lanes/floating_steps.hpp"
#include "engine/joint/advance.hpp"
#include "engine/joint/joint.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/inline.hpp"
#if KINETREE_PACKS
#include "engine/scalar/lanes/pack.hpp"
#include "engine/scalar/lanes/side_by_side.hpp"
#endif

namespace kinetree::inline inner {
namespace floating_detail {

template <class P>
KINETREE_INLINE P square_root(const P& x) {
  if constexpr (std::is_same_v<P, double>) return std::sqrt(x);
#if KINETREE_PACKS
  else if constexpr (P::width == 1)
    return P::of(std::sqrt(x.lanes));
  else
    return P::of(xsimd::sqrt(x.lanes));
#endif
}

/// number(k) in lane k.
template <class P, class Number>
KINETREE_INLINE P lanes_of(Number&& number) {
  if constexpr (Numbers<P>::count == 1) return P(number(0));
#if KINETREE_PACKS
  else
    return side_by_side<P>(number);
#endif
}

template <class P>
struct Quaternion {
  Vector3<P> u;
  P w;
};

template <class P>
KINETREE_INLINE Quaternion<P> operator*(const Quaternion<P>& a, const Quaternion<P>& b) {
  return {a.w * b.u + b.w * a.u + cross(a.u, b.u), a.w * b.w - dot(a.u, b.u)};
}

/// What a rotation by a unit quaternion adds to a vector, R x - x.
template <class P>
KINETREE_INLINE Vector3<P> added(const Quaternion<P>& p, const Vector3<P>& x) {
  const Vector3<P> t = P(2) * cross(p.u, x);
  return p.w * t + cross(p.u, t);
}

/// exp(x / 2) of a turn x (rad): as advance_detail::exponential, lane by lane.
template <class P>
KINETREE_INLINE Quaternion<P> exponential(const Vector3<P>& x) {
  const P square = dot(x, x), small(std::sqrt(2.220446049250313e-16));
  const P angle = square_root(select(square < small, P(1), square));
  P sine, cosine;
  sin_cos(select(square < small, P(0.5) * square_root(square), P(0.5) * angle), sine, cosine);
  const P factor = select(square < small, P(0.5) - P(1.0 / 48) * square, sine / angle);
  return {factor * x, cosine};
}

/// The quaternion of a rotation matrix, of any length but zero: of the four that its entries give, one for each
/// component as divisor, the longest (Shepperd 1978).
template <class P>
KINETREE_INLINE Quaternion<P> quaternion_of(const Matrix3<P>& R) {
  const P one(1), x = R.zy - R.yz, y = R.xz - R.zx, z = R.yx - R.xy, xy = R.xy + R.yx, xz = R.xz + R.zx,
                  yz = R.yz + R.zy;
  P largest = one + R.xx + R.yy + R.zz;
  Quaternion<P> best{{x, y, z}, largest};
  const auto consider = [&](const P& size, const Quaternion<P>& p) KINETREE_INLINE_LAMBDA {
    const auto larger = largest < size;
    best = {{select(larger, p.u.x, best.u.x), select(larger, p.u.y, best.u.y), select(larger, p.u.z, best.u.z)},
            select(larger, p.w, best.w)};
    largest = select(larger, size, largest);
  };
  const P a = one + R.xx - R.yy - R.zz, b = one - R.xx + R.yy - R.zz, c = one - R.xx - R.yy + R.zz;
  consider(a, {{a, xy, xz}, x});
  consider(b, {{xy, b, yz}, y});
  consider(c, {{xz, yz, c}, z});
  return best;
}

}  // namespace floating_detail

/// P: double, or a pack.
template <class P>
class FloatingLanes final : public FloatingSteps {
  /// Where a body is and how it moves, in its own coordinates, when the step begins and when it ends.
  struct Moving {
    P q[7], v[6];          ///< the joint's positions and velocities; at these stand:
    Transform<P> X_up;     ///< from the parent's frame, or the world's, to the body's
    Motion<P> S[3], bias;  ///< the joint's columns, written where GeneralSubspace reads them, and its cJ
    bool goes_on = false;  ///< the step begins in the state in which the last one ended
    /// From the world's frame to the body's, when the step begins and when it ends. Only a body that carries a floating
    /// one has them.
    Transform<P> start, end;
    Motion<P> velocity, acceleration;  ///< when it begins
    Motion<P> way;                     ///< the velocity that it moves by
    Motion<P> velocity_at_end;
  };

 public:
  explicit FloatingLanes(const lanes::FloatingOrder& order) : joints_(*order.joints), moving_(joints_.size()) {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const std::size_t body = at(joints_[k].body);
      links_.push_back(cast<P>(order.model->link[body]));
      types_.push_back(order.model->joint_type[body]);
      Moving& b = moving_[k];
      for (int n = 0; n < position_count(types_[k]); ++n) b.q[n] = P(zero_position(types_[k], n));
      joint_at(types_[k], links_[k], b.q, b.v, b.X_up, b.S, b.bias);
    }
  }

  int width() const override { return count; }

  void kick(double step, std::span<const Column> columns, bool ways) override {
    const States states(columns);
    for (std::size_t k = 0; k < joints_.size(); ++k)
      with_cut_subspace(types_[k], moving_[k].S, [&](auto subspace) { kick(subspace, P(step), states, k, ways); });
    ended_ = false;
  }

  void drift(double step, std::span<const Column> columns) override {
    const States states(columns);
    for (std::size_t k = 0; k < joints_.size(); ++k)
      with_cut_subspace(types_[k], moving_[k].S, [&](auto subspace) { drift(subspace, P(step), states, k); });
    ended_ = true;
  }

 private:
  static constexpr int count = Numbers<P>::count;
  using Quaternion = floating_detail::Quaternion<P>;

  /// What goes in each lane. Lanes left over repeat the last column.
  struct States {
    explicit States(std::span<const Column> columns) : columns_given(static_cast<int>(columns.size())) {
      for (int k = 0; k < count; ++k) column[k] = &columns[at(std::min(k, columns_given - 1))];
    }
    const Column* column[count];
    int columns_given;
  };

  /// Outwards (Featherstone 2008, Eq. 5.14 and 5.15), without gravity.
  template <class Subspace>
  void kick(const Subspace& subspace, const P& h, const States& states, std::size_t k, bool ways) {
    constexpr int freedoms = Subspace::freedoms;
    const FloatingJoint& j = joints_[k];
    const Moving* const parent = j.parent < 0 ? nullptr : &moving_[at(j.parent)];
    Moving& body = moving_[k];
    P v[std::max(freedoms, 1)], a[std::max(freedoms, 1)];
    load<freedoms>(states, &Column::v0, j.v, v);
    load<freedoms>(states, &Column::a, j.v, a);
    const bool stands = has_place(j) && place(subspace, states, k, &Column::q0, v);
    body.goes_on = stands && ended_ && (parent == nullptr || parent->goes_on);
    if (body.goes_on) {
      if (j.carries) body.start = body.end;
      body.velocity = body.velocity_at_end;
    } else {
      if (j.carries) body.start = from_world(parent, &Moving::start, body);
      body.velocity = carried(parent, &Moving::velocity, body);
      subspace.add(v, body.velocity);
    }
    body.acceleration = carried(parent, &Moving::acceleration, body);
    subspace.add(a, body.acceleration);
    if constexpr (freedoms > 0) {
      Motion<P> bias = body.bias;
      if (parent != nullptr) add_cross_product(subspace, body.velocity, v, bias);
      if (parent != nullptr || !Subspace::constant) add_bias(subspace, bias, body.acceleration);
    }
    if constexpr (FloatingSubspace<Subspace>) step_velocity(h, states, k);
    if (!ways) return;
    const Motion<P> parents = carried(parent, &Moving::way, body);
    if constexpr (FloatingSubspace<Subspace>) {
      Subspace::transpose_times(body.way - parents, v);
      store(states, &Column::v, j.v, v);
    } else {
      load<freedoms>(states, &Column::v, j.v, v);
      body.way = parents;
      subspace.add(v, body.way);
    }
  }

  template <class Subspace>
  void drift(const Subspace& subspace, const P& h, const States& states, std::size_t k) {
    const FloatingJoint& j = joints_[k];
    const Moving* const parent = j.parent < 0 ? nullptr : &moving_[at(j.parent)];
    Moving& body = moving_[k];
    constexpr int freedoms = Subspace::freedoms;
    P v[std::max(freedoms, 1)];
    if constexpr (FloatingSubspace<Subspace>) {
      go(h, states, k);
      std::copy_n(body.v, freedoms, v);  // not known yet, and not asked for
    } else {
      load<freedoms>(states, &Column::v, j.v, v);
    }
    if (has_place(j)) place(subspace, states, k, &Column::q, v);
    if (j.carries) body.end = from_world(parent, &Moving::end, body);
    const Motion<P> parents = carried(parent, &Moving::velocity_at_end, body);
    if constexpr (FloatingSubspace<Subspace>) {
      Subspace::transpose_times(body.velocity_at_end - parents, body.v);
      store(states, &Column::v, j.v, body.v);
    }
    body.velocity_at_end = parents;
    subspace.add(body.v, body.velocity_at_end);
  }

  /// Whether a step needs to know where the body stands. A floating body that hangs from the ground and carries none
  /// moves in its own axes.
  static bool has_place(const FloatingJoint& j) { return j.parent >= 0 || j.carries; }
  /// A motion of its parent's, as the body feels it; the ground has none.
  static Motion<P> carried(const Moving* parent, Motion<P> Moving::*motion, const Moving& body) {
    return parent == nullptr ? Motion<P>{} : body.X_up * parent->*motion;
  }
  static Transform<P> from_world(const Moving* parent, Transform<P> Moving::*place, const Moving& body) {
    return parent == nullptr ? body.X_up : body.X_up * parent->*place;
  }

  template <int numbers, class Member>
  KINETREE_INLINE static void load(const States& states, Member from, int first, P* out) {
    const double* begin[count];
    for (int k = 0; k < count; ++k) begin[k] = states.column[k]->*from + first;
    for (int n = 0; n < numbers; ++n)
      out[n] = floating_detail::lanes_of<P>([&](int k) KINETREE_INLINE_LAMBDA { return begin[k][n]; });
  }
  static void store(const States& states, double* Column::*to, int first, std::span<const P> numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n)
      for (int k = 0; k < states.columns_given; ++k) (states.column[k]->*to + first)[n] = number_of(numbers[n], k);
  }

  /// Brings a joint to its positions and velocities. Returns whether it had them already, which is so where one state
  /// goes on from the end of its last step.
  template <class Subspace, class Member>
  KINETREE_INLINE bool place(const Subspace&, const States& states, std::size_t k, Member at_q, const P* v) {
    using Type = std::remove_cvref_t<Subspace>;
    constexpr int positions = Type::freedoms + (std::is_same_v<Type, Spherical> || FloatingSubspace<Type> ? 1 : 0);
    Moving& body = moving_[k];
    P q[std::max(positions, 1)];
    load<positions>(states, at_q, joints_[k].q, q);
    const auto same = [](const P& a, const P& b) {
      return std::bit_cast<std::uint64_t>(number_of(a, 0)) == std::bit_cast<std::uint64_t>(number_of(b, 0));
    };
    if (count == 1 && std::equal(q, q + positions, body.q, same) && std::equal(v, v + Type::freedoms, body.v, same))
      return true;
    joint_at(types_[k], links_[k], q, v, body.X_up, body.S, body.bias);
    std::copy_n(q, positions, body.q);
    std::copy_n(v, Type::freedoms, body.v);
    return false;
  }

  Vector3<P> centre(const States& states, std::size_t k) const {
    const auto of = [&](double Vector3<double>::*number) {
      return floating_detail::lanes_of<P>([&](int lane) {
        const Centres own = states.column[lane]->centres;
        return (own == nullptr ? joints_[k].centre : own[k]).*number;
      });
    };
    return {of(&Vector3<double>::x), of(&Vector3<double>::y), of(&Vector3<double>::z)};
  }

  /// The velocity that a floating body moves by: w x (u + w x c) is what the components of its centre's velocity lose
  /// in axes that turn.
  void step_velocity(const P& h, const States& states, std::size_t k) {
    Moving& body = moving_[k];
    const Motion<P>& v = body.velocity;
    body.way = v + h * body.acceleration;
    body.way.linear += h * cross(v.angular, v.linear + cross(v.angular, centre(states, k)));
  }

  /// The centre of mass of a floating body goes straight on, the body turns about it.
  void go(const P& h, const States& states, std::size_t k) {
    using namespace floating_detail;
    const FloatingJoint& j = joints_[k];
    Moving& body = moving_[k];
    P q[7];
    load<7>(states, &Column::q0, j.q, q);
    Quaternion p{{q[3], q[4], q[5]}, q[6]};
    const Vector3<P> c = centre(states, k), lever = cross(body.way.angular, c);
    Vector3<P> velocity = body.way.linear + lever;
    const Quaternion turn = exponential(h * body.way.angular);
    Vector3<P> way = h * velocity - added(turn, c);
    way += added(p, way);
    Vector3<P> place{q[0] + way.x, q[1] + way.y, q[2] + way.z};
    p = p * turn;
    velocity += added(Quaternion{-turn.u, turn.w}, velocity) - lever;
    body.velocity_at_end = {body.way.angular, velocity};
    if (j.parent >= 0) {
      // it stands now as seen from where its joint began; from where that is now:
      const Moving& parent = moving_[at(j.parent)];
      const Transform<P> from = links_[k].X_tree * parent.start, to = links_[k].X_tree * parent.end;
      const Matrix3<P> E = to.E * transpose(from.E);
      place = E * (place - from.E * (to.r - from.r));
      p = quaternion_of(E) * p;
    }
    // of unit length here, so that what settles the state leaves its bits
    const P scale = P(1) / square_root(dot(p.u, p.u) + p.w * p.w);
    p = {scale * p.u, scale * p.w};
    const P moved[]{place.x, place.y, place.z, p.u.x, p.u.y, p.u.z, p.w};
    store(states, &Column::q, j.q, moved);
  }

  const std::vector<FloatingJoint> joints_;
  std::vector<Link<P>> links_;
  std::vector<JointType> types_;
  std::vector<Moving> moving_;
  bool ended_ = false;  ///< every body has its `end` and `velocity_at_end` of the last step
};

template <class One, class Many>
FloatingSteps* make_floating_lanes(const lanes::FloatingOrder& order) {
  if (order.many) return new FloatingLanes<Many>(order);
  return new FloatingLanes<One>(order);
}

}  // namespace kinetree::inline inner
