#pragma once
// Operational space compliance of points on links, as lists of passes.

#include "engine/algorithm/factors.hpp"
#include "engine/algorithm/link_kinematics.hpp"
#include "engine/algorithm/node/embedded_compliance.hpp"
#include "engine/algorithm/operational_space.hpp"
#include "engine/algorithm/solver/solver_space.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

/// Of a tree. Result: 6 rows and columns per point, both triangles.
template <class S>
class TreeComplianceSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  TreeComplianceSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}), space_(x) {
    this->template add<&TreeComplianceSolver::place>(Direction::scatter);
    this->template add<&TreeComplianceSolver::articulate>(Direction::gather);
    this->template add<&TreeComplianceSolver::find_compliances>(Direction::scatter);
    this->template add<&TreeComplianceSolver::relate>(Direction::gather);
  }

  void ask(const Asked& asked) override { space_.set_points(model.data(), asked.points); }
  void set(const State<S>& state) override {
    Base::set(state);
    space_.result = state.result;
    space_.stride = static_cast<std::ptrdiff_t>(6 * space_.tasks.size());
    for (std::size_t k = 0; k < result_count(); ++k) state.result[k] = S(0);  // what never meets
  }
  std::size_t result_count() const override { return 36 * space_.tasks.size() * space_.tasks.size(); }
  int idle_body(int lane) const override {
    for (int i = x.bodies(); i-- > 0;)
      if (!positive(space_.articulated, model.data(), i, lane)) return i;
    return this->first_idle([&](int body) {
      const FactorizedInertia<S> D{space_.articulated.D_of(body), velocity_count(x.type(body)), lane};
      return moves_idly(D, &this->felt_[at(x.v_index(body))]);
    });
  }
  std::size_t memory() const override { return Base::memory() + space_.bytes(); }

 private:
  void place(int step) { positions(x, kinematics, step); }
  void articulate(int step) { articulated_inertias(x, kinematics, space_.articulated, step); }
  void find_compliances(int step) { compliances(x, kinematics, space_, step); }
  void relate(int step) { inner::relate(x, kinematics, space_, step); }

  OperationalSpace<S> space_;
};

/// Of a model with aggregates, by the mass matrix in the independent coordinates that are best in the state. Result: as
/// of a tree.
template <class S>
class EmbeddedComplianceSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  EmbeddedComplianceSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}),
        embedded_(x, IndependentCoordinates::best),
        composite_(model.data()),
        mass_(model.data()) {
    if (!may_choose<S>) throw std::logic_error("compliance with loops asks for kernels that take one state at a time");
    this->template add<&EmbeddedComplianceSolver::place>(Direction::scatter);
    this->template add<&EmbeddedComplianceSolver::embed>(Direction::each);
    this->template add<&EmbeddedComplianceSolver::gather>(Direction::gather);
    this->template add<&EmbeddedComplianceSolver::find>(Direction::once);
  }

  void ask(const Asked& asked) override {
    points_.clear();
    for (const LinkPoint& point : asked.points) points_.push_back(body_point<S>(model.data(), point));
    compliance_.resize(6 * points_.size(), at(model.nv()));
  }
  std::size_t result_count() const override { return 36 * points_.size() * points_.size(); }
  int idle_body(int) const override { return idle_ < 0 ? -1 : body_of_velocity(model.data(), idle_); }
  Status loop_fault(int lane) const override { return inner::loop_fault(embedded_.nodes, lane); }
  std::size_t memory() const override {
    return Base::memory() +
           bytes_of(embedded_, composite_, mass_, points_, compliance_.J, compliance_.diagonal, compliance_.scaled);
  }

 private:
  void place(int step) {
    inner::kinematics(x, kinematics, step);
    root_arms(x, kinematics, mass_, step);
  }
  void embed(int step) { inner::embed(x, kinematics, embedded_.nodes, step); }
  void gather(int step) {
    composite_inertias(x, kinematics, composite_, step);
    mass_rows(x, kinematics, composite_, mass_, step);
  }
  void find(int) {
    embedded_.find(x, mass_);
    const std::size_t n = at(embedded_.size()), rows = 6 * points_.size();
    for (std::size_t p = 0; p < points_.size(); ++p)
      independent_jacobian(x, kinematics, embedded_.velocities, points_[p], compliance_.J.data() + 6 * p * n);
    idle_ = embedded_compliance(embedded_.velocities, embedded_.independent.data(), compliance_, static_cast<int>(rows),
                                x.state.result, static_cast<std::ptrdiff_t>(rows));
  }

  EmbeddedMassMatrix<S> embedded_;
  CompositeBody<S> composite_;
  MassMatrix<S> mass_;
  EmbeddedCompliance<S> compliance_;
  std::vector<BodyPoint<S>> points_;
  int idle_ = -1;  ///< the independent velocity that moves no inertia in the last state
};

}  // namespace kinetree::inline inner
