// The C++ side of python/beside/beside.py, which loads it into its own process: makes the calls that Python makes, as a
// user would write them, on Python's own arrays, and says how much processor time they took. Two programs would differ by
// where their arrays happen to lie in memory, which is more than the calls differ by.

#include <cmath>
#include <ctime>
#include <iostream>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <string>

namespace {

using Eigen::MatrixXd;
using Numbers = Eigen::Map<const MatrixXd>;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Side {
  Side(const std::string& name, int threads)
      : model(name.ends_with(".yaml") ? kinetree::load_model(name) : kinetree::make_model(name)),
        options{.algorithm = kinetree::Algorithm::ab, .threads = threads},
        varying(kinetree::Varying(model).add(kinetree::Parameter::inertia)),
        plain(model, options),
        own(varying, options) {}

  kinetree::Model model;
  kinetree::Options options;
  kinetree::Varying varying;
  kinetree::ForwardDynamics plain, own;
};

}  // namespace

// Arrays are Python's: a column of each matrix for a state. All functions give seconds, of all threads together.
extern "C" {

[[gnu::visibility("default")]] Side* beside_of(const char* model, int threads) {
  try {
    return new Side(model, threads);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return nullptr;
  }
}

/// parameters: null, or inertias of each state's own.
[[gnu::visibility("default")]] double beside_solve(Side* side, int states, int calls, const double* q, const double* v,
                                                   const double* tau, const double* parameters, double* a) {
  const kinetree::Model& m = side->model;
  const Numbers q_in(q, m.nq(), states), v_in(v, m.nv(), states), tau_in(tau, m.nv(), states),
      own(parameters, side->varying.rows(), parameters == nullptr ? 0 : states);
  Eigen::Map<MatrixXd> out(a, m.nv(), states);
  kinetree::ForwardDynamics& dynamics = parameters == nullptr ? side->plain : side->own;
  const auto solve = [&] {
    if (parameters != nullptr) (void)dynamics.with(own);
    if (!dynamics.solve(q_in, v_in, tau_in, out)) std::abort();
  };
  solve();  // the other side had the caches
  const double begun = processor_seconds();
  for (int k = 0; k < calls; ++k) solve();
  return processor_seconds() - begun;
}

[[gnu::visibility("default")]] kinetree::Rollouts* beside_rollouts(Side* side, int count, int own) {
  if (own != 0) return new kinetree::Rollouts(side->varying, count, side->options, {.external_forces = false});
  return new kinetree::Rollouts(side->model, count, side->options, {.external_forces = false});
}

/// tau: of each state, or of each step of each state (fed).
[[gnu::visibility("default")]] double beside_steps(kinetree::Rollouts* rollouts, double dt, int steps, const double* q,
                                                   const double* v, const double* tau, int fed,
                                                   const double* parameters) {
  const kinetree::Model& m = rollouts->model();
  const Eigen::Index count = rollouts->count();
  if (parameters != nullptr &&
      !rollouts->set_parameters(Numbers(parameters, rollouts->parameters().rows(), count)).ok())
    std::abort();
  if (!rollouts->reset(Numbers(q, m.nq(), count), Numbers(v, m.nv(), count))) std::abort();
  const Numbers forces(tau, m.nv(), fed != 0 ? count * steps : count);
  const auto constant = [&](kinetree::RolloutColumns& columns) {
    columns.tau = forces.middleCols(columns.first, columns.tau.cols());
  };
  const auto of_each_step = [&](kinetree::RolloutColumns& columns) {
    const Eigen::Index step = std::lround(columns.time[0] / dt);
    for (Eigen::Index c = 0; c < columns.tau.cols(); ++c)
      columns.tau.col(c) = forces.col((columns.first + c) * steps + step);
  };
  const double begun = processor_seconds();
  const kinetree::Status status =
      fed != 0 ? rollouts->step(dt, of_each_step, steps) : rollouts->step(dt, constant, steps);
  const double took = processor_seconds() - begun;
  if (!status) std::cerr << status.message(m) << '\n';
  return took;
}

}  // extern "C"
