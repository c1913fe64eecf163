// Bullet's Featherstone multibody, without a world.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "bench/peers/floating_base.hpp"
#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

btVector3 vector_of(const Vector3d& x) { return {x[0], x[1], x[2]}; }
btQuaternion quaternion_of(const Matrix3d& R) {
  const Eigen::Quaternion<double, Eigen::DontAlign> q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

Vector3d eigen_of(const btVector3& x) { return {x[0], x[1], x[2]}; }
Matrix3d eigen_of(const btQuaternion& q) {
  return Eigen::Quaternion<double, Eigen::DontAlign>(q.w(), q.x(), q.y(), q.z()).toRotationMatrix();
}

class Bullet : public Peer {
 public:
  explicit Bullet(const Mechanism& mechanism)
      : base_(mechanism.base()), links_(static_cast<int>(mechanism.bodies.size()) - base_), nv_(mechanism.nv) {
    for (const Body& body : mechanism.bodies) axes_.push_back(principal(body).axes), com_.push_back(body.com);
    Vector3d moments = Vector3d::Ones();
    if (base_) {
      layout_.point = com_[0];
      moments = principal(mechanism.bodies[0]).moments;
    }
    body_ =
        std::make_unique<btMultiBody>(links_, base_ ? mechanism.bodies[0].mass : 0, vector_of(moments), !base_, false);
    for (int i = 0; i < links_; ++i) {
      const auto b = static_cast<std::size_t>(i + base_);
      const Body& body = mechanism.bodies[b];
      Matrix3d parent_axes = Matrix3d::Identity();
      Vector3d parent_com = Vector3d::Zero();
      if (body.parent >= 0) {
        parent_axes = axes_[static_cast<std::size_t>(body.parent)];
        parent_com = mechanism.bodies[static_cast<std::size_t>(body.parent)].com;
      }
      const btQuaternion turn = quaternion_of(axes_[b].transpose() * body.origin.R.transpose() * parent_axes);
      const btVector3 to_pivot = vector_of(parent_axes.transpose() * (body.origin.p - parent_com));
      const btVector3 to_com = vector_of(axes_[b].transpose() * body.com);
      const btVector3 axis = vector_of(axes_[b].transpose() * body.axis);
      const btVector3 inertia = vector_of(principal(body).moments);
      if (body.joint == JointKind::revolute)
        body_->setupRevolute(i, body.mass, inertia, body.parent - base_, turn, axis, to_pivot, to_com, true);
      else
        body_->setupPrismatic(i, body.mass, inertia, body.parent - base_, turn, axis, to_pivot, to_com, true);
    }
    body_->finalizeMultiDof();
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
  }

 protected:
  /// Positions and velocities; returns the base, for what else it is given.
  MaybeFloating set_motion(const State& state) {
    MaybeFloating base = base_of(state);
    set_positions(state, base);
    set_velocities(state, base);
    return base;
  }
  MaybeFloating base_of(const State& state) const { return floating_state(base_ == 1, layout_, state); }

  void set_positions(const State& state, const MaybeFloating& base) {
    if (base) {
      body_->setBasePos(vector_of(base->x + base->R * com_[0]));
      body_->setWorldToBaseRot(quaternion_of((base->R * axes_[0]).transpose()));
    }
    for (int i = 0; i < links_; ++i) body_->setJointPos(i, state.q[7 * base_ + i]);
  }
  void set_velocities(const State& state, const MaybeFloating& base) {
    if (base) {
      body_->setBaseVel(vector_of(base->linear()));
      body_->setBaseOmega(vector_of(base->angular()));
    }
    for (int i = 0; i < links_; ++i) body_->setJointVel(i, state.v[6 * base_ + i]);
  }

  int base_, links_, nv_;  ///< `base_`: 1 or 0 of the bodies
  std::unique_ptr<btMultiBody> body_;
  // Bullet's link frames stand in the centre of mass along the principal axes; velocities are those of it.
  std::vector<Matrix3d> axes_;
  std::vector<Vector3d> com_;
  BaseLayout layout_{true, true, true};
  btAlignedObjectArray<btScalar> scalars_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

class BulletForwardDynamics : public Bullet {
 public:
  explicit BulletForwardDynamics(const Mechanism& mechanism)
      : Bullet(mechanism), weight_(vector_of(mechanism.bodies[0].mass * mechanism.gravity)) {
    // World axes, at the centre of mass: set once and never cleared.
    for (int i = 0; i < links_; ++i)
      body_->addLinkForce(i, vector_of(mechanism.bodies[static_cast<std::size_t>(i + base_)].mass * mechanism.gravity));
  }

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    if (base) {
      // There is no setter: take back what was added before.
      body_->addBaseForce(-body_->getBaseForce());
      body_->addBaseForce(weight_ + vector_of(base->force()));
      body_->addBaseTorque(-body_->getBaseTorque());
      body_->addBaseTorque(vector_of(base->moment()));
    }
    for (int i = 0; i < links_; ++i) body_->getLink(i).m_jointTorque[0] = state.given[6 * base_ + i];
    // A step of zero: accelerations, but no new velocities.
    body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, scalars_, vectors_, matrices_, false, false, false);
  }

  void read(const State& state, double* a) override {
    const double* output = &scalars_[links_];  // base, then joints; joint forces of its own stand before
    if (base_)
      base_of(state)->write_accelerations({output[3], output[4], output[5]}, {output[0], output[1], output[2]}, a);
    std::copy_n(output + 6, links_, a + 6 * base_);
  }

 private:
  btVector3 weight_;
};

