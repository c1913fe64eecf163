#include "loops/rounded_linkages.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace kinetree::oracle {
namespace {

using std::numbers::pi;
using Matrix = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

/// Puts bodies and loops, given where they stand in the world at zero, into frames of their own.
class Builder {
 public:
  Builder(int seed, int decimals, const Numbers3& offset)
      : random_(static_cast<unsigned>(seed)), ten_(std::pow(10.0, decimals)), offset_(offset.data()) {
    world_.turn.setIdentity(), world_.at.setZero();
    plane_ = some_turn();
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  /// x, y, z in the frame of the linkage, whose z is the normal of planar ones.
  Vector point(double x, double y, double z = 0) const { return plane_ * Vector(x, y, z); }
  Vector vector(double x, double y, double z) const { return plane_ * Vector(x, y, z); }
  const Matrix& plane() const { return plane_; }

  int body(int parent, const std::string& type, const Vector& at, const Vector& axis, const Vector& to) {
    const std::string name = "link" + std::to_string(bodies_.size());
    Pose pose{some_turn(), at};
    BodyDescription b;
    b.name = name, b.parent = parent < 0 ? "world" : d.bodies[static_cast<std::size_t>(parent)].name;
    b.joint.name = "j" + std::to_string(bodies_.size()), b.joint.type = type;
    set(b.joint.axis, pose.turn.transpose() * axis);
    b.joint.origin = placed(parent, pose);
    if (parent < 0)
      for (std::size_t k = 0; k < 3; ++k) b.joint.origin.xyz[k] += offset_[static_cast<Eigen::Index>(k)];
    InertialDescription inertial;
    inertial.mass = uniform(0.3, 1);
    set(inertial.frame.xyz, pose.turn.transpose() * (0.5 * (to - at)));
    inertial.inertia = {0.02, 0.03, 0.025, 0.001, -0.002, 0.003};
    b.inertial = inertial;
    d.bodies.push_back(b);
    bodies_.push_back(pose);
    return static_cast<int>(bodies_.size()) - 1;
  }

  void loop(const std::string& type, int first, int second, const Vector& at, const Vector& axis) {
    LoopDescription l;
    l.name = "loop" + std::to_string(d.loops.size()), l.type = type;
    const Pose pose{some_turn(), at};
    set(l.axis, pose.turn.transpose() * axis);
    l.first = {d.bodies[static_cast<std::size_t>(first)].name, placed(first, pose)};
    l.second = {d.bodies[static_cast<std::size_t>(second)].name, placed(second, pose)};
    d.loops.push_back(l);
  }

  Description d;

 private:
  struct Pose {
    Matrix turn;
    Vector at;
  };

  static void set(Numbers3& to, const Vector& from) { to = {from.x(), from.y(), from.z()}; }

  Matrix some_turn() {
    return Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized().matrix();
  }

  Placement placed(int parent, const Pose& pose) const {
    const Pose& outer = parent < 0 ? world_ : bodies_[static_cast<std::size_t>(parent)];
    const Matrix R = outer.turn.transpose() * pose.turn;
    const auto rounded = [&](double angle) { return ten_ < 1e15 ? std::round(angle * ten_) / ten_ : angle; };
    Placement placement;
    set(placement.xyz, outer.turn.transpose() * (pose.at - outer.at));
    placement.quaternion = quaternion_from_rpy({rounded(std::atan2(R(2, 1), R(2, 2))),
                                                rounded(std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)))),
                                                rounded(std::atan2(R(1, 0), R(0, 0)))});
    return placement;
  }

  std::mt19937 random_;
  double ten_;
  Vector offset_;
  Pose world_;
  Matrix plane_;
  std::vector<Pose> bodies_;
};

Vector polar(const Builder& b, const Vector& from, double length, double angle) {
  return from + b.vector(length * std::cos(angle), length * std::sin(angle), 0);
}

/// A crank that goes round beside a rocker; the loop's type closes it.
void four_bar(Builder& b, const std::string& type) {
  const Vector n = b.vector(0, 0, 1), A = b.point(0, 0), D = b.point(b.uniform(0.35, 0.45), 0);
  const Vector B = polar(b, A, b.uniform(0.1, 0.15), b.uniform(0.5, 2.5));
  const Vector C = polar(b, D, b.uniform(0.28, 0.35), b.uniform(1.2, 1.9));
  const int crank = b.body(-1, "revolute", A, n, B), coupler = b.body(crank, "revolute", B, n, C);
  const int rocker = b.body(-1, "revolute", D, n, C);
  b.loop(type, coupler, rocker, C, n);
}

