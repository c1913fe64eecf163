#include "bench/simulate/acting_forces.hpp"

#include <algorithm>
#include <kinetree/forces.hpp>

namespace kinetree::bench {

ActingForces::ActingForces(const Model& model, bool passive, double slow)
    : model_(model),
      passive_(passive),
      slow_(slow),
      points_(passive ? PointForces(model) : PointForces(model, {})),
      workspace_(model),
      tau_(Eigen::VectorXd::Zero(model.nv())),
      drives_(model, {}) {
  controls_ = [this](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) {
    joints(t, q, v, tau);
  };
  forces_ = [this](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                   Eigen::VectorXd& f_ext) {
    joints(t, q, v, tau);
    bodies(q, v, f_ext);
  };
}

void ActingForces::drive(const std::vector<DriveTable>& tables) {
  std::vector<Drive> drives;
  for (const DriveTable& table : tables) drives.push_back({table.velocity, table.times, table.forces, table.held});
  drives_ = Drives(model_, std::move(drives));
}

Status ActingForces::step_towards(Simulation& simulation, double until) {
  of_points_ = {};
  const double end = std::min(until, drives_.go_on_from(simulation.time()));
  return on_bodies() ? simulation.step_towards(end, forces_) : simulation.step_towards(end, controls_);
}

Status ActingForces::advance_to(Simulation& simulation, double time) {
  of_points_ = {};
  using boundary::advance_from_kink_to_kink;
  return on_bodies() ? advance_from_kink_to_kink(simulation, time, drives_, forces_)
                     : advance_from_kink_to_kink(simulation, time, drives_, controls_);
}

std::string ActingForces::message(const Status& status) const {
  const bool by_points = status.code == StatusCode::not_finite && of_points_.code == StatusCode::not_positive;
  return by_points ? points_.message(of_points_) : status.message(model_);
}

void ActingForces::joints(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) {
  tau = tau_;
  if (control_) control_(t, q, v, tau);
  drives_.add(t, tau);
  if (passive_) (void)add_passive_forces(model_, q, v, tau, slow_);  // of a state in motion
}

void ActingForces::bodies(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& f_ext) {
  if (held_) held_->add(q, f_ext);
  if (const Status status = points_.add(workspace_, q, v, f_ext); !status.ok()) of_points_ = status;
}

}  // namespace kinetree::bench
