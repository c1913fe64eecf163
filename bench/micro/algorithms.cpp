// Whole solves through ForwardDynamics, in double and float, checked before they are timed.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>
#include <memory>
#include <string>

#include "bench/micro/register.hpp"
#include "bench/sweep/cases.hpp"
#include "bench/sweep/check.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::bench {
namespace {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// States and right answers of one mechanism, shared by its benchmarks.
struct Mechanism {
  std::string name;
  Model model;
  StateSet states;
  Expected expected;

  Mechanism(std::string n, Model m)
      : name(std::move(n)),
        model(std::move(m)),
        states(random_states(model, 64, 1)),
        expected(expected_answers(model, states, 4)) {}
};

template <class S>
void time_solve(benchmark::State& state, const Mechanism& mechanism, const Options& options) {
  const Model& model = mechanism.model;
  ForwardDynamics dynamics(model, options);
  const Matrix<S> q = mechanism.states.q.cast<S>(), v = mechanism.states.v.cast<S>(),
                  tau = mechanism.states.tau.cast<S>();
  Matrix<S> a(model.nv(), 4);
  for (int k = 0; k < a.cols(); ++k)
    if (!dynamics.solve(q.col(k), v.col(k), tau.col(k), a.col(k)).ok()) return state.SkipWithError("a state failed");
  const Eigen::MatrixXd answers = a.template cast<double>();
  const double allowed =
      sizeof(S) == sizeof(double) ? 1e-9 : 0.1;  // float loses digits with length; this finds nonsense
  const double error = check_answers(model, mechanism.states, mechanism.expected, answers).error;
  if (!(error <= allowed))
    return state.SkipWithError(fmt::format("its answers are wrong: relative error {:.3g}", error).c_str());
  Eigen::Index k = 0;
  for (auto _ : state) {
    const Status status = dynamics.solve(q.col(k), v.col(k), tau.col(k), a.col(0));
    benchmark::DoNotOptimize(status.code);
    k = (k + 1) % q.cols();
  }
  state.counters["per_body"] = benchmark::Counter(
      model.body_count(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void add(const std::shared_ptr<const Mechanism>& mechanism) {
  const Options all[]{{.algorithm = Algorithm::ab},
                      {.algorithm = Algorithm::crb},
                      {.algorithm = Algorithm::crb, .factorization = Factorization::dense},
                      {.algorithm = Algorithm::modular, .grain = 8},
                      {.algorithm = Algorithm::cfa},
                      {.algorithm = Algorithm::cfa, .refinements = 0}};
  for (const Options& options : all) {
    const std::string name = fmt::format("solve/{}/{}", mechanism->name, algorithm_label(options));
    benchmark::RegisterBenchmark((name + "/double").c_str(), [=](benchmark::State& s) {
      time_solve<double>(s, *mechanism, options);
    })->UseRealTime();
    benchmark::RegisterBenchmark((name + "/float").c_str(), [=](benchmark::State& s) {
      time_solve<float>(s, *mechanism, options);
    })->UseRealTime();
  }
}

}  // namespace

void register_algorithms() {
  const std::filesystem::path folder = KINETREE_MODEL_FOLDER;
  const std::pair<const char*, bool> files[]{{"arm7", false}, {"quadruped", true}, {"humanoid", true}};
  for (const auto& [name, floating] : files) {
    const std::filesystem::path file = folder / (std::string(name) + ".yaml");
    if (std::filesystem::exists(file))
      add(std::make_shared<Mechanism>(name, load_model(file, {.floating_base = floating})));
  }
  for (const char* family : {"chain:8", "chain:100", "tree:2x6"})
    add(std::make_shared<Mechanism>(family, make_model(family)));
}

}  // namespace kinetree::bench
