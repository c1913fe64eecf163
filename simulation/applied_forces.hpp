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

  /// From now on this function gives the forces; it must outlive its use.
  void come_from(const boundary::ForceFunction& function);
  /// Whether a function gives forces; without one all of them are zero.
  bool act() const { return function_.call != nullptr; }
  /// The function may give other numbers from now on.
  void may_differ() { ++function_count_; }
  /// Grows with every function, or where one may differ.
  long function_count() const { return function_count_; }

  /// Status: wrong_size where the function leaves tau or f_ext with another size.
  Status evaluate(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  const Numbers& now() const { return now_; }
  /// Under the forces that were evaluated last; under none.
  Status accelerate(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a);
  Status accelerate_without(ForwardDynamics& dynamics, const Eigen::Ref<const Eigen::VectorXd>& q,
                            const Eigen::Ref<const Eigen::VectorXd>& v, Eigen::VectorXd& a);
  /// W, of those that were evaluated last, in motion v.
  double power(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

 private:
  void set_zero();

  Model model_;
  boundary::ForceFunction function_;
  long function_count_ = 0;
  Numbers now_;
  std::vector<int> links_;  ///< over bodies: the body's own link
  Workspace workspace_;
  Eigen::VectorXd poses_, velocities_;  ///< of the bodies' own links
};

}  // namespace kinetree::inline inner