void five_bar(Builder& b) {
  const Vector n = b.vector(0, 0, 1), A = b.point(0, 0), E = b.point(b.uniform(0.2, 0.3), 0);
  const Vector B = polar(b, A, 0.2, b.uniform(1.6, 2.4)), D = polar(b, E, 0.2, b.uniform(0.7, 1.5));
  const Vector C = b.point(b.uniform(0.08, 0.15), b.uniform(0.38, 0.45));
  const int one = b.body(-1, "revolute", A, n, B), two = b.body(one, "revolute", B, n, C);
  const int other = b.body(-1, "revolute", E, n, D), last = b.body(other, "revolute", D, n, C);
  b.loop("revolute", two, last, C, n);
}

void six_bar(Builder& b) {
  const Vector n = b.vector(0, 0, 1), A = b.point(0, 0), D = b.point(0.4, 0), G = b.point(0.75, b.uniform(-0.05, 0.05));
  const Vector B = polar(b, A, 0.12, b.uniform(0.8, 2.2)), C = polar(b, D, 0.3, b.uniform(1.2, 1.7));
  const Vector E = polar(b, D, 0.25, b.uniform(0.7, 1)), F = polar(b, G, 0.25, b.uniform(1.2, 1.8));
  const int crank = b.body(-1, "revolute", A, n, B), coupler = b.body(crank, "revolute", B, n, C);
  const int rocker = b.body(-1, "revolute", D, n, C), link = b.body(rocker, "revolute", E, n, F);
  const int last = b.body(-1, "revolute", G, n, F);
  b.loop("revolute", coupler, rocker, C, n);
  b.loop("revolute", link, last, F, n);
}

void slider_crank(Builder& b) {
  const Vector n = b.vector(0, 0, 1), A = b.point(0, 0), B = polar(b, A, b.uniform(0.1, 0.15), b.uniform(0.5, 2.5));
  const Vector C = b.point(b.uniform(0.45, 0.55), b.uniform(-0.05, 0.05));
  const int crank = b.body(-1, "revolute", A, n, B), rod = b.body(crank, "revolute", B, n, C);
  const int slider = b.body(-1, "prismatic", C, b.vector(1, 0, 0), C);
  b.loop("revolute", rod, slider, C, n);
}

void platform(Builder& b) {
  const Vector n = b.vector(0, 0, 1);
  int plate = -1;
  const double turn = b.uniform(-0.2, 0.2);
  for (int leg = 0; leg < 3; ++leg) {
    const double angle = 2 * pi / 3 * leg;
    const Vector foot = polar(b, b.point(0, 0), 0.4, angle), top = polar(b, b.point(0, 0), 0.12, angle + turn);
    const Vector knee = polar(b, 0.5 * (foot + top), b.uniform(0.15, 0.2), angle + 1.57);
    const int lower = b.body(-1, "revolute", foot, n, knee), upper = b.body(lower, "revolute", knee, n, top);
    if (leg == 0)
      plate = b.body(upper, "revolute", top, n, b.point(0, 0));
    else
      b.loop("revolute", upper, plate, top, n);
  }
}

void spherical(Builder& b) {
  const auto axis = [&](double azimuth, double height) {
    return Vector(b.vector(std::cos(azimuth), std::sin(azimuth), height).normalized());
  };
  const Vector o = b.point(0, 0), a1 = axis(0, 0.2), a2 = axis(b.uniform(0.3, 0.5), b.uniform(0.6, 0.9));
  const Vector a3 = axis(b.uniform(1.3, 1.5), b.uniform(0.5, 0.7)), a4 = axis(1.4, -0.3);
  const auto at = [&](const Vector& a, double along) { return Vector(o + along * a); };
  const int crank = b.body(-1, "revolute", at(a1, 0.2), a1, at(a2, 0.25));
  const int coupler = b.body(crank, "revolute", at(a2, 0.25), a2, at(a3, 0.3));
  const int rocker = b.body(-1, "revolute", at(a4, 0.2), a4, at(a3, 0.3));
  b.loop("revolute", coupler, rocker, at(a3, 0.3), a3);
}

