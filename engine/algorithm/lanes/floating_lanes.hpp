#pragma once
// The kernel of floating joints' steps: one pass outwards over the joints that float or carry, when a step begins and
// when it ends.

#include <cmath>
#include <kinetree/scalar/scalar.hpp>

#include "engine/algorithm/lanes/floating_steps.hpp"
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
    Transform<P> start, end;           ///< from the world's frame
    Motion<P> velocity, acceleration;  ///< when it begins
    Motion<P> way;                     ///< the velocity that it moves by
    Motion<P> velocity_at_end;
  };

 public:
  explicit FloatingLanes(const lanes::FloatingOrder& order) : joints_(*order.joints), moving_(joints_.size()) {
    for (const FloatingJoint& j : joints_) {
      links_.push_back(cast<P>(order.model->link[at(j.body)]));
      types_.push_back(order.model->joint_type[at(j.body)]);
    }
  }

  int width() const override { return count; }

  void kick(double step, std::span<const Column> columns, bool ways) override {
    const P h(step);
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const FloatingJoint& j = joints_[k];
      const Moving* const parent = j.parent < 0 ? nullptr : &moving_[at(j.parent)];
      Moving& body = moving_[k];
      P v[6], a[6];
      load(columns, &Column::v0, j.v, velocity_count(types_[k]), v);
      load(columns, &Column::a, j.v, velocity_count(types_[k]), a);
      // outwards (Featherstone 2008, Eq. 5.14 and 5.15), without gravity
      const auto move = [&](auto subspace, const Transform<P>& X, const Motion<P>& bias) {
        Motion<P> joint{};
        subspace.add(v, joint);
        body.acceleration = bias, body.velocity = joint;
        subspace.add(a, body.acceleration);
        if (parent == nullptr) return;
        body.velocity += X * parent->velocity;
        body.acceleration += X * parent->acceleration + cross(body.velocity, joint);
      };
      if (parent == nullptr && !j.carries) {
        move(Floating{}, {}, {});
        step_velocity(h, columns, k);
        if (ways) store(columns, body.way, j.v);
        continue;
      }
      Transform<P> X_up;
      placed(columns, k, &Column::q0, v, X_up, [&](auto subspace, const Motion<P>& bias) {
        move(subspace, X_up, bias);
        if (j.floats || !ways) return;
        P next[6];
        load(columns, &Column::v, j.v, velocity_count(types_[k]), next);
        body.way = parent == nullptr ? Motion<P>{} : X_up * parent->way;
        subspace.add(next, body.way);
      });
      body.start = parent == nullptr ? X_up : X_up * parent->start;
      if (!j.floats) continue;
      step_velocity(h, columns, k);
      if (ways) store(columns, parent == nullptr ? body.way : body.way - X_up * parent->way, j.v);
    }
  }

  void drift(double step, std::span<const Column> columns) override {
    const P h(step);
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const FloatingJoint& j = joints_[k];
      const Moving* const parent = j.parent < 0 ? nullptr : &moving_[at(j.parent)];
      Moving& body = moving_[k];
      if (j.floats) {
        go(h, columns, k);
        if (parent == nullptr) store(columns, body.velocity_at_end, j.v);
      }
      if (parent == nullptr && !j.carries) continue;
      P v[6];
      if (!j.floats) load(columns, &Column::v, j.v, velocity_count(types_[k]), v);
      Transform<P> X_up;
      placed(columns, k, &Column::q, v, X_up, [&](auto subspace, const Motion<P>&) {
        if (j.floats) return;
        body.velocity_at_end = parent == nullptr ? Motion<P>{} : X_up * parent->velocity_at_end;
        subspace.add(v, body.velocity_at_end);
      });
      if (j.carries) body.end = parent == nullptr ? X_up : X_up * parent->end;
      if (j.floats && parent != nullptr) store(columns, body.velocity_at_end - X_up * parent->velocity_at_end, j.v);
    }
  }

 private:
  static constexpr int count = Numbers<P>::count;
  using Quaternion = floating_detail::Quaternion<P>;

  /// Lanes left over repeat the last column.
  template <class Member>
  static void load(std::span<const Column> columns, Member from, int first, int numbers, P* out) {
    const double* begin[count];
    for (int k = 0; k < count; ++k) begin[k] = columns[std::min(at(k), columns.size() - 1)].*from + first;
    for (int n = 0; n < numbers; ++n)
      out[n] = floating_detail::lanes_of<P>([&](int k) KINETREE_INLINE_LAMBDA { return begin[k][n]; });
  }
  static void store(std::span<const Column> columns, double* Column::*to, int first, std::span<const P> numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n)
      for (std::size_t k = 0; k < columns.size(); ++k)
        (columns[k].*to + first)[n] = number_of(numbers[n], static_cast<int>(k));
  }
  static void store(std::span<const Column> columns, const Motion<P>& m, int first) {
    const P numbers[]{m.linear.x, m.linear.y, m.linear.z, m.angular.x, m.angular.y, m.angular.z};
    store(columns, &Column::v, first, numbers);
  }

  /// X_up of a joint; use(subspace, cJ).
  template <class Member, class Use>
  void placed(std::span<const Column> columns, std::size_t k, Member at_q, const P* v, Transform<P>& X_up,
              Use&& use) const {
    P q[7];
    load(columns, at_q, joints_[k].q, position_count(types_[k]), q);
    Motion<P> subspace[6], bias;
    joint_at(types_[k], links_[k], q, v, X_up, subspace, bias);
    with_cut_subspace(types_[k], subspace, [&](auto s) { use(s, bias); });
  }

  Vector3<P> centre(std::span<const Column> columns, std::size_t k) const {
    const auto of = [&](double Vector3<double>::*number) {
      return floating_detail::lanes_of<P>([&](int lane) {
        const Centres own = columns[std::min(at(lane), columns.size() - 1)].centres;
        return (own == nullptr ? joints_[k].centre : own[k]).*number;
      });
    };
    return {of(&Vector3<double>::x), of(&Vector3<double>::y), of(&Vector3<double>::z)};
  }

  /// The velocity that a floating body moves by: w x (u + w x c) is what the components of its centre's velocity lose
  /// in axes that turn.
  void step_velocity(const P& h, std::span<const Column> columns, std::size_t k) {
    Moving& body = moving_[k];
    const Motion<P>& v = body.velocity;
    body.way = v + h * body.acceleration;
    body.way.linear += h * cross(v.angular, v.linear + cross(v.angular, centre(columns, k)));
  }

  /// The centre of mass of a floating body goes straight on, the body turns about it.
  void go(const P& h, std::span<const Column> columns, std::size_t k) {
    using namespace floating_detail;
    const FloatingJoint& j = joints_[k];
    Moving& body = moving_[k];
    P q[7];
    load(columns, &Column::q0, j.q, 7, q);
    Quaternion p{{q[3], q[4], q[5]}, q[6]};
    const Vector3<P> c = centre(columns, k), lever = cross(body.way.angular, c);
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
    const P moved[]{place.x, place.y, place.z, p.u.x, p.u.y, p.u.z, p.w};
    store(columns, &Column::q, j.q, moved);
  }

  const std::vector<FloatingJoint> joints_;
  std::vector<Link<P>> links_;
  std::vector<JointType> types_;
  std::vector<Moving> moving_;
};

template <class One, class Many>
FloatingSteps* make_floating_lanes(const lanes::FloatingOrder& order) {
  if (order.many) return new FloatingLanes<Many>(order);
  return new FloatingLanes<One>(order);
}

}  // namespace kinetree::inline inner
