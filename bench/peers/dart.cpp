// DART's skeleton, without a world.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/peers/floating_base.hpp"
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

/// The body's twist, in its own axes.
const BaseLayout layout{true, false, false};

class Dart : public Peer {
 public:
  explicit Dart(const Mechanism& mechanism)
      : skeleton_(dd::Skeleton::create("mechanism")),
        nv_(mechanism.nv),
        floating_(mechanism.floating()),
        base_nv_(6 * mechanism.base()),
        q_(nv_),
        v_(nv_),
        given_(nv_) {
    for (const Body& body : mechanism.bodies) {
      dd::BodyNode::Properties properties;
      properties.mName = body.name;
      properties.mInertia = dd::Inertia(body.mass, body.com, body.inertia);
      dd::BodyNode* parent = body.parent < 0 ? nullptr : nodes_[static_cast<std::size_t>(body.parent)];
      nodes_.push_back(add(parent, body, properties));
    }
    skeleton_->setGravity(mechanism.gravity);
  }

 protected:
  /// Positions and velocities; returns the base, for what else it is given.
  MaybeFloating set_motion(const State& state) {
    MaybeFloating base = base_of(state);
    set_positions(state, base);
    set_velocities(state, base);
    return base;
  }
  MaybeFloating base_of(const State& state) const { return floating_state(floating_, layout, state); }

  /// A floating base's positions are a rotation vector and a point.
  void set_positions(const State& state, const MaybeFloating& base) {
    set_joints(q_, state.q + 7 * (base_nv_ / 6));
    if (base) q_.head<6>() = dd::FreeJoint::convertToPositions(isometry({base->R, base->x}));
    skeleton_->setPositions(q_);
  }
  void set_velocities(const State& state, const MaybeFloating& base) {
    set_joints(v_, state.v + base_nv_);
    if (base) v_.head<6>() << base->angular(), base->linear();
    skeleton_->setVelocities(v_);
  }
  void set_joints(Eigen::VectorXd& all, const double* joints) const {
    const Eigen::Index n = nv_ - base_nv_;
    all.tail(n) = Eigen::Map<const Eigen::VectorXd>(joints, n);
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

 protected:
  dd::SkeletonPtr skeleton_;
  std::vector<dd::BodyNode*> nodes_;
  Eigen::Index nv_;
  bool floating_;
  Eigen::Index base_nv_;  ///< 6 or 0
  Eigen::VectorXd q_, v_, given_;
};

class DartForwardDynamics : public Dart {
 public:
  using Dart::Dart;

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    set_joints(given_, state.given + base_nv_);
    if (base) given_.head<6>() << base->moment(), base->force();
    skeleton_->setForces(given_);
    skeleton_->computeForwardDynamics();
  }

  void read(const State& state, double* a) override {
    const Eigen::VectorXd result = skeleton_->getAccelerations();
    if (floating_) base_of(state)->write_accelerations(result.segment<3>(3), result.head<3>(), a);
    for (Eigen::Index k = base_nv_; k < nv_; ++k) a[k] = result[k];
  }
};

class DartInverseDynamics : public Dart {
 public:
  using Dart::Dart;

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    set_joints(given_, state.given + base_nv_);
    if (base) given_.head<6>() << base->angular_acceleration(), base->linear_acceleration();
    skeleton_->setAccelerations(given_);
    skeleton_->computeInverseDynamics();
  }

  void read(const State& state, double* tau) override {
    Eigen::Map<Eigen::VectorXd>(tau, nv_) = skeleton_->getForces();
    if (floating_) base_of(state)->rows_to_own(tau, nv_, 1);
  }
};

class DartMassMatrix : public Dart {
 public:
  using Dart::Dart;

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    skeleton_->getMassMatrix();
  }

  void read(const State& state, double* matrix) override {
    Eigen::Map<Eigen::MatrixXd>(matrix, nv_, nv_) = skeleton_->getMassMatrix();
    if (floating_) base_of(state)->both_to_own(matrix, nv_);
  }
};

class DartKinematics : public Dart {
 public:
  using Dart::Dart;

  void compute(const State& state) override {
    set_motion(state);
    for (const dd::BodyNode* node : nodes_) node->getWorldTransform(), node->getSpatialVelocity();
  }

  void read(const State&, double* result) override {
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      const Eigen::Isometry3d& pose = nodes_[b]->getWorldTransform();
      const Matrix3d R = pose.linear();
      const Eigen::Vector6d& twist = nodes_[b]->getSpatialVelocity();  // in the body's axes
      write_link(b, nodes_.size(), R, pose.translation(), R * twist.head<3>(), R * twist.tail<3>(), result);
    }
  }
};

class DartJacobians : public Dart {
 public:
  using Dart::Dart;

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    for (const dd::BodyNode* node : nodes_) node->getWorldJacobian();
  }

  void read(const State& state, double* result) override {
    const auto links = static_cast<Eigen::Index>(nodes_.size());
    Eigen::Map<Eigen::MatrixXd> all(result, 6 * links, nv_);
    for (Eigen::Index b = 0; b < links; ++b) {
      const dd::BodyNode& node = *nodes_[static_cast<std::size_t>(b)];
      const std::vector<std::size_t>& columns = node.getDependentGenCoordIndices();
      for (std::size_t k = 0; k < columns.size(); ++k)
        all.block<6, 1>(6 * b, static_cast<Eigen::Index>(columns[k])) =
            node.getWorldJacobian().col(static_cast<Eigen::Index>(k));
    }
    if (floating_) base_of(state)->columns_to_own(result, 6 * links, nv_);
  }
};

const Registration registration(
    {"DART",
     DART_VERSION,
     "libdart-dev",
     1e-8,
     {{Function::forward_dynamics, offer<DartForwardDynamics>("Skeleton::computeForwardDynamics")},
      {Function::inverse_dynamics, offer<DartInverseDynamics>("Skeleton::computeInverseDynamics")},
      {Function::mass_matrix, offer<DartMassMatrix>("Skeleton::getMassMatrix")},
      {Function::kinematics,
       offer<DartKinematics>("BodyNode::getWorldTransform, getSpatialVelocity (in its own axes)")},
      {Function::jacobians,
       offer<DartJacobians>("BodyNode::getWorldJacobian, of the joints between it and the ground alone")}}});

}  // namespace
}  // namespace kinetree::peers