/// Frames T Rz(theta) Tx(a) Rx(alpha) with lengths a, b, a, b and twists alpha, beta, alpha, beta.
void bennett(Builder& b) {
  const double alpha = b.uniform(0.5, 0.8), beta = b.uniform(1.1, 1.5), a = b.uniform(0.2, 0.3);
  const double other = a * std::sin(beta) / std::sin(alpha), theta = b.uniform(0.8, 2.2);
  const double next = 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(theta / 2));
  const double lengths[]{a, other, a, other}, twists[]{alpha, beta, alpha, beta}, turns[]{theta, next, -theta, -next};
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = b.plane();
  Vector at[5], axis[5];
  for (int k = 0; k < 4; ++k) {
    at[k] = T.translation(), axis[k] = T.linear().col(2);
    T = T * Eigen::AngleAxisd(turns[k], Vector::UnitZ()) * Eigen::Translation3d(lengths[k], 0, 0) *
        Eigen::AngleAxisd(twists[k], Vector::UnitX());
  }
  const int crank = b.body(-1, "revolute", at[0], axis[0], at[1]);
  const int coupler = b.body(crank, "revolute", at[1], axis[1], at[2]);
  const int rocker = b.body(-1, "revolute", at[3], axis[3], at[2]);
  b.loop("revolute", coupler, rocker, at[2], axis[2]);
}

void sarrus(Builder& b) {
  const double height = b.uniform(0.25, 0.35), out = b.uniform(0.12, 0.18);
  const Vector x = b.vector(1, 0, 0), y = b.vector(0, 1, 0);
  const Vector A = b.point(0.2, 0, 0), B = b.point(0.2 + out, 0, 0.5 * height), C = b.point(0.2, 0, height);
  const Vector D = b.point(0, 0.2, 0), E = b.point(0, 0.2 + out, 0.55 * height), F = b.point(0, 0.2, height);
  const int one = b.body(-1, "revolute", A, y, B), two = b.body(one, "revolute", B, y, C);
  const int plate = b.body(two, "revolute", C, y, b.point(0, 0, height));
  const int three = b.body(-1, "revolute", D, x, E), four = b.body(three, "revolute", E, x, F);
  b.loop("revolute", four, plate, F, x);
}

void rssr(Builder& b) {
  const Vector A = b.point(0, 0), D = b.point(0.4, 0.1, 0.2), a = b.vector(0.2, 0.1, 1).normalized();
  const Vector d = b.vector(0.1, b.uniform(0.8, 1), 0.3).normalized();
  const Vector B = A + 0.12 * a.cross(b.vector(1, 0.2, 0)).normalized();
  const Vector C = D + 0.3 * d.cross(b.vector(0.3, 0, b.uniform(-1, -0.5))).normalized();
  const int crank = b.body(-1, "revolute", A, a, B), coupler = b.body(crank, "spherical", B, a, C);
  const int rocker = b.body(-1, "revolute", D, d, C);
  b.loop("spherical", coupler, rocker, C, d);
}

void rccc(Builder& b) {
  const Vector A = b.point(0, 0), B = b.point(0.15, 0.2, 0.05), C = b.point(0.4, 0.25, 0.2), D = b.point(0.5, 0, 0.1);
  const Vector a = b.vector(0, 0.1, 1).normalized(), c = b.vector(0.4, b.uniform(-0.3, 0.3), 1).normalized();
  const Vector e = b.vector(-0.5, 0.4, 1).normalized(), g = b.vector(0.2, -0.6, 1).normalized();
  const int crank = b.body(-1, "revolute", A, a, B), coupler = b.body(crank, "cylindrical", B, c, C);
  const int rocker = b.body(-1, "cylindrical", D, g, C);
  b.loop("cylindrical", coupler, rocker, C, e);
}

}  // namespace

Description linkage(Linkage kind, int seed, int decimals, const Numbers3& offset) {
  Builder b(100 * seed + static_cast<int>(kind), decimals, offset);
  b.d.name = linkage_names[static_cast<int>(kind)];
  switch (kind) {
    case Linkage::four_bar:
      four_bar(b, "revolute");
      break;
    case Linkage::connected:
      four_bar(b, "spherical");
      break;
    case Linkage::five_bar:
      five_bar(b);
      break;
    case Linkage::six_bar:
      six_bar(b);
      break;
    case Linkage::slider_crank:
      slider_crank(b);
      break;
    case Linkage::platform:
      platform(b);
      break;
    case Linkage::spherical:
      spherical(b);
      break;
    case Linkage::bennett:
      bennett(b);
      break;
    case Linkage::sarrus:
      sarrus(b);
      break;
    case Linkage::rssr:
      rssr(b);
      break;
    case Linkage::rccc:
      rccc(b);
      break;
  }
  return b.d;
}

}  // namespace kinetree::oracle
