// Simbody's matter subsystem; operators that leave out constraints and force elements.
#include <Simbody.h>

#include "bench/peers/floating_base.hpp"
#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

using SimTK::Vec3;

Vec3 vector_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
SimTK::Rotation rotation_of(const Eigen::Matrix3d& R) {
  return SimTK::Rotation(SimTK::Mat33(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
                         true);
}

Vector3d eigen_of(const Vec3& x) { return {x[0], x[1], x[2]}; }

/// Of the free joint: both in ground axes.
const BaseLayout layout{true, true, true};

class Simbody : public Peer {
 public:
  explicit Simbody(const Mechanism& mechanism) : matter_(system_), floating_(mechanism.floating()), nv_(mechanism.nv) {
    for (const Body& body : mechanism.bodies) {
      const Vec3 com = vector_of(body.com);
      const Eigen::Matrix3d& I = body.inertia;
      const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
      const SimTK::Body::Rigid rigid(
          SimTK::MassProperties(body.mass, com, central.shiftFromMassCenter(com, body.mass)));
      SimTK::MobilizedBody parent =
          body.parent < 0 ? SimTK::MobilizedBody(matter_.updGround()) : bodies_[static_cast<std::size_t>(body.parent)];
      bodies_.push_back(add(parent, body, rigid));
      com_.push_back(com);
      weight_.push_back(vector_of(body.mass * mechanism.gravity));
    }
    state_ = system_.realizeTopology();
    for (const SimTK::MobilizedBody& body : bodies_) {
      q_index_.push_back(body.getFirstQIndex(state_));
      u_index_.push_back(body.getFirstUIndex(state_));
    }
    mobility_.resize(matter_.getNumMobilities());
    body_forces_.resize(matter_.getNumBodies());
  }

 protected:
  /// Positions and velocities; returns the base, for what else it is given.
  MaybeFloating set_motion(const State& state) {
    const MaybeFloating base = base_of(state);
    set_positions(state, base);
    set_velocities(state, base);
    return base;
  }
  MaybeFloating base_of(const State& state) const { return floating_state(floating_, layout, state); }
  std::size_t first() const { return floating_ ? 1 : 0; }

  /// A floating base's positions are a quaternion and a point.
  void set_positions(const State& state, const MaybeFloating& base) {
    SimTK::Vector& q = state_.updQ();
    if (base) {
      const int k = q_index_[0];
      q[k] = base->orientation.w();
      for (int i = 0; i < 3; ++i) q[k + 1 + i] = base->orientation.vec()[i], q[k + 4 + i] = base->x[i];
    }
    for (std::size_t b = first(); b < bodies_.size(); ++b) q[q_index_[b]] = state.q[b + 6 * first()];
  }
  void set_velocities(const State& state, const MaybeFloating& base) {
    SimTK::Vector& u = state_.updU();
    if (base) set_base(u, base->angular(), base->linear());
    set_joints(u, state.v);
  }
  void set_base(SimTK::Vector& all, const Vector3d& angular, const Vector3d& linear) const {
    for (int i = 0; i < 3; ++i) all[u_index_[0] + i] = angular[i], all[u_index_[0] + 3 + i] = linear[i];
  }
  void set_joints(SimTK::Vector& all, const double* own) const {
    for (std::size_t b = first(); b < bodies_.size(); ++b) all[u_index_[b]] = own[b + 5 * first()];
  }
  /// Spatial forces about the bodies' origins, in ground axes.
  void set_weights() {
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      body_forces_[bodies_[b].getMobilizedBodyIndex()] =
          SimTK::SpatialVec(bodies_[b].getBodyRotation(state_) * com_[b] % weight_[b], weight_[b]);
  }
  /// kinetree's number of each of Simbody's velocities, whose base has its own order.
  Eigen::Index own_index(std::size_t body, int k) const {
    return static_cast<Eigen::Index>(body == 0 ? 0 : body + 5 * first()) + k;
  }
  template <class Use>
  void each_velocity(const Use& use) const {
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      for (int k = 0; k < bodies_[b].getNumU(state_); ++k) use(u_index_[b] + k, own_index(b, k));
  }

 private:
  static SimTK::MobilizedBody add(SimTK::MobilizedBody& parent, const Body& body, const SimTK::Body& rigid) {
    const SimTK::Transform origin(rotation_of(body.origin.R), vector_of(body.origin.p));
    if (body.joint == JointKind::floating) return SimTK::MobilizedBody::Free(parent, origin, rigid, SimTK::Transform());
    // A pin turns about z, a slider moves along x, of frames fixed on both bodies.
    const bool pin = body.joint == JointKind::revolute;
    const SimTK::Transform turn(
        SimTK::Rotation(SimTK::UnitVec3(vector_of(body.axis)), SimTK::CoordinateAxis(pin ? 2 : 0)));
    if (pin) return SimTK::MobilizedBody::Pin(parent, origin * turn, rigid, turn);
    return SimTK::MobilizedBody::Slider(parent, origin * turn, rigid, turn);
  }

 protected:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  bool floating_;
  int nv_;
  SimTK::State state_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<Vec3> com_, weight_;
  std::vector<int> q_index_, u_index_;
  SimTK::Vector mobility_, result_;  ///< what is given, and what comes, per velocity
  SimTK::Vector_<SimTK::SpatialVec> body_forces_;
};

class SimbodyForwardDynamics : public Simbody {
 public:
  using Simbody::Simbody;

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    if (base) set_base(mobility_, base->moment(), base->force());
    set_joints(mobility_, state.given);
    system_.realize(state_, SimTK::Stage::Dynamics);
    set_weights();
    matter_.calcAccelerationIgnoringConstraints(state_, mobility_, body_forces_, result_, body_accelerations_);
  }

  void read(const State& state, double* a) override {
    each_velocity([&](int u, Eigen::Index own) { a[own] = result_[u]; });
    if (floating_) {
      const Vector3d angular(a[0], a[1], a[2]), linear(a[3], a[4], a[5]);
      base_of(state)->write_accelerations(linear, angular, a);
    }
  }

 private:
  SimTK::Vector_<SimTK::SpatialVec> body_accelerations_;
};

