#pragma once
// LaneSolver of one state: a Solver on a scalar that lies in memory like the numbers themselves.

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/solver/dial_solver.hpp"
#include "engine/algorithm/solver/solver.hpp"

namespace kinetree::inline inner {

/// What every LaneSolver over Solver<S> shares.
template <class T, class S>
class SolverLanes : public LaneSolver<T> {
 public:
  explicit SolverLanes(const lanes::Order& order, std::shared_ptr<const Modules> modules, Packs<S> packs = {})
      : solver_(*order.model, *order.method, std::move(modules), std::move(packs)) {}
  void expect_external_forces() override { solver_.expect_external_forces(); }
  std::span<const Pass> passes() const override { return solver_.passes(); }
  void* space() override { return solver_.space(); }
  std::size_t result_count() const override { return solver_.result_count(); }
  int step_count() const override { return solver_.step_count(); }
  const Modules& modules() const override { return solver_.modules(); }
  int singular_body() const override { return solver_.singular_body(); }
  int idle_body(int lane) const override { return solver_.idle_body(lane); }
  int singular_aggregate(double* pivot, int lane) const override { return solver_.singular_aggregate(pivot, lane); }

 protected:
  Solver<S> solver_;
};

template <class T, class S>
class OneSolver final : public SolverLanes<T, S> {
  static_assert(sizeof(S) == sizeof(T) && alignof(S) == alignof(T));

 public:
  using SolverLanes<T, S>::SolverLanes;
  int width() const override { return 1; }
  void set(std::span<const State<T>> states) override {
    const State<T>& s = states.front();
    const auto in = [](const T* x) { return reinterpret_cast<const S*>(x); };
    this->solver_.set({in(s.q), in(s.v), in(s.f_ext), in(s.tau), in(s.a), reinterpret_cast<S*>(s.result)});
  }
  void store() override {}
};

}  // namespace kinetree::inline inner
