#include "simulation/applied_forces.hpp"

#include <kinetree/kinematics.hpp>

#include "engine/model/model_data.hpp"
#include "library/argument.hpp"

namespace kinetree::inline inner {

AppliedForces::AppliedForces(const Model& model)
    : model_(model),
      links_(model.data().body_frame),
      workspace_(model),
      poses_(12 * model.body_count()),
      velocities_(6 * model.body_count()) {
  set_zero();
}

void AppliedForces::come_from(const boundary::ForceFunction& function) {
  if (function_.on_bodies && !function.on_bodies) now_.f_ext.setZero();  // which evaluate leaves alone then
  function_ = function, ++function_count_;
}

void AppliedForces::set_zero() { now_.tau.setZero(model_.nv()), now_.f_ext.setZero(6 * model_.body_count()); }

Status AppliedForces::evaluate(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  now_.tau.setZero();
  if (function_.on_bodies) now_.f_ext.setZero();
  if (function_.call == nullptr) return {};
  using boundary::column;
  const boundary::EntriesLeft left =
      function_.call(function_.context, time, column(q), column(v), column(now_.tau), column(now_.f_ext));
  return fault_of_sizes({{"tau", left.first, 1, now_.tau.size(), 1}, {"f_ext", left.second, 1, now_.f_ext.size(), 1}});
}

Status AppliedForces::accelerate_without(ForwardDynamics& dynamics, const Eigen::Ref<const Eigen::VectorXd>& q,
                                         const Eigen::Ref<const Eigen::VectorXd>& v, Eigen::VectorXd& a) {
  set_zero();
  return dynamics.solve(q, v, now_.tau, a);
}

Status AppliedForces::accelerate(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd& a) {
  return function_.on_bodies ? dynamics.solve(q, v, now_.tau, now_.f_ext, a) : dynamics.solve(q, v, now_.tau, a);
}

double AppliedForces::power(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  double power = now_.tau.dot(v);
  if (!function_.on_bodies || now_.f_ext.isZero(0)) return power;
  // forces on bodies stand about the origins of the bodies' own links, in world axes, as these velocities do
  const Status status = point_kinematics(model_, workspace_, q, v, links_, Axes::world_aligned, poses_, velocities_);
  return status.ok() ? power + now_.f_ext.dot(velocities_) : power;  // of a state that was just solved
}

}  // namespace kinetree::inline inner
