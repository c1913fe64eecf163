// DART's skeleton, without a world.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d isometry(const Pose& pose) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = pose.R;
  T.translation() = pose.p;
  return T;
}

class Dart : public Peer {
 public:
  explicit Dart(const Mechanism& mechanism)
      : skeleton_(dd::Skeleton::create("mechanism")),
        base_(mechanism.base()),
        q_(mechanism.nv),
        v_(mechanism.nv),
        tau_(mechanism.nv) {
    std::vector<dd::BodyNode*> nodes;
    for (const Body& body : mechanism.bodies) {
      dd::BodyNode::Properties properties;
      properties.mName = body.name;
      properties.mInertia = dd::Inertia(body.mass, body.com, body.inertia);
      dd::BodyNode* parent = body.parent < 0 ? nullptr : nodes[static_cast<std::size_t>(body.parent)];
      nodes.push_back(add(parent, body, properties));
    }
    skeleton_->setGravity(mechanism.gravity);
  }

  void solve(const double* q, const double* v, const double* tau, double* a) override {
    const Eigen::Index n = q_.size() - 6 * base_, first = 6 * base_;
    using Numbers = Eigen::Map<const Eigen::VectorXd>;
    q_.tail(n) = Numbers(q + 7 * base_, n);
    v_.tail(n) = Numbers(v + first, n);
    tau_.tail(n) = Numbers(tau + first, n);
    if (base_) set_base(FloatingState(q, v, tau));
    skeleton_->setPositions(q_);
    skeleton_->setVelocities(v_);
    skeleton_->setForces(tau_);
    skeleton_->computeForwardDynamics();
    const Eigen::VectorXd result = skeleton_->getAccelerations();
    for (Eigen::Index k = 0; k < first; ++k) a[k] = result[(k + 3) % 6];
    for (Eigen::Index k = first; k < result.size(); ++k) a[k] = result[k];
  }

 private:
  dd::BodyNode* add(dd::BodyNode* parent, const Body& body, const dd::BodyNode::Properties& properties) {
    const auto joint = [&](auto joint_properties) {
      joint_properties.mName = "joint of " + body.name;
      joint_properties.mT_ParentBodyToJoint = isometry(body.origin);
      return joint_properties;
    };
    if (body.joint == JointKind::floating)
      return skeleton_
          ->createJointAndBodyNodePair<dd::FreeJoint>(parent, joint(dd::FreeJoint::Properties()), properties)
          .second;
    if (body.joint == JointKind::revolute) {
      auto own = joint(dd::RevoluteJoint::Properties());
      own.mAxis = body.axis;
      return skeleton_->createJointAndBodyNodePair<dd::RevoluteJoint>(parent, own, properties).second;
    }
    auto own = joint(dd::PrismaticJoint::Properties());
    own.mAxis = body.axis;
    return skeleton_->createJointAndBodyNodePair<dd::PrismaticJoint>(parent, own, properties).second;
  }

  /// DART's free joint: a rotation vector and a point; then the body's twist, angular part first.
  void set_base(const FloatingState& s) {
    q_.head<6>() = dd::FreeJoint::convertToPositions(isometry({s.R, s.x}));
    v_.head<6>() << s.angular, s.linear;
    tau_.head<6>() << s.moment, s.force;
  }

  dd::SkeletonPtr skeleton_;
  int base_;
  Eigen::VectorXd q_, v_, tau_;
};

const Registration registration({"DART", DART_VERSION, "libdart-dev", "Skeleton::computeForwardDynamics", 1e-8,
                                 [](const Mechanism& m) -> std::unique_ptr<Peer> {
                                   return std::make_unique<Dart>(m);
                                 }});

}  // namespace
}  // namespace kinetree::peers
