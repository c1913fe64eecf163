#pragma once
// The forces that act on a simulated mechanism: those that the caller's function gives at a time and state, the
// accelerations under them, and their power.

#include <kinetree/forward_dynamics.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <vector>

namespace kinetree::inline inner {

class AppliedForces {
 public:
  /// Joint forces (nv) and forces on bodies, as ForwardDynamics takes them.
  struct Numbers {
    Eigen::VectorXd tau, f_ext;
    bool operator==(const Numbers&) const = default;
  };

  explicit AppliedForces(const Model& model);

  /// From now on this function gives the forces; it must outlive its use. With an empty function all forces are zero.
  void come_from(const boundary::ForceFunction& function, bool on_bodies);
  void leave_out();

  void evaluate(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  const Numbers& now() const { return now_; }
  Status accelerate(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  /// W, of those that were evaluated last, in motion v.
  double power(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

 private:
  void set_zero();

  Model model_;
  const boundary::ForceFunction* function_ = nullptr;
  bool on_bodies_ = false;  ///< whether it gives forces on bodies too
  Numbers now_;
  std::vector<int> links_;  ///< over bodies: the body's own link
  Workspace workspace_;
  Eigen::VectorXd still_;                               ///< accelerations of joints at rest
  Eigen::VectorXd poses_, velocities_, accelerations_;  ///< of the bodies' own links
};

}  // namespace kinetree::inline inner