/// Of what links' frames are found by.
class BulletFrames : public Bullet {
 public:
  using Bullet::Bullet;

 protected:
  void find_frames() { body_->forwardKinematics(world_to_local_, origins_); }

  std::size_t count() const { return com_.size(); }
  /// Bullet's number of a body: its base is the first, which of a fixed mechanism none of ours is.
  int own(std::size_t body) const { return static_cast<int>(body) + 1 - base_; }
  Matrix3d principal_to_world(std::size_t body) const { return eigen_of(world_to_local_[own(body)]).transpose(); }
  Matrix3d to_world(std::size_t body) const { return principal_to_world(body) * axes_[body].transpose(); }

  btAlignedObjectArray<btQuaternion> world_to_local_;
  btAlignedObjectArray<btVector3> origins_;
};

class BulletKinematics : public BulletFrames {
 public:
  explicit BulletKinematics(const Mechanism& mechanism) : BulletFrames(mechanism) {
    angular_.resize(links_ + 1);
    linear_.resize(links_ + 1);
  }

  void compute(const State& state) override {
    set_motion(state);
    find_frames();
    body_->compTreeLinkVelocities(&angular_[0], &linear_[0]);
  }

  void read(const State&, double* result) override {
    for (std::size_t b = 0; b < count(); ++b) {
      const Matrix3d R = to_world(b);
      const Vector3d arm = R * com_[b], angular = principal_to_world(b) * eigen_of(angular_[own(b)]);
      write_link(b, count(), R, eigen_of(origins_[own(b)]) - arm, angular,
                 principal_to_world(b) * eigen_of(linear_[own(b)]) - angular.cross(arm), result);
    }
  }

 private:
  btAlignedObjectArray<btVector3> angular_, linear_;  ///< in links' axes
};

class BulletJacobians : public BulletFrames {
 public:
  explicit BulletJacobians(const Mechanism& mechanism)
      : BulletFrames(mechanism), rows_(Rows::Zero(6 * static_cast<Eigen::Index>(count()), 6 + links_)) {}

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    find_frames();
    for (std::size_t b = 0; b < count(); ++b)
      for (int k = 0; k < 6; ++k) {
        btVector3 angular(0, 0, 0), linear(0, 0, 0);
        (k < 3 ? angular : linear)[k % 3] = 1;
        body_->fillConstraintJacobianMultiDof(own(b) - 1, origins_[own(b)], angular, linear,
                                              rows_.row(static_cast<Eigen::Index>(6 * b) + k).data(), scalars_,
                                              vectors_, matrices_);
      }
  }

  /// Rows of Bullet's are those of centres of mass, columns those of a base even where it is fixed.
  void read(const State& state, double* result) override {
    Eigen::Map<Eigen::MatrixXd> all(result, rows_.rows(), nv_);
    all = rows_.rightCols(nv_);
    for (std::size_t b = 0; b < count(); ++b) {
      const Vector3d arm = to_world(b) * com_[b];
      for (Eigen::Index column = 0; column < nv_; ++column) {
        auto part = all.block<6, 1>(static_cast<Eigen::Index>(6 * b), column);
        part.tail<3>() -= Vector3d(part.head<3>()).cross(arm);
      }
    }
    if (base_) base_of(state)->columns_to_own(result, rows_.rows(), nv_);
  }

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows rows_;
};

std::string version() {
  return std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
}

// Its BulletInverseDynamics has both, but Debian's packages have that library without its headers.
constexpr const char* no_headers =
    "btMultiBody has none, and Debian has BulletInverseDynamics without the header of its MultiBodyTree";

const Registration registration(
    {"Bullet",
     version(),
     "libbullet-dev",
     1e-8,
     {{Function::forward_dynamics,
       offer<BulletForwardDynamics>("btMultiBody::computeAccelerationsArticulatedBodyAlgorithmMultiDof")},
      {Function::inverse_dynamics, lacks(no_headers)},
      {Function::mass_matrix, lacks(no_headers)},
      {Function::kinematics,
       offer<BulletKinematics>("btMultiBody::forwardKinematics, compTreeLinkVelocities (in links' principal axes)")},
      {Function::jacobians,
       offer<BulletJacobians>("btMultiBody::forwardKinematics, fillConstraintJacobianMultiDof per row")}}});

}  // namespace
}  // namespace kinetree::peers
