#pragma once
// Semi-implicit Euler's steps of floating joints. In axes that turn the components of a velocity change though no force
// acts, and their sums drift: a ball that flies and spins would gain energy in every step. So a step is made in axes
// that stand still, and by the body's own centre of mass, since any other point of a free body moves on a circle: its
// velocity grows by h times its acceleration, it goes on straight by h times that velocity, and a free body keeps its
// linear momentum to rounding. An angular velocity wants no transport, w x w = 0, and neither do spherical joints.
//
// What stands still is the ground alone. A floating joint further out has its velocity relative to a body that turns
// and accelerates; so the step is that of its absolute velocity, seen from where its parent's own step ends.

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

class FloatingSteps {
 public:
  explicit FloatingSteps(const ModelData& m) : m_(m) {
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      if (m.joint_type[i] != JointType::floating) continue;
      const RigidInertia<double>& I = m.link[i].I;
      Floating f{static_cast<int>(i), m.q_index[i], m.v_index[i], {}, {}};
      // without mass of its own it has no centre: any of its points will do, to the order of the method
      if (I.mass > 0) f.centre = (1 / I.mass) * I.h;
      for (int p = m.parent[i]; p >= 0; p = m.parent[at(p)]) f.inboard.push_back(p);
      std::ranges::reverse(f.inboard);
      carried_ = carried_ || !f.inboard.empty();
      all_.push_back(std::move(f));
    }
  }

  int count() const { return static_cast<int>(all_.size()); }
  /// Whether a floating joint is carried by a body, not by the ground.
  bool carried() const { return carried_; }

  /// v, which is v0 + h a: becomes, of floating joints, the velocity that the step ends with, in the axes and at the
  /// place of its start. q0, v0: the start; a: accelerations there.
  void kick(double h, const double* q0, const double* v0, const double* a, double* v) const {
    for (const Floating& f : all_) {
      if (f.inboard.empty()) {
        const Motion<double> start = motion(v0 + f.v);
        add(h, turning(start, f.centre), v + f.v);
        continue;
      }
      const Moving now = outwards(f.body, carrier(f, q0, v0, a), q0, v0, a);
      Motion<double> end = now.velocity + h * now.acceleration;
      end.linear += h * turning(now.velocity, f.centre);
      write(end - along(f, carrier(f, q0, v), q0), v + f.v);
    }
  }

  /// Floating joint k moves by a step of h along the velocity that `kick` gave it, and v turns into the axes of its
  /// end. Joints inboard of it have moved. q0: of the start; `kicked`: v as `kick` left it. Both are read of joints
  /// further out alone. The quaternion is to be normalized.
  void drift(int k, double h, double* q, double* v, const double* q0, const double* kicked) const {
    const Floating& f = all_[at(k)];
    if (f.inboard.empty()) return drift(h, f.centre, q + f.q, v + f.v);
    const Moving from = carrier(f, q0, kicked), to = carrier(f, q, v);
    write(motion(v + f.v) + along(f, from, q0), v + f.v);
    drift(h, f.centre, q + f.q, v + f.v);
    // it stands and moves now as seen from where its joint began; from where that is now:
    const Transform<double>& X_tree = m_.link[at(f.body)].X_tree;
    const Transform<double> start = X_tree * from.X, end = X_tree * to.X;
    const Matrix3<double> E = end.E * transpose(start.E);
    const Vector3<double> place = E * (Vector3<double>{q[f.q], q[f.q + 1], q[f.q + 2]} - start.E * (end.r - start.r));
    Eigen::Matrix3d rotation;
    rotation << E.xx, E.xy, E.xz, E.yx, E.yy, E.yz, E.zx, E.zy, E.zz;
    const Eigen::Quaterniond turn(rotation);
    const double p[4]{q[f.q + 3], q[f.q + 4], q[f.q + 5], q[f.q + 6]};
    advance_detail::product(1, turn.coeffs().data(), p, q + f.q + 3);
    q[f.q] = place.x, q[f.q + 1] = place.y, q[f.q + 2] = place.z;
    write(motion(v + f.v) - along(f, to, q), v + f.v);
  }

 private:
  struct Floating {
    int body, q, v;            ///< where its numbers begin
    Vector3<double> centre;    ///< of its own mass, in its axes
    std::vector<int> inboard;  ///< from the ground to its parent
  };
  /// Where a body is and how it moves, in its coordinates.
  struct Moving {
    Transform<double> X;  ///< from the world's frame
    Motion<double> velocity{}, acceleration{};
  };

  static Motion<double> motion(const double* v) { return {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}}; }
  static void write(const Motion<double>& m, double* v) {
    v[0] = m.linear.x, v[1] = m.linear.y, v[2] = m.linear.z;
    v[3] = m.angular.x, v[4] = m.angular.y, v[5] = m.angular.z;
  }
  static void add(double h, const Vector3<double>& x, double* v) { v[0] += h * x.x, v[1] += h * x.y, v[2] += h * x.z; }
  /// w x (u + w x c), what the components of the centre's velocity lose in axes that turn.
  static Vector3<double> turning(const Motion<double>& m, const Vector3<double>& c) {
    return cross(m.angular, m.linear + cross(m.angular, c));
  }

  /// A joint further out (Featherstone 2008, Eq. 5.14 and 5.15, without gravity). `a`: null where no accelerations are
  /// asked for.
  Moving outwards(int body, const Moving& parent, const double* q, const double* v, const double* a) const {
    const std::size_t i = at(body);
    Transform<double> X_up;
    Motion<double> columns[6], joint{}, acceleration{}, bias;
    joint_at(m_.joint_type[i], m_.link[i], q + m_.q_index[i], v + m_.v_index[i], X_up, columns, bias);
    with_cut_subspace(m_.joint_type[i], columns, [&](auto subspace) {
      subspace.add(v + m_.v_index[i], joint);
      if (a != nullptr) subspace.add(a + m_.v_index[i], acceleration);
    });
    Moving body_{X_up * parent.X, X_up * parent.velocity + joint};
    if (a != nullptr)
      body_.acceleration = X_up * parent.acceleration + acceleration + bias + cross(body_.velocity, joint);
    return body_;
  }
  Moving carrier(const Floating& f, const double* q, const double* v, const double* a = nullptr) const {
    Moving moving{Transform<double>::identity()};
    for (const int body : f.inboard) moving = outwards(body, moving, q, v, a);
    return moving;
  }
  /// The velocity of a body that does not move relative to its carrier.
  Motion<double> along(const Floating& f, const Moving& carrier, const double* q) const {
    Transform<double> X_up;
    Motion<double> columns[6], bias;
    const double none[6]{};
    joint_at(JointType::floating, m_.link[at(f.body)], q + f.q, none, X_up, columns, bias);
    return X_up * carrier.velocity;
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
  std::vector<Floating> all_;
  bool carried_ = false;
};

}  // namespace kinetree::inline inner
