#include "simulation/applied_forces.hpp"

#include <kinetree/kinematics.hpp>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

AppliedForces::AppliedForces(const Model& model)
    : model_(model),
      links_(model.data().body_frame),
      workspace_(model),
      still_(Eigen::VectorXd::Zero(model.nv())),
      poses_(12 * model.body_count()),
      velocities_(6 * model.body_count()),
      accelerations_(6 * model.body_count()) {
  leave_out();
}

void AppliedForces::come_from(const boundary::ForceFunction& function, bool on_bodies) {
  function_ = function ? &function : nullptr;
  on_bodies_ = on_bodies && function;
}

void AppliedForces::leave_out() {
  function_ = nullptr, on_bodies_ = false;
  set_zero();
}

void AppliedForces::set_zero() { now_.tau.setZero(model_.nv()), now_.f_ext.setZero(6 * model_.body_count()); }

void AppliedForces::evaluate(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  set_zero();
  if (function_ == nullptr) return;
  using boundary::column;
  const auto left = (*function_)(time, column(q), column(v), column(now_.tau.data(), now_.tau.size()),
                                 column(now_.f_ext.data(), now_.f_ext.size()));
  // what has other sizes than it was given is refused by the solve
  if (left.tau != now_.tau.size()) now_.tau.setZero(left.tau);
  if (left.f_ext != now_.f_ext.size()) now_.f_ext.setZero(left.f_ext);
}

Status AppliedForces::accelerate(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd& a) {
  return on_bodies_ ? dynamics.solve(q, v, now_.tau, now_.f_ext, a) : dynamics.solve(q, v, now_.tau, a);
}

double AppliedForces::power(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  double power = now_.tau.dot(v);
  if (!on_bodies_ || now_.f_ext.isZero(0)) return power;
  // forces on bodies stand about the origins of the bodies' own links, in world axes, as these velocities do
  const Status status = point_kinematics(model_, workspace_, q, v, still_, links_, Axes::world_aligned, poses_,
                                         velocities_, accelerations_);
  return status.ok() ? power + now_.f_ext.dot(velocities_) : power;  // of a state that was just solved
}

}  // namespace kinetree::inline inner
