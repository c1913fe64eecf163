#pragma once
// The motion within a step, known at its two ends: positions by cubics that have both ends' velocities.

#include <Eigen/Core>

#include "simulation/stepper.hpp"

namespace kinetree::inline inner {

class StepPath {
 public:
  void begin(const Stepper& stepper);
  void end(const Stepper& stepper);

  /// The state at a share of the step, 0 to 1: q(), v(), time(). Of a free fall exact, else of third order.
  void look(double share);
  double time() const { return start_ + share_ * length_; }
  double start() const { return start_; }
  double length() const { return length_; }
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }

 private:
  const ModelData* m_ = nullptr;
  double start_ = 0, length_ = 0, share_ = 0;
  Eigen::VectorXd q0_, v0_, v1_, way_, part_;  ///< way_: from q0 to the end, in the terms of v
  Eigen::VectorXd q_, v_;
};

}  // namespace kinetree::inline inner
