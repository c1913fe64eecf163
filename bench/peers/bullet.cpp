// Bullet's Featherstone multibody, without a world.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

btVector3 vector_of(const Vector3d& x) { return {x[0], x[1], x[2]}; }
btQuaternion quaternion_of(const Matrix3d& R) {
  const Eigen::Quaternion<double, Eigen::DontAlign> q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

class Bullet : public Peer {
 public:
  explicit Bullet(const Mechanism& mechanism)
      : base_(mechanism.base()), links_(static_cast<int>(mechanism.bodies.size()) - base_), v_(6 * base_) {
    // Bullet's link frames stand in the centre of mass along the principal axes.
    std::vector<Matrix3d> axes;
    Vector3d moments = Vector3d::Ones();
    for (const Body& body : mechanism.bodies) axes.push_back(principal(body).axes);
    if (base_) {
      com_ = mechanism.bodies[0].com;
      axes_ = axes[0];
      moments = principal(mechanism.bodies[0]).moments;
    }
    weight_ = vector_of(mechanism.bodies[0].mass * mechanism.gravity);
    body_ =
        std::make_unique<btMultiBody>(links_, base_ ? mechanism.bodies[0].mass : 0, vector_of(moments), !base_, false);
    for (int i = 0; i < links_; ++i) {
      const auto b = static_cast<std::size_t>(i + base_);
      const Body& body = mechanism.bodies[b];
      Matrix3d parent_axes = Matrix3d::Identity();
      Vector3d parent_com = Vector3d::Zero();
      if (body.parent >= 0) {
        parent_axes = axes[static_cast<std::size_t>(body.parent)];
        parent_com = mechanism.bodies[static_cast<std::size_t>(body.parent)].com;
      }
      const btQuaternion turn = quaternion_of(axes[b].transpose() * body.origin.R.transpose() * parent_axes);
      const btVector3 to_pivot = vector_of(parent_axes.transpose() * (body.origin.p - parent_com));
      const btVector3 to_com = vector_of(axes[b].transpose() * body.com);
      const btVector3 axis = vector_of(axes[b].transpose() * body.axis);
      const btVector3 inertia = vector_of(principal(body).moments);
      if (body.joint == JointKind::revolute)
        body_->setupRevolute(i, body.mass, inertia, body.parent - base_, turn, axis, to_pivot, to_com, true);
      else
        body_->setupPrismatic(i, body.mass, inertia, body.parent - base_, turn, axis, to_pivot, to_com, true);
    }
    body_->finalizeMultiDof();
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    // World axes, at the centre of mass: set once and never cleared.
    for (int i = 0; i < links_; ++i)
      body_->addLinkForce(i, vector_of(mechanism.bodies[static_cast<std::size_t>(i + base_)].mass * mechanism.gravity));
  }

  void solve(const double* q, const double* v, const double* tau, double* a) override {
    if (base_) set_base(q, v, tau);
    const double* q_joint = q + 7 * base_;
    for (int i = 0; i < links_; ++i) {
      body_->setJointPos(i, q_joint[i]);
      body_->setJointVel(i, v[v_ + i]);
      body_->getLink(i).m_jointTorque[0] = tau[v_ + i];
    }
    // A step of zero: accelerations, but no new velocities.
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, scalars_, vectors_, matrices_, false, false, false);
    const double* output = &scalars_[links_];  // base, then joints; joint forces of its own stand before
    if (base_) read_base(FloatingState(q, v, tau), output, a);
    for (int i = 0; i < links_; ++i) a[v_ + i] = output[6 + i];
  }

 private:
  void set_base(const double* q, const double* v, const double* tau) {
    const FloatingState s(q, v, tau);
    body_->setBasePos(vector_of(s.x + s.R * com_));
    body_->setWorldToBaseRot(quaternion_of((s.R * axes_).transpose()));
    body_->setBaseVel(vector_of(s.R * (s.linear + s.angular.cross(com_))));
    body_->setBaseOmega(vector_of(s.R * s.angular));
    // There is no setter: take back what was added before.
    body_->addBaseForce(-body_->getBaseForce());
    body_->addBaseForce(weight_ + vector_of(s.R * s.force));
    body_->addBaseTorque(-body_->getBaseTorque());
    body_->addBaseTorque(vector_of(s.R * (s.moment - com_.cross(s.force))));
  }

  /// Bullet's output is in world axes and for the centre of mass.
  void read_base(const FloatingState& s, const double* output, double* a) const {
    const Vector3d alpha(output[0], output[1], output[2]), com_linear(output[3], output[4], output[5]);
    const Vector3d arm = s.R * com_, omega = s.R * s.angular;
    s.write(com_linear - alpha.cross(arm) - omega.cross(omega.cross(arm)), s.R.transpose() * alpha, a);
  }

  int base_, links_, v_;
  std::unique_ptr<btMultiBody> body_;
  Vector3d com_ = Vector3d::Zero();
  Matrix3d axes_ = Matrix3d::Identity();
  btVector3 weight_;
  btAlignedObjectArray<btScalar> scalars_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

std::string version() {
  return std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
}

const Registration registration(
    {"Bullet", version(), "libbullet-dev", "btMultiBody::computeAccelerationsArticulatedBodyAlgorithmMultiDof", 1e-8,
     [](const Mechanism& m) -> std::unique_ptr<Peer> { return std::make_unique<Bullet>(m); }});

}  // namespace
}  // namespace kinetree::peers
