#pragma once
// A mechanism in libmujoco, which none of us wrote: its answers in our order and our coordinates.

#include <mujoco/mujoco.h>

#include <kinetree/kinetree.hpp>
#include <memory>
#include <string>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {

/// A description with each joint's type changed to one that MuJoCo has, by turns; a floating base on the ground only,
/// and there without a placement.
Description told_in_their_words(const std::string& family, bool floating);

/// Its velocities of a floating base are in other axes than ours: theirs = T ours, T linear in the base's orientation.
/// Every matrix and vector below is in our coordinates.
class MujocoMechanism {
 public:
  /// Throws std::runtime_error with MuJoCo's words where it can't read the description.
  MujocoMechanism(const Description& description, const Model& model);

  /// Positions, velocities and joint forces to be read by all that follows.
  void set(const TestState& state);

  Eigen::VectorXd forward_dynamics();
  /// Joint forces of accelerations `a`.
  Eigen::VectorXd inverse_dynamics(const Eigen::VectorXd& a);
  Eigen::MatrixXd mass_matrix();
  Energy energy();

  /// Of a link by name, in world axes; velocity and acceleration (of `a`) angular part first, the linear part that of
  /// the link's origin.
  struct Motion {
    Eigen::Matrix<double, 3, 4> pose;
    Eigen::Matrix<double, 6, 1> velocity, acceleration;
  };
  Motion motion(const std::string& link, const Eigen::VectorXd& a);
  /// Of a point of a link, `offset` from its origin in its axes; world axes, angular rows first.
  Eigen::MatrixXd jacobian(const std::string& link, const Eigen::Vector3d& offset);
  /// Centre of mass, its velocity, momentum about it (angular, linear): world axes.
  Eigen::Matrix<double, 12, 1> momentum();

 private:
  struct Place {
    JointType type;
    int q, v, their_q, their_v, freedoms;
  };
  Place place(int body) const;
  int link_index(const std::string& link) const;
  /// Accelerations of ours in theirs, into `qacc`.
  void set_accelerations(const Eigen::VectorXd& a);

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  const Model* model_;
  std::unique_ptr<mjModel, Delete> theirs_;
  std::unique_ptr<mjData, Delete> data_;
  TestState state_;
  Eigen::MatrixXd T_;
};

}  // namespace kinetree::oracle
