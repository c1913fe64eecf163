#pragma once
// Threads that solve one pack of states together: an executor runs the passes over the steps of its modules.

#include <kinetree/model.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "parallel/executor.hpp"
#include "parallel/tasks.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {

template <class T>
class Together {
 public:
  /// `method`: that of the solvers.
  Together(Model model, const Method& method, ExecutorKind executor, int threads, Pinning pinning, Runner runner)
      : model_(std::move(model)),
        method_(method),
        executor_(executor),
        threads_(threads),
        pinning_(pinning),
        runner_(std::move(runner)) {}

  /// Where no joint is cut, on this thread alone. A solver's first call allocates.
  void solve(LaneSolver<T>& solver, std::span<const State<T>> states) {
    if (!solver.modules().any_cut()) return solver.solve(states);
    const Prepared& by = of(solver);
    solver.set(states);
    by.once->run();
    for (int round = 0; round < solver.rounds().count; ++round) by.in_rounds->run();
    solver.store();
  }

 private:
  struct Prepared {
    LaneSolver<T>* solver;
    Tasks tasks;
    std::unique_ptr<Executor> once, in_rounds;  ///< of the passes before its rounds, and of these
  };

  const Prepared& of(LaneSolver<T>& solver) {
    for (const std::unique_ptr<Prepared>& known : prepared_)
      if (known->solver == &solver) return *known;
    const Modules& modules = solver.modules();
    const auto make = [&] { return make_executor(executor_, threads_, pinning_, runner_); };
    Prepared& added = *prepared_.emplace_back(std::make_unique<Prepared>(
        Prepared{&solver, shared_out(modules, step_work(model_, modules, method_), threads_), make(), make()}));
    const std::size_t first = solver.rounds().first;
    added.once->prepare(solver.passes().first(first), solver.space(), added.tasks);
    added.in_rounds->prepare(solver.passes().subspan(first), solver.space(), added.tasks);
    return added;
  }

  Model model_;
  Method method_;
  ExecutorKind executor_;
  int threads_;
  Pinning pinning_;
  Runner runner_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
};

}  // namespace kinetree::inline inner
