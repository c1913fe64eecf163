#pragma once
// All forces that act on a simulated mechanism: what a state holds, what holds a configuration, passive forces of
// joints and between points, drives over time.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <kinetree/point_forces.hpp>
#include <kinetree/simulation/drives.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/simulate/held_forces.hpp"
#include "engine/io/states.hpp"

namespace kinetree::bench {

class ActingForces {
 public:
  /// `slow`: rad/s, m/s, below which friction fades. Passive forces, of the model's joints and between its points, act
  /// where `passive` is true.
  ActingForces(const Model& model, bool passive, double slow);
  ActingForces(const ActingForces&) = delete;  // its functions are of this object
  ActingForces& operator=(const ActingForces&) = delete;

  /// Joint forces that are held, or given by a function; either's are there before the others are added.
  void hold(const Eigen::VectorXd& tau) { tau_ = tau; }
  void hold(const std::vector<LinkForce>& forces) {
    if (!forces.empty()) held_.emplace(model_, forces);
  }
  void act_by(Control control) { control_ = std::move(control); }
  void drive(const std::vector<DriveTable>& tables);

  /// One step of the integrator's own length, not past `until`, nor past a kink of a drive.
  Status step_towards(Simulation& simulation, double until);
  Status advance_to(Simulation& simulation, double time);
  /// What holds the mechanism together is asked of the simulation with these: f(function), a Control or Forces.
  template <class F>
  auto with(double time, const F& f) {
    (void)drives_.go_on_from(time);
    return on_bodies() ? f(forces_) : f(controls_);
  }
  /// The forces between points that act.
  const PointForces& between_points() const { return points_; }
  /// Why a step failed, in the words of the force between points that has no direction there, else of the status.
  std::string message(const Status& status) const;

 private:
  bool on_bodies() const { return held_ || points_.count() > 0; }
  void joints(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau);
  void bodies(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& f_ext);

  Model model_;
  bool passive_;
  double slow_;
  PointForces points_;
  Workspace workspace_;
  Status of_points_;  ///< the last that was not ok
  Eigen::VectorXd tau_;
  std::optional<HeldForces> held_;
  Control control_;
  Drives drives_;
  Control controls_;
  Forces forces_;
};

}  // namespace kinetree::bench
