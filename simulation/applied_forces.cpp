#include "simulation/applied_forces.hpp"

#include <kinetree/kinematics.hpp>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

AppliedForces::AppliedForces(const Model& model)
    : model_(model),
      links_(model.data().body_frame),
      workspace_(model),
      poses_(12 * model.body_count()),
      velocities_(6 * model.body_count()) {
  set_zero();
}

void AppliedForces::come_from(const Control& control) {
  control_ = control ? &control : nullptr;
  forces_ = nullptr;
}

void AppliedForces::come_from(const Forces& forces) {
  control_ = nullptr;
  forces_ = forces ? &forces : nullptr;
}

void AppliedForces::set_zero() { now_.tau.setZero(model_.nv()), now_.f_ext.setZero(6 * model_.body_count()); }

Status AppliedForces::evaluate(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  set_zero();
  if (control_ != nullptr) (*control_)(time, q, v, now_.tau);
  if (forces_ != nullptr) (*forces_)(time, q, v, now_.tau, now_.f_ext);
  const auto fault = [](const char* name, const Eigen::VectorXd& x, int rows) {
    if (x.size() == rows) return Status{};
    return Status{StatusCode::wrong_size, 0, -1, static_cast<double>(x.size()), name, rows};
  };
  const Status status = fault("tau", now_.tau, model_.nv());
  return status.ok() ? fault("f_ext", now_.f_ext, 6 * model_.body_count()) : status;
}

Status AppliedForces::accelerate_without(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                         Eigen::VectorXd& a) {
  set_zero();
  return dynamics.solve(q, v, now_.tau, a);
}

Status AppliedForces::accelerate(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd& a) {
  return forces_ != nullptr ? dynamics.solve(q, v, now_.tau, now_.f_ext, a) : dynamics.solve(q, v, now_.tau, a);
}

double AppliedForces::power(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  double power = now_.tau.dot(v);
  if (forces_ == nullptr || now_.f_ext.isZero(0)) return power;
  // forces on bodies stand about the origins of the bodies' own links, in world axes, as these velocities do
  const Status status = point_kinematics(model_, workspace_, q, v, links_, Axes::world_aligned, poses_, velocities_);
  return status.ok() ? power + now_.f_ext.dot(velocities_) : power;  // of a state that was just solved
}

}  // namespace kinetree::inline inner
