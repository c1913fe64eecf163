// KDL's solvers of serial chains.
#include <kdl/config.h>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolvervel_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <stdexcept>

#include "bench/peers/floating_base.hpp"
#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

KDL::Vector vector_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
KDL::Rotation rotation_of(const Eigen::Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

KDL::Chain chain_of(const Mechanism& mechanism) {
  if (!mechanism.serial() || mechanism.floating())
    throw std::runtime_error("its solvers of chains take fixed serial chains only");
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

Vector3d eigen_of(const KDL::Vector& x) { return {x[0], x[1], x[2]}; }
Matrix3d eigen_of(const KDL::Rotation& R) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.data);
}

class Kdl : public Peer {
 public:
  explicit Kdl(const Mechanism& mechanism)
      : chain_(chain_of(mechanism)), n_(chain_.getNrOfJoints()), q_(n_), v_(n_), given_(n_), result_(n_) {}

 protected:
  void set(KDL::JntArray& all, const double* own) const { std::copy_n(own, n_, all.data.data()); }

  KDL::Chain chain_;  // solvers keep references to it
  unsigned n_;
  KDL::JntArray q_, v_, given_, result_;
};

/// Its end is free.
constexpr unsigned constraints = 0;

class KdlForwardDynamics : public Kdl {
 public:
  explicit KdlForwardDynamics(const Mechanism& mechanism)
      : Kdl(mechanism),
        solver_(chain_, KDL::Twist(vector_of(-mechanism.gravity), KDL::Vector::Zero()), constraints),
        constraint_tau_(n_),
        alpha_(constraints),
        beta_(constraints),
        wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()) {
    KDL::SetToZero(alpha_);
    KDL::SetToZero(beta_);
  }

  void compute(const State& state) override {
    set(q_, state.q);
    set(v_, state.v);
    set(given_, state.given);
    solver_.CartToJnt(q_, v_, result_, alpha_, beta_, wrenches_, given_, constraint_tau_);
  }

  void read(const State&, double* a) override { std::copy_n(result_.data.data(), n_, a); }

 private:
  KDL::ChainHdSolver_Vereshchagin solver_;
  KDL::JntArray constraint_tau_;
  KDL::Jacobian alpha_;
  KDL::JntArray beta_;
  KDL::Wrenches wrenches_;
};

class KdlInverseDynamics : public Kdl {
 public:
  explicit KdlInverseDynamics(const Mechanism& mechanism)
      : Kdl(mechanism),
        solver_(chain_, vector_of(mechanism.gravity)),
        wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()) {}

  void compute(const State& state) override {
    set(q_, state.q);
    set(v_, state.v);
    set(given_, state.given);
    solver_.CartToJnt(q_, v_, given_, wrenches_, result_);
  }

  void read(const State&, double* tau) override { std::copy_n(result_.data.data(), n_, tau); }

 private:
  KDL::ChainIdSolver_RNE solver_;
  KDL::Wrenches wrenches_;
};

class KdlMassMatrix : public Kdl {
 public:
  explicit KdlMassMatrix(const Mechanism& mechanism)
      : Kdl(mechanism), solver_(chain_, vector_of(mechanism.gravity)), matrix_(static_cast<int>(n_)) {}

  void compute(const State& state) override {
    set(q_, state.q);
    solver_.JntToMass(q_, matrix_);
  }

  void read(const State&, double* matrix) override { std::copy_n(matrix_.data.data(), matrix_.data.size(), matrix); }

 private:
  KDL::ChainDynParam solver_;
  KDL::JntSpaceInertiaMatrix matrix_;
};

class KdlKinematics : public Kdl {
 public:
  explicit KdlKinematics(const Mechanism& mechanism) : Kdl(mechanism), solver_(chain_), joints_(n_), links_(n_) {}

  void compute(const State& state) override {
    set(joints_.q, state.q);
    set(joints_.qdot, state.v);
    solver_.JntToCart(joints_, links_);
  }

  void read(const State&, double* result) override {
    for (std::size_t b = 0; b < links_.size(); ++b) {
      const KDL::FrameVel& link = links_[b];
      write_link(b, links_.size(), eigen_of(link.M.R), eigen_of(link.p.p), eigen_of(link.M.w), eigen_of(link.p.v),
                 result);
    }
  }

 private:
  KDL::ChainFkSolverVel_recursive solver_;
  KDL::JntArrayVel joints_;
  std::vector<KDL::FrameVel> links_;
};

class KdlJacobians : public Kdl {
 public:
  explicit KdlJacobians(const Mechanism& mechanism)
      : Kdl(mechanism), solver_(chain_), jacobians_(n_, KDL::Jacobian(n_)) {}

  void compute(const State& state) override {
    set(q_, state.q);
    for (unsigned b = 0; b < n_; ++b) solver_.JntToJac(q_, jacobians_[b], static_cast<int>(b + 1));
  }

  void read(const State&, double* result) override {
    Eigen::Map<Eigen::MatrixXd> all(result, 6 * n_, n_);
    for (unsigned b = 0; b < n_; ++b) {
      all.middleRows<3>(6 * b) = jacobians_[b].data.bottomRows<3>();
      all.middleRows<3>(6 * b + 3) = jacobians_[b].data.topRows<3>();
    }
  }

 private:
  KDL::ChainJntToJacSolver solver_;
  std::vector<KDL::Jacobian> jacobians_;
};

const Registration registration(
    {"KDL",
     KDL_VERSION_STRING,
     "liborocos-kdl-dev",
     1e-8,
     {{Function::forward_dynamics, offer<KdlForwardDynamics>("ChainHdSolver_Vereshchagin::CartToJnt")},
      {Function::inverse_dynamics, offer<KdlInverseDynamics>("ChainIdSolver_RNE::CartToJnt")},
      {Function::mass_matrix, offer<KdlMassMatrix>("ChainDynParam::JntToMass")},
      {Function::kinematics, offer<KdlKinematics>("ChainFkSolverVel_recursive::JntToCart, all segments in a call")},
      {Function::jacobians, offer<KdlJacobians>("ChainJntToJacSolver::JntToJac, a call per segment")}}});

}  // namespace
}  // namespace kinetree::peers
