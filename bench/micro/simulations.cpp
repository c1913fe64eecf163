// The humanoid of examples/ on its 24 contact spheres: time steps of one simulation, and of 1024 rollouts on threads.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <kinetree/configuration.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "examples/floor.hpp"
#include "examples/humanoid.hpp"

namespace kinetree::bench {
namespace {

constexpr double step = 1e-3;  ///< s

/// Standing, each state with other velocities.
struct Standing {
  Eigen::MatrixXd q, v;
  Standing(const Model& model, int count) : v(0.1 * random_states(model, count, 1).v) {
    Eigen::VectorXd upright = neutral(model);
    upright[2] = standing_height;
    q = upright.replicate(1, count);
  }
};

void count_steps(benchmark::State& state, int columns) {
  const double steps = static_cast<double>(state.iterations()) * columns;
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["simulated_seconds"] = benchmark::Counter(steps * step, benchmark::Counter::kIsRate);
}

void time_one(benchmark::State& state, const Model& model, bool work) {
  Floor floor{model, contact_spheres(model)};
  SimulationOptions how{Integrator::semi_implicit_euler, step};
  how.work = work;
  Simulation simulation(model, {}, how);
  const Standing start(model, 1);
  const Forces forces = [&](double, const auto& q, const auto& v, auto& tau, auto& f_ext) {
    (void)add_passive_forces(model, q, v, tau);
    floor.push(q, v, f_ext);
  };
  if (!simulation.reset(start.q, start.v).ok()) return state.SkipWithError("no start");
  for (auto _ : state)
    if (!simulation.step(step, forces).ok()) return state.SkipWithError("a step failed");
  count_steps(state, 1);
}

void time_rollouts(benchmark::State& state, const Model& model, int count, int threads) {
  Rollouts rollouts(model, count, {.threads = threads});
  std::vector<Floor> floors;
  for (int k = 0; k < rollouts.threads(); ++k) floors.push_back({model, contact_spheres(model)});
  const Standing start(model, count);
  const RolloutForces forces = [&](RolloutColumns& c) {
    (void)add_passive_forces(model, c.q, c.v, c.tau);
    floors[static_cast<std::size_t>(c.worker)].push(c.q, c.v, c.f_ext);
  };
  if (!rollouts.reset(start.q, start.v).ok()) return state.SkipWithError("no start");
  for (auto _ : state)
    if (!rollouts.step(step, forces).ok()) return state.SkipWithError("a step failed");
  count_steps(state, count);
}

[[maybe_unused]] const bool registered = [] {
  const std::filesystem::path file = std::filesystem::path(KINETREE_MODEL_FOLDER) / "humanoid.yaml";
  if (!std::filesystem::exists(file)) return false;
  const auto model = std::make_shared<const Model>(humanoid(file.string()));
  for (const bool work : {true, false})
    benchmark::RegisterBenchmark(work ? "simulations/humanoid/one" : "simulations/humanoid/one/without_work",
                                 [=](benchmark::State& state) { time_one(state, *model, work); })
        ->UseRealTime();
  for (const int threads : {1, 2})
    benchmark::RegisterBenchmark(fmt::format("simulations/humanoid/1024/threads:{}", threads).c_str(),
                                 [=](benchmark::State& state) { time_rollouts(state, *model, 1024, threads); })
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace kinetree::bench