class SimbodyInverseDynamics : public Simbody {
 public:
  using Simbody::Simbody;

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    if (base) set_base(mobility_, base->angular_acceleration(), base->linear_acceleration());
    set_joints(mobility_, state.given);
    system_.realize(state_, SimTK::Stage::Velocity);
    set_weights();
    matter_.calcResidualForceIgnoringConstraints(state_, no_forces_, body_forces_, mobility_, result_);
  }

  void read(const State& state, double* tau) override {
    each_velocity([&](int u, Eigen::Index own) { tau[own] = result_[u]; });
    if (floating_) base_of(state)->rows_to_own(tau, nv_, 1);
  }

 private:
  const SimTK::Vector no_forces_;
};

class SimbodyMassMatrix : public Simbody {
 public:
  using Simbody::Simbody;

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcM(state_, matrix_);
  }

  void read(const State& state, double* matrix) override {
    Eigen::Map<Eigen::MatrixXd> M(matrix, nv_, nv_);
    each_velocity([&](int row, Eigen::Index own_row) {
      each_velocity([&](int column, Eigen::Index own_column) { M(own_row, own_column) = matrix_(row, column); });
    });
    if (floating_) base_of(state)->both_to_own(matrix, nv_);
  }

 private:
  SimTK::Matrix matrix_;
};

class SimbodyKinematics : public Simbody {
 public:
  using Simbody::Simbody;

  void compute(const State& state) override {
    set_motion(state);
    system_.realize(state_, SimTK::Stage::Velocity);
  }

  void read(const State&, double* result) override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const SimTK::Transform& pose = bodies_[b].getBodyTransform(state_);
      const SimTK::SpatialVec& velocity = bodies_[b].getBodyVelocity(state_);
      Matrix3d R;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) R(row, column) = pose.R().asMat33()(row, column);
      write_link(b, bodies_.size(), R, eigen_of(pose.p()), eigen_of(velocity[0]), eigen_of(velocity[1]), result);
    }
  }
};

class SimbodyJacobians : public Simbody {
 public:
  using Simbody::Simbody;

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcSystemJacobian(state_, jacobian_);
  }

  void read(const State& state, double* result) override {
    const auto links = static_cast<Eigen::Index>(bodies_.size());
    Eigen::Map<Eigen::MatrixXd> all(result, 6 * links, nv_);
    each_velocity([&](int u, Eigen::Index own) {
      for (Eigen::Index b = 0; b < links; ++b) {
        const SimTK::SpatialVec& column = jacobian_(bodies_[static_cast<std::size_t>(b)].getMobilizedBodyIndex(), u);
        all.block<6, 1>(6 * b, own) << eigen_of(column[0]), eigen_of(column[1]);
      }
    });
    if (floating_) base_of(state)->columns_to_own(result, 6 * links, nv_);
  }

 private:
  SimTK::Matrix_<SimTK::SpatialVec> jacobian_;
};

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

const Registration registration(
    {"Simbody",
     version(),
     "libsimbody-dev",
     1e-8,
     {{Function::forward_dynamics,
       offer<SimbodyForwardDynamics>("SimbodyMatterSubsystem::calcAccelerationIgnoringConstraints")},
      {Function::inverse_dynamics,
       offer<SimbodyInverseDynamics>("SimbodyMatterSubsystem::calcResidualForceIgnoringConstraints")},
      {Function::mass_matrix, offer<SimbodyMassMatrix>("SimbodyMatterSubsystem::calcM")},
      {Function::kinematics,
       offer<SimbodyKinematics>("System::realize(Stage::Velocity), for getBodyTransform and getBodyVelocity")},
      {Function::jacobians, offer<SimbodyJacobians>("SimbodyMatterSubsystem::calcSystemJacobian")}}});

}  // namespace
}  // namespace kinetree::peers
