// MuJoCo's smooth dynamics: composite bodies and a sparse factorization, no contacts, no constraints, no actuators.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bench/peers/floating_base.hpp"
#include "bench/peers/mujoco_model.hpp"
#include "bench/peers/peer.hpp"

namespace kinetree::peers {
namespace {

/// Of a free joint: the origin's velocity in world axes, the angular one in the body's.
const BaseLayout layout{false, true, false};

class Mujoco : public Peer {
 public:
  explicit Mujoco(const Mechanism& mechanism) : floating_(mechanism.floating()) {
    model_.reset(mujoco_model(mechanism));
    data_.reset(mj_makeData(model_.get()));
    if (model_->nv != mechanism.nv || model_->nq != mechanism.nq || links() != mechanism.bodies.size())
      throw std::runtime_error("it read other joints");
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
  std::size_t links() const { return static_cast<std::size_t>(model_->njnt); }
  /// The body of a link: its joint's.
  int body(std::size_t link) const { return model_->jnt_bodyid[link]; }

  void set_positions(const State& state, const MaybeFloating& base) {
    std::copy_n(state.q, model_->nq, data_->qpos);
    if (!base) return;
    data_->qpos[3] = base->orientation.w();
    for (int k = 0; k < 3; ++k) data_->qpos[4 + k] = base->orientation.vec()[k];
  }
  void set_velocities(const State& state, const MaybeFloating& base) {
    set(data_->qvel, state.v);
    if (base) set_base(data_->qvel, base->linear(), base->angular());
  }
  void set(double* all, const double* own) const { std::copy_n(own, model_->nv, all); }
  static void set_base(double* all, const Vector3d& linear, const Vector3d& angular) {
    for (int k = 0; k < 3; ++k) all[k] = linear[k], all[3 + k] = angular[k];
  }

  /// What of mj_fwdPosition and mj_fwdVelocity comes first, without contacts, constraints and actuators.
  void position_pass() {
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
  }

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  bool floating_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

class MujocoForwardDynamics : public Mujoco {
 public:
  explicit MujocoForwardDynamics(const Mechanism& mechanism)
      : Mujoco(mechanism), right_hand_side_(static_cast<std::size_t>(mechanism.nv)) {}

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    double* right = right_hand_side_.data();
    set(right, state.given);
    if (base) set_base(right, base->force(), base->moment());
    position_pass();
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, data_->qfrc_bias);
    for (int i = 0; i < model_->nv; ++i) right[i] -= data_->qfrc_bias[i];
    mj_solveM(model_.get(), data_.get(), data_->qacc, right, 1);
  }

  void read(const State& state, double* a) override {
    std::copy_n(data_->qacc, model_->nv, a);
    if (floating_) base_of(state)->write_accelerations({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, a);
  }

 private:
  std::vector<double> right_hand_side_;
};

class MujocoInverseDynamics : public Mujoco {
 public:
  using Mujoco::Mujoco;

  void compute(const State& state) override {
    const MaybeFloating base = set_motion(state);
    set(data_->qacc, state.given);
    if (base) set_base(data_->qacc, base->linear_acceleration(), base->angular_acceleration());
    position_pass();
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, data_->qfrc_inverse);
  }

  void read(const State& state, double* tau) override {
    std::copy_n(data_->qfrc_inverse, model_->nv, tau);
    if (floating_) base_of(state)->rows_to_own(tau, model_->nv, 1);
  }
};

class MujocoMassMatrix : public Mujoco {
 public:
  explicit MujocoMassMatrix(const Mechanism& mechanism)
      : Mujoco(mechanism), matrix_(static_cast<std::size_t>(mechanism.nv * mechanism.nv)) {}

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    position_pass();
    mj_crb(model_.get(), data_.get());
    mj_fullM(model_.get(), matrix_.data(), data_->qM);
  }

  void read(const State& state, double* matrix) override {
    std::copy(matrix_.begin(), matrix_.end(), matrix);
    if (floating_) base_of(state)->both_to_own(matrix, model_->nv);
  }

 private:
  std::vector<double> matrix_;
};

class MujocoKinematics : public Mujoco {
 public:
  using Mujoco::Mujoco;

  void compute(const State& state) override {
    set_motion(state);
    position_pass();
    mj_comVel(model_.get(), data_.get());
  }

  void read(const State&, double* result) override {
    for (std::size_t b = 0; b < links(); ++b) {
      const Vector3d p = vector_at(data_->xpos, body(b), 3);
      const Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9 * body(b));
      // Of the point that is now in the tree's centre of mass.
      const Vector3d centre = vector_at(data_->subtree_com, model_->body_rootid[body(b)], 3);
      const Vector3d angular = vector_at(data_->cvel, body(b), 6), linear = vector_at(data_->cvel + 3, body(b), 6);
      write_link(b, links(), R, p, angular, linear + angular.cross(p - centre), result);
    }
  }

 private:
  static Vector3d vector_at(const double* all, int index, int stride) {
    return Vector3d(all[index * stride], all[index * stride + 1], all[index * stride + 2]);
  }
};

class MujocoJacobians : public Mujoco {
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

 public:
  explicit MujocoJacobians(const Mechanism& mechanism)
      : Mujoco(mechanism), angular_(links(), Rows(3, mechanism.nv)), linear_(angular_) {}

  void compute(const State& state) override {
    set_positions(state, base_of(state));
    position_pass();
    for (std::size_t b = 0; b < links(); ++b)
      mj_jacBody(model_.get(), data_.get(), linear_[b].data(), angular_[b].data(), body(b));
  }

  void read(const State& state, double* result) override {
    const auto rows = static_cast<Eigen::Index>(6 * links());
    Eigen::Map<Eigen::MatrixXd> all(result, rows, model_->nv);
    for (std::size_t b = 0; b < links(); ++b)
      all.middleRows<6>(static_cast<Eigen::Index>(6 * b)) << angular_[b], linear_[b];
    if (floating_) base_of(state)->columns_to_own(result, rows, model_->nv);
  }

 private:
  std::vector<Rows> angular_, linear_;
};

// Its kinematics normalizes what it reads and its compiler diagonalizes inertias: hence the tolerance.
const Registration registration(
    {"MuJoCo",
     mj_versionString(),
     "libmujoco-dev",
     1e-5,
     {{Function::forward_dynamics,
       offer<MujocoForwardDynamics>("mj_kinematics, comPos, crb, factorM, comVel, rne, solveM")},
      {Function::inverse_dynamics, offer<MujocoInverseDynamics>("mj_kinematics, comPos, comVel, rne")},
      {Function::mass_matrix, offer<MujocoMassMatrix>("mj_kinematics, comPos, crb, fullM")},
      {Function::kinematics, offer<MujocoKinematics>("mj_kinematics, comPos, comVel (of the tree's centre of mass)")},
      {Function::jacobians, offer<MujocoJacobians>("mj_kinematics, comPos, and jacBody per link")}}});

}  // namespace
}  // namespace kinetree::peers
