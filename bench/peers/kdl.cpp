// KDL's Vereshchagin solver, serial chains only.
#include <kdl/config.h>

#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <stdexcept>

#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

KDL::Vector vector_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
KDL::Rotation rotation_of(const Eigen::Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

KDL::Chain chain_of(const Mechanism& mechanism) {
  if (!mechanism.serial() || mechanism.floating()) throw std::runtime_error("it solves fixed serial chains only");
  KDL::Chain chain;
  for (const Body& body : mechanism.bodies) {
    // A segment: first the joint, placed in the tip of the segment before, then the segment's own tip; here both stand
    // in kinetree's body frame.
    const KDL::Vector axis = vector_of(body.origin.R * body.axis), origin = vector_of(body.origin.p);
    const KDL::Joint joint(body.name, origin, axis,
                           body.joint == JointKind::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
    const Eigen::Matrix3d& I = body.inertia;
    const KDL::RotationalInertia inertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    chain.addSegment(KDL::Segment(body.name, joint, KDL::Frame(rotation_of(body.origin.R), origin),
                                  KDL::RigidBodyInertia(body.mass, vector_of(body.com), inertia)));
  }
  return chain;
}

/// Its end is free.
constexpr unsigned constraints = 0;

class Kdl : public Peer {
 public:
  explicit Kdl(const Mechanism& mechanism)
      : chain_(chain_of(mechanism)),
        solver_(chain_, KDL::Twist(vector_of(-mechanism.gravity), KDL::Vector::Zero()), constraints),
        n_(chain_.getNrOfJoints()),
        q_(n_),
        v_(n_),
        tau_(n_),
        a_(n_),
        constraint_tau_(n_),
        alpha_(constraints),
        beta_(constraints),
        wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()) {
    KDL::SetToZero(alpha_);
    KDL::SetToZero(beta_);
  }

  void solve(const double* q, const double* v, const double* tau, double* a) override {
    std::copy_n(q, n_, q_.data.data());
    std::copy_n(v, n_, v_.data.data());
    std::copy_n(tau, n_, tau_.data.data());
    solver_.CartToJnt(q_, v_, a_, alpha_, beta_, wrenches_, tau_, constraint_tau_);
    std::copy_n(a_.data.data(), n_, a);
  }

 private:
  KDL::Chain chain_;
  KDL::ChainHdSolver_Vereshchagin solver_;  // keeps a reference to chain_
  unsigned n_;
  KDL::JntArray q_, v_, tau_, a_, constraint_tau_;
  KDL::Jacobian alpha_;
  KDL::JntArray beta_;
  KDL::Wrenches wrenches_;
};

const Registration registration({"KDL", KDL_VERSION_STRING, "liborocos-kdl-dev",
                                 "ChainHdSolver_Vereshchagin::CartToJnt", 1e-8,
                                 [](const Mechanism& m) -> std::unique_ptr<Peer> { return std::make_unique<Kdl>(m); }});

}  // namespace
}  // namespace kinetree::peers
