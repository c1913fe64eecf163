#pragma once
// Kinetic and potential energy as a list of passes.

#include "engine/algorithm/solver/kinematics_solver.hpp"

namespace kinetree::inline inner {

/// Result (J): kinetic energy, rotors included; potential energy of gravity, zero for a mass at the height of the
/// ground's origin.
template <class S>
class EnergySolver final : public PointSpace<S> {
 public:
  using Base = PointSpace<S>;
  using Base::kinematics;
  using Base::x;
  using Base::X_world_;

  EnergySolver(Model m, std::shared_ptr<const Modules> modules) : Base(std::move(m), std::move(modules)) {
    const std::array<double, 3>& gravity = this->model.data().gravity;
    weight_ = {S(-gravity[0]), S(-gravity[1]), S(-gravity[2])}, this->up_ = &weight_;
    this->template add<&EnergySolver::place>(Direction::scatter);
    this->template add<&EnergySolver::sum>(Direction::once);
  }
  std::size_t result_count() const override { return 2; }

 private:
  void sum(int) {
    S twice(0);
    Vector3<S> moment{};  // mass times place, ground's axes
    for (int i = 0; i < x.bodies(); ++i) {
      const Motion<S>& twist = kinematics.v[at(i)];
      const RigidInertia<S>& I = x.link[at(i)].I;
      twice += dot(twist, I * twist);
      add_moment(X_world_[at(i)], I, moment);
    }
    for (std::size_t k = 0; k < x.rotors.size(); ++k) twice += x.rotors[k] * x.state.v[k] * x.state.v[k];
    x.state.result[0] = S(0.5) * twice;
    x.state.result[1] = weight_.x * moment.x + weight_.y * moment.y + weight_.z * moment.z;
  }

  Vector3<S> weight_;  ///< of a unit of mass, upwards
};

}  // namespace kinetree::inline inner
