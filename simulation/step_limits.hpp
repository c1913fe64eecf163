#pragma once
// Which joint sets the steps of an integrator that keeps a tolerance.

#include <kinetree/model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <utility>
#include <vector>

namespace kinetree::inline inner {

/// A step's largest error over its tolerance, as Boost's controlled steppers have it, and the body whose joint has it.
/// `x`, `slope`, `error`: q, then v. `step`: s. Infinity where an error is no number.
std::pair<double, int> largest_error(const Model& model, const std::vector<double>& x, const std::vector<double>& slope,
                                     const std::vector<double>& error, double step, double tolerance);

/// Counts the steps that each joint has set.
class StepLimits {
 public:
  explicit StepLimits(const Model& model)
      : steps_(static_cast<std::size_t>(model.body_count()), 0), tau_(model.nv()), without_(tau_), with_(tau_) {}
  void clear() { steps_.assign(steps_.size(), 0); }
  void count(int body) {
    if (body >= 0) ++steps_[static_cast<std::size_t>(body)];
  }
  /// With the inertia that the joint meets in a state.
  StepLimit most(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

 private:
  std::vector<long> steps_;               ///< whose error was the largest in a body's joint
  Eigen::VectorXd tau_, without_, with_;  ///< a unit force, accelerations without it and with it
};

}  // namespace kinetree::inline inner
