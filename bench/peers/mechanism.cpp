#include "bench/peers/mechanism.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <kinetree/model.hpp>
#include <map>
#include <stdexcept>

#include "engine/model/model_data.hpp"

namespace kinetree::peers {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d vector_of(const Numbers3& x) { return {x[0], x[1], x[2]}; }

Pose pose_of(const Placement& placement) {
  const auto& q = placement.quaternion;
  return {Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix(), vector_of(placement.xyz)};
}

/// Inertia about a point `r` away from the centre of mass, less that about the centre of mass.
Matrix3d steiner(double mass, const Vector3d& r) {
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

void add_inertial(Body& body, const Pose& link, const InertialDescription& inertial) {
  if (inertial.mass == 0) return;
  const Pose frame = link * pose_of(inertial.frame);
  const auto& i = inertial.inertia;
  Matrix3d local;
  local << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  const double mass = body.mass + inertial.mass;
  const Vector3d com = (body.mass * body.com + inertial.mass * frame.p) / mass;
  body.inertia += steiner(body.mass, body.com - com) + frame.R * local * frame.R.transpose() +
                  steiner(inertial.mass, frame.p - com);
  body.com = com;
  body.mass = mass;
}

class Builder {
 public:
  Builder(const Description& description, const Model& model) : description_(description), model_(model) {}

  Mechanism run() {
    for (const BodyDescription& body : description_.bodies) links_[body.name] = &body;
    for (int b = 0; b < model_.body_count(); ++b) numbers_[std::string(model_.joint_name(b))] = b;
    mechanism_.gravity = vector_of(description_.gravity);
    mechanism_.nq = model_.nq();
    mechanism_.nv = model_.nv();
    mechanism_.bodies.resize(static_cast<std::size_t>(model_.body_count()));
    for (const BodyDescription& body : description_.bodies) add(body);
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
      if (mechanism_.bodies[b].joint == JointKind::floating && (b > 0 || model_.data().roots.size() > 1))
        throw std::runtime_error("a floating joint that is not the only root");
    return std::move(mechanism_);
  }

 private:
  struct Place {
    int body;
    Pose pose;  ///< of the link in that body
  };

  /// Where a link ends up once fixed joints are merged.
  Place place(const std::string& name) const {
    const auto found = links_.find(name);
    if (found == links_.end()) return {-1, {}};
    const BodyDescription& link = *found->second;
    if (link.joint.type != "fixed") return {numbers_.at(link.joint.name), {}};
    const Place parent = place(link.parent);
    return {parent.body, parent.pose * pose_of(link.joint.origin)};
  }

  void add(const BodyDescription& link) {
    const Place own = place(link.name);
    if (own.body < 0) return;  // fixed to the ground
    Body& body = mechanism_.bodies[static_cast<std::size_t>(own.body)];
    if (link.inertial) add_inertial(body, own.pose, *link.inertial);
    if (link.joint.type == "fixed") return;
    const Place parent = place(link.parent);
    body.name = link.name;
    body.parent = parent.body;
    body.origin = parent.pose * pose_of(link.joint.origin);
    body.axis = vector_of(link.joint.axis).normalized();
    const ModelData& data = model_.data();
    body.q = data.q_index[static_cast<std::size_t>(own.body)];
    body.v = data.v_index[static_cast<std::size_t>(own.body)];
    if (link.joint.type == "revolute" || link.joint.type == "continuous")
      body.joint = JointKind::revolute;
    else if (link.joint.type == "prismatic")
      body.joint = JointKind::prismatic;
    else if (link.joint.type == "floating" && body.origin.R.isIdentity() && body.origin.p.isZero())
      body.joint = JointKind::floating;
    else
      throw std::runtime_error("joint " + link.joint.name + " is of type " + link.joint.type +
                               " (peers take revolute and prismatic joints and a floating base at the origin)");
  }

  const Description& description_;
  const Model& model_;
  std::map<std::string, const BodyDescription*> links_;
  std::map<std::string, int> numbers_;  ///< of the body a joint carries
  Mechanism mechanism_;
};

}  // namespace

Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.p + a.R * b.p}; }

bool Mechanism::serial() const {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].parent != static_cast<int>(b) - 1) return false;
  return true;
}

Mechanism mechanism_of(const Description& description, const Model& model) { return Builder(description, model).run(); }

Principal principal(const Body& body) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(body.inertia);
  Principal result{solver.eigenvectors(), solver.eigenvalues()};
  if (result.axes.determinant() < 0) result.axes.col(0) *= -1;
  return result;
}

}  // namespace kinetree::peers
