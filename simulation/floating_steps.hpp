#pragma once
// Semi-implicit Euler's steps of floating joints. In axes that turn the components of a velocity change though no force
// acts, and their sums drift: a ball that flies and spins would gain energy in every step. So a step is made in axes
// that stand still, and by the body's own centre of mass, since any other point of a free body moves on a circle: its
// velocity grows by h times its acceleration, it goes on straight by h times that velocity, and a free body keeps its
// linear momentum to rounding. An angular velocity wants no transport, w x w = 0, and neither do spherical joints.
//
// Only the ground stands still. A floating joint that a moving body carries has its velocity relative to that body,
// which turns and accelerates; so its absolute velocity takes the step, seen from where its parent's step ends.

#include <Eigen/Geometry>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

class FloatingSteps {
  /// A joint that floats, or carries a body on a floating joint.
  struct Joint {
    int body, q, v;          ///< where its numbers begin
    int parent;              ///< that of the body's parent among these joints; -1: the ground
    bool floats, alone;      ///< alone: nothing that moves carries it, and it carries no such joint
    Vector3<double> centre;  ///< of its body's own mass, in the body's axes, where the state has none of its own
  };
  /// Where a body is and how it moves, in its own coordinates, when the step begins and when it ends.
  struct Moving {
    Transform<double> start = Transform<double>::identity(), end = start;  ///< from the world's frame
    Motion<double> velocity{}, acceleration{};                             ///< when it begins
    Motion<double> way{};                                                  ///< the velocity that it moves by
    Motion<double> velocity_at_end{};
  };

 public:
  using Scratch = std::vector<Moving>;

  explicit FloatingSteps(const ModelData& m) : m_(m) {
    const std::size_t bodies = m.parent.size();
    std::vector<bool> carries(bodies, false);
    for (std::size_t i = 0; i < bodies; ++i)
      if (m.joint_type[i] == JointType::floating)
        for (int p = m.parent[i]; p >= 0 && !carries[at(p)]; p = m.parent[at(p)]) carries[at(p)] = true;
    std::vector<int> place(bodies, -1);
    for (std::size_t i = 0; i < bodies; ++i) {
      const bool floats = m.joint_type[i] == JointType::floating, on_ground = m.parent[i] < 0;
      if (!floats && !carries[i]) continue;
      const RigidInertia<double>& I = m.link[i].I;
      // without mass of its own it has no centre: any of its points will do, to the order of the method
      const Vector3<double> centre = I.mass > 0 ? (1 / I.mass) * I.h : Vector3<double>{};
      place[i] = static_cast<int>(joints_.size());
      joints_.push_back({static_cast<int>(i), m.q_index[i], m.v_index[i], on_ground ? -1 : place[at(m.parent[i])],
                         floats, on_ground && !carries[i], centre});
      carried_ = carried_ || (floats && !on_ground);
    }
  }

  /// What `kick` leaves to the `drift` of the same step.
  Scratch scratch() const { return Scratch(carried_ ? joints_.size() : 0); }

  /// Centres of mass of a state's own, one a joint, for `kick` and `drift`; null there: the model's.
  using Centres = const Vector3<double>*;
  std::size_t centre_count() const { return joints_.size(); }
  /// The place among centres of the joint that carries a body; -1: it asks for none.
  int place_of_centre(int body) const {
    for (std::size_t k = 0; k < joints_.size(); ++k)
      if (joints_[k].body == body) return static_cast<int>(k);
    return -1;
  }
  const Vector3<double>& centre_of_model(std::size_t place) const { return joints_[place].centre; }

