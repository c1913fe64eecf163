// One pass of an algorithm at a time. All passes run in each iteration, since each needs the ones before; the clock
// counts only the one that is asked for.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <string>

#include "bench/micro/register.hpp"
#include "bench/sweep/cases.hpp"
#include "bench/sweep/random_states.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

std::string_view name_of(Direction direction) {
  switch (direction) {
    case Direction::gather:
      return "gather";
    case Direction::scatter:
      return "scatter";
    case Direction::each:
      return "each";
    case Direction::once:
      return "once";
  }
  return "";
}

struct Setting {
  Model model;
  std::unique_ptr<Solver<double>> solver;
  StateSet states;
  Eigen::VectorXd a;
  Eigen::Index next = 0;

  Setting(const std::string& family, const Options& options)
      : model(make_model(family)),
        solver(make_solver<double>(model, one_method(make_plan(model, options).plan))),
        states(random_states(model, 64, 1)),
        a(model.nv()) {}

  void set_next() {
    State<double> state;
    state.q = states.q.col(next).data();
    state.v = states.v.col(next).data();
    state.tau = states.tau.col(next).data();
    state.result = a.data();
    solver->set(state);
    next = (next + 1) % states.count();
  }
};

void time_pass(benchmark::State& state, Setting& setting, std::size_t which) {
  using clock = std::chrono::steady_clock;
  const std::span<const Pass> passes = setting.solver->passes();
  void* const space = setting.solver->space();
  const int steps = setting.solver->step_count();
  for (auto _ : state) {
    setting.set_next();
    run_serial(passes.first(which), space, steps);
    const auto start = clock::now();
    run_serial(passes.subspan(which, 1), space, steps);
    state.SetIterationTime(std::chrono::duration<double>(clock::now() - start).count());
    run_serial(passes.subspan(which + 1), space, steps);
  }
}

void add(const std::string& family, const Options& options) {
  const auto setting = std::make_shared<Setting>(family, options);
  const std::span<const Pass> passes = setting->solver->passes();
  for (std::size_t p = 0; p < passes.size(); ++p)
    benchmark::RegisterBenchmark(
        fmt::format("pass/{}/{}/{} {}", family, algorithm_label(options), p, name_of(passes[p].direction)).c_str(),
        [setting, p](benchmark::State& state) { time_pass(state, *setting, p); })
        ->UseManualTime();
}

}  // namespace

void register_passes() {
  for (const char* family : {"chain:64", "tree:2x6"}) {
    add(family, {.algorithm = Algorithm::ab});
    add(family, {.algorithm = Algorithm::crb});
    add(family, {.algorithm = Algorithm::modular, .grain = 8});
    add(family, {.algorithm = Algorithm::cfa});
  }
}

}  // namespace kinetree::bench
