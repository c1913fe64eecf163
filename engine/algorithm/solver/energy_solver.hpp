#pragma once
// Kinetic and potential energy as a list of passes.

#include "engine/algorithm/composite_body.hpp"
#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// Result (J): kinetic energy, rotors included; potential energy of gravity, zero for a mass at the height of the
/// ground's origin.
template <class S>
class EnergySolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  EnergySolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}), composite_(model.data()) {
    this->template add<&EnergySolver::scatter>(Direction::scatter);
    this->template add<&EnergySolver::gather>(Direction::gather);
    this->template add<&EnergySolver::sum>(Direction::once);
  }
  std::size_t result_count() const override { return 2; }
  std::size_t memory() const override { return Base::memory() + composite_.bytes(); }

 private:
  void scatter(int step) { inner::kinematics(x, kinematics, step); }
  void gather(int step) { composite_inertias(x, kinematics, composite_, step); }
  void sum(int) {
    S twice(0), potential(0);
    for (int i = 0; i < x.bodies(); ++i) {
      const Motion<S>& twist = kinematics.v[at(i)];
      twice += dot(twist, x.link[at(i)].I * twist);
      if (x.parent(i) >= 0) continue;
      const Vector3<S>& h = composite_.I_up[at(i)].h;  // mass times place of everything outboard, ground's axes
      const Vector3<S>& up = x.ground_acceleration.linear;
      potential += up.x * h.x + up.y * h.y + up.z * h.z;
    }
    for (std::size_t k = 0; k < x.rotors.size(); ++k) twice += x.rotors[k] * x.state.v[k] * x.state.v[k];
    x.state.result[0] = S(0.5) * twice, x.state.result[1] = potential;
  }

  CompositeBody<S> composite_;
};

}  // namespace kinetree::inline inner
