#pragma once
// The dial over a model's modules: articulated bodies inside, constraint forces between, then refinements.

#include "engine/algorithm/articulated_solver.hpp"
#include "engine/algorithm/refinement.hpp"
#include "engine/algorithm/rest_start.hpp"
#include "engine/algorithm/velocity_scan.hpp"

namespace kinetree::inline inner {

template <class S>
class DialSolver final : public ArticulatedSolver<S> {
 public:
  using Base = ArticulatedSolver<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::x;

  DialSolver(Model m, const Plan& plan, std::shared_ptr<const Modules> parts)
      : Base(std::move(m), std::move(parts), {}),
        scan_(*this->modules),
        forces_(this->model.data(), *this->modules, plan.refinements > 0),
        system_(*this->modules) {
    this->template add<&DialSolver::compose>(Direction::gather);
    this->template add<&DialSolver::hand_down>(Direction::scatter);
    this->add_constraints();
    this->template add<&DialSolver::articulate>(Direction::gather);
    const bool literal = plan.formulation == Formulation::literal;
    if (literal) {
      rest_ = RestStart<S>(*this->modules, articulated);
      this->first_pass_of_tau = this->passes.size();
      this->template add<&DialSolver::compose_rest>(Direction::gather);
      this->template add<&DialSolver::accelerate_rest>(Direction::scatter);
      this->template add<&DialSolver::gather_rest>(Direction::gather);
      this->template add<&DialSolver::hand_rest>(Direction::scatter);
      this->template add<&DialSolver::close_rest>(Direction::each);
    } else {
      this->template add<&DialSolver::accelerate<RightSide::problem>>(Direction::scatter);
      this->template add<&DialSolver::close<RightSide::problem>>(Direction::each);
    }
    for (int n = literal ? -1 : 0; n < plan.refinements; ++n) {
      this->template add<&DialSolver::correct>(Direction::gather);
      this->template add<&DialSolver::accelerate<RightSide::residual>>(Direction::scatter);
      this->template add<&DialSolver::close<RightSide::residual>>(Direction::each);
    }
  }

  void expect_external_forces() override {
    Base::expect_external_forces();
    scan_.R.resize(this->modules->steps.size());
  }

  std::size_t bytes() const override { return Base::bytes() + bytes_of(scan_, forces_, system_, rest_); }

 private:
  Dial<S> dial() { return {x, kinematics, articulated, forces_, system_}; }

  void compose(int step) {
    inner::compose(x, kinematics, scan_, step);
    constraint_bases(dial(), step);
  }
  void hand_down(int step) { inner::hand_down(x, kinematics, scan_, step); }
  void articulate(int step) { articulate_modules(dial(), step); }
  template <RightSide side>
  void accelerate(int step) {
    accelerate_modules(dial(), side, step);
  }
  template <RightSide side>
  void close(int step) {
    close_joints(dial(), side, step);
  }
  void correct(int step) { correct_modules(dial(), step); }

  void compose_rest(int step) { inner::compose_rest(dial(), scan_, rest_, step); }
  void accelerate_rest(int step) { inner::accelerate_rest(dial(), scan_, rest_, step); }
  void gather_rest(int step) { gather_rest_forces(dial(), scan_, rest_, step); }
  void hand_rest(int step) { hand_rest_forces(dial(), scan_, rest_, step); }
  void close_rest(int step) { inner::close_rest(dial(), rest_, step); }

  VelocityScan<S> scan_;
  ConstraintForce<S> forces_;
  CutSystem<S> system_;
  RestStart<S> rest_;  ///< of literal plans alone
};

}  // namespace kinetree::inline inner
