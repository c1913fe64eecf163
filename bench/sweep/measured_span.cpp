#include "bench/sweep/measured_span.hpp"

#include <kinetree/calibration.hpp>
#include <vector>

#include "bench/sweep/machine.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/one_state.hpp"
#include "library/planner.hpp"
#include "parallel/prices.hpp"

namespace kinetree::bench {

std::optional<MeasuredWorkAndSpan> measured_span(const Model& model, const Plan& plan, const StateSet& states) {
  const Planned planned = replay(model, plan);
  const int threads = planned.plan.one_threads;
  if (threads <= 1) return std::nullopt;
  const OneState<double> one = make_one_state<double>(model, planned, instruction_set());
  LaneSolver<double>& solver = *one.solver;
  std::vector<double> a(solver.result_count());
  Eigen::Index next = 0;
  State<double> state;
  const auto next_state = [&] {
    const Eigen::Index k = next++ % states.count();
    state = {states.q.col(k).data(), states.v.col(k).data(), nullptr, states.tau.col(k).data(), nullptr, a.data()};
    solver.set({&state, 1});
  };
  const Burden burden = burden_of(scheduling_cost(calibration(), plan.executor, threads), threads);
  end_waiting_threads();
  return measured_work_and_span({solver.passes(), solver.space(), one.tasks, next_state},
                                dependences(solver.passes(), one.tasks, plan.executor), burden,
                                shortest_span_seconds / 2);
}

}  // namespace kinetree::bench
