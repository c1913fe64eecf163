// Simbody's matter subsystem; the operator that leaves out constraints and force elements.
#include <Simbody.h>

#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

using SimTK::Vec3;

Vec3 vector_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
SimTK::Rotation rotation_of(const Eigen::Matrix3d& R) {
  return SimTK::Rotation(SimTK::Mat33(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
                         true);
}

class Simbody : public Peer {
 public:
  explicit Simbody(const Mechanism& mechanism)
      : matter_(system_), base_(mechanism.base()), gravity_(vector_of(mechanism.gravity)) {
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
      weight_.push_back(body.mass * gravity_);
    }
    state_ = system_.realizeTopology();
    for (const SimTK::MobilizedBody& body : bodies_) {
      q_index_.push_back(body.getFirstQIndex(state_));
      u_index_.push_back(body.getFirstUIndex(state_));
    }
    forces_.resize(matter_.getNumMobilities());
    body_forces_.resize(matter_.getNumBodies());
  }

  void solve(const double* q, const double* v, const double* tau, double* a) override {
    SimTK::Vector& state_q = state_.updQ();
    SimTK::Vector& state_u = state_.updU();
    const double *q_joint = q + 7 * base_, *v_joint = v + 6 * base_, *tau_joint = tau + 6 * base_;
    if (base_) set_base(FloatingState(q, v, tau), state_q, state_u);
    const auto first = static_cast<std::size_t>(base_);
    for (std::size_t b = first; b < bodies_.size(); ++b) {
      state_q[q_index_[b]] = q_joint[b - first];
      state_u[u_index_[b]] = v_joint[b - first];
      forces_[u_index_[b]] = tau_joint[b - first];
    }
    system_.realize(state_, SimTK::Stage::Dynamics);
    // Spatial forces about the bodies' origins, in ground axes.
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      body_forces_[bodies_[b].getMobilizedBodyIndex()] =
          SimTK::SpatialVec(bodies_[b].getBodyRotation(state_) * com_[b] % weight_[b], weight_[b]);
    matter_.calcAccelerationIgnoringConstraints(state_, forces_, body_forces_, accelerations_, body_accelerations_);
    if (base_) {
      const FloatingState s(q, v, tau);
      const auto u = [&](int k) { return accelerations_[u_index_[0] + k]; };
      s.write({u(3), u(4), u(5)}, s.R.transpose() * Eigen::Vector3d(u(0), u(1), u(2)), a);
    }
    for (std::size_t b = first; b < bodies_.size(); ++b) a[6 * first + b - first] = accelerations_[u_index_[b]];
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

  /// Simbody's free joint: quaternion then point; angular then linear velocity, both in ground axes.
  void set_base(const FloatingState& s, SimTK::Vector& state_q, SimTK::Vector& state_u) {
    const int q = q_index_[0], u = u_index_[0];
    const Eigen::Vector3d omega = s.R * s.angular, velocity = s.R * s.linear, moment = s.R * s.moment,
                          force = s.R * s.force;
    state_q[q] = s.orientation.w();
    for (int k = 0; k < 3; ++k) {
      state_q[q + 1 + k] = s.orientation.vec()[k];
      state_q[q + 4 + k] = s.x[k];
      state_u[u + k] = omega[k];
      state_u[u + 3 + k] = velocity[k];
      forces_[u + k] = moment[k];
      forces_[u + 3 + k] = force[k];
    }
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  int base_;
  Vec3 gravity_;
  SimTK::State state_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<Vec3> com_, weight_;
  std::vector<int> q_index_, u_index_;
  SimTK::Vector forces_, accelerations_;
  SimTK::Vector_<SimTK::SpatialVec> body_forces_, body_accelerations_;
};

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

const Registration registration(
    {"Simbody", version(), "libsimbody-dev", "SimbodyMatterSubsystem::calcAccelerationIgnoringConstraints", 1e-8,
     [](const Mechanism& m) -> std::unique_ptr<Peer> { return std::make_unique<Simbody>(m); }});

}  // namespace
}  // namespace kinetree::peers