  /// v, which is v0 + h a: becomes, of floating joints, the velocity that the step ends with, in the axes and at the
  /// place of its start. q0, v0: the start; a: accelerations there.
  void kick(double h, const double* q0, const double* v0, const double* a, double* v, Scratch& scratch,
            Centres centres = nullptr) const {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const Joint& j = joints_[k];
      const Vector3<double>& centre = centres == nullptr ? j.centre : centres[k];
      if (j.alone) {
        const Vector3<double> gain = h * turning(motion(v0 + j.v), centre);
        v[j.v] += gain.x, v[j.v + 1] += gain.y, v[j.v + 2] += gain.z;
        continue;
      }
      // outwards (Featherstone 2008, Eq. 5.14 and 5.15), without gravity
      const Moving ground{}, &parent = j.parent < 0 ? ground : scratch[at(j.parent)];
      Moving& body = scratch[k];
      const Transform<double> X_up = placed(j, q0, v0, [&](auto subspace, const Motion<double>& bias, const auto& X) {
        Motion<double> joint{}, acceleration{}, way{};
        subspace.add(v0 + j.v, joint), subspace.add(a + j.v, acceleration), subspace.add(v + j.v, way);
        body.velocity = X * parent.velocity + joint;
        body.acceleration = X * parent.acceleration + acceleration + bias + cross(body.velocity, joint);
        body.way = X * parent.way + way;
      });
      body.start = X_up * parent.start;
      if (!j.floats) continue;
      body.way = body.velocity + h * body.acceleration;
      body.way.linear += h * turning(body.velocity, centre);
      write(body.way - X_up * parent.way, v + j.v);
    }
  }

  /// The next floating joint moves by a step of h along the velocity that `kick` gave it, and v turns into the axes of
  /// its end. Joints before it have moved. The quaternion is to be normalized. `next`: 0 at first, then what the call
  /// before returned.
  int drift(int next, double h, double* q, double* v, Scratch& scratch, Centres centres = nullptr) const {
    for (;; ++next) {
      const Joint& j = joints_[at(next)];
      const Vector3<double>& centre = centres == nullptr ? j.centre : centres[at(next)];
      if (j.alone) {
        drift(h, centre, q + j.q, v + j.v);
        return next + 1;
      }
      const Moving ground{}, &parent = j.parent < 0 ? ground : scratch[at(j.parent)];
      Moving& body = scratch[at(next)];
      if (j.floats) {
        write(body.way, v + j.v);
        drift(h, centre, q + j.q, v + j.v);
        // it stands and moves now as seen from where its joint began; from where that is now:
        const Transform<double>& X_tree = m_.link[at(j.body)].X_tree;
        see_from(X_tree * parent.start, X_tree * parent.end, q + j.q);
        body.velocity_at_end = motion(v + j.v);
      }
      const Transform<double> X_up = placed(j, q, v, [&](auto subspace, const auto&, const auto& X) {
        Motion<double> joint{};
        subspace.add(v + j.v, joint);
        if (!j.floats) body.velocity_at_end = X * parent.velocity_at_end + joint;
      });
      body.end = X_up * parent.end;
      if (!j.floats) continue;
      write(body.velocity_at_end - X_up * parent.velocity_at_end, v + j.v);
      return next + 1;
    }
  }

 private:
  static Motion<double> motion(const double* v) { return {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}}; }
  static void write(const Motion<double>& m, double* v) {
    v[0] = m.linear.x, v[1] = m.linear.y, v[2] = m.linear.z;
    v[3] = m.angular.x, v[4] = m.angular.y, v[5] = m.angular.z;
  }
  /// w x (u + w x c), what the components of the centre's velocity lose in axes that turn.
  static Vector3<double> turning(const Motion<double>& m, const Vector3<double>& c) {
    return cross(m.angular, m.linear + cross(m.angular, c));
  }

  /// From the parent to the body; use(subspace, cJ, X_up).
  template <class Use>
  Transform<double> placed(const Joint& j, const double* q, const double* v, Use&& use) const {
    const JointType type = m_.joint_type[at(j.body)];
    Transform<double> X_up;
    Motion<double> columns[6], bias;
    joint_at(type, m_.link[at(j.body)], q + j.q, v + j.v, X_up, columns, bias);
    with_cut_subspace(type, columns, [&](auto subspace) { use(subspace, bias, X_up); });
    return X_up;
  }

  /// q, of a floating joint, given in the frame `from`: the same place in the frame `to`.
  static void see_from(const Transform<double>& from, const Transform<double>& to, double* q) {
    const Matrix3<double> E = to.E * transpose(from.E);
    const Vector3<double> place = E * (Vector3<double>{q[0], q[1], q[2]} - from.E * (to.r - from.r));
    Eigen::Matrix3d rotation;
    rotation << E.xx, E.xy, E.xz, E.yx, E.yy, E.yz, E.zx, E.zy, E.zz;
    const Eigen::Quaterniond turn(rotation);
    const double p[4]{q[3], q[4], q[5], q[6]};
    advance_detail::product(1, turn.coeffs().data(), p, q + 3);
    q[0] = place.x, q[1] = place.y, q[2] = place.z;
  }

  /// What a rotation by a unit quaternion adds to a vector, R x - x; `sign` -1: its inverse.
  KINETREE_INLINE static Vector3<double> added(int sign, const double* p, const Vector3<double>& x) {
    const Vector3<double> u{p[0], p[1], p[2]}, t = cross(u, x);
    return (2 * sign * p[3]) * t + 2.0 * cross(u, t);
  }

  /// On what stands still: the centre of mass goes straight on, the body turns about it.
  KINETREE_INLINE static void drift(double h, const Vector3<double>& c, double* q, double* v) {
    const double turn[3]{h * v[3], h * v[4], h * v[5]}, p[4]{q[3], q[4], q[5], q[6]};
    const Vector3<double> lever = cross(Vector3<double>{v[3], v[4], v[5]}, c);
    Vector3<double> velocity = Vector3<double>{v[0], v[1], v[2]} + lever;
    double turned[4];
    advance_detail::exponential(turn, turned);
    Vector3<double> way = h * velocity - added(1, turned, c);
    way += added(1, p, way);
    q[0] += way.x, q[1] += way.y, q[2] += way.z;
    advance_detail::product(1, p, turned, q + 3);
    velocity += added(-1, turned, velocity) - lever;
    v[0] = velocity.x, v[1] = velocity.y, v[2] = velocity.z;
  }

  const ModelData& m_;
  std::vector<Joint> joints_;  ///< by ascending bodies
  bool carried_ = false;       ///< whether some floating joint is carried by a body that moves
};

}  // namespace kinetree::inline inner
