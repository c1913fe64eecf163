// The C++ side of python/beside/beside.py: makes the calls that Python makes, as a user would write them, when it is
// told to, and says how much processor time they took.
//
// usage: kinetree_beside MODEL THREADS    MODEL: a file, with a free base if it has none, or a family
//
// It reads lines `solve STATES CALLS`, `own STATES CALLS` (with inertias of each state's own) and `rollouts COUNT STEPS
// FEED` (FEED: constant forces, or forces of each step, `fed`) and writes seconds, of all its threads together.

#include <cmath>
#include <ctime>
#include <iostream>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <optional>
#include <sstream>
#include <string>

namespace {

using Eigen::MatrixXd;

constexpr double dt = 2e-4;  // at which a falling humanoid moves as it should for 1,000 steps; at 1e-3 it diverges

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct States {
  States(const kinetree::Model& model, int count) : q(model.nq(), count), v(model.nv(), count) {
    (void)kinetree::random_state(model, 1, q, v);
    v *= 0.1, tau = 0.1 * v, a = v;  // so that no motion diverges
  }
  MatrixXd q, v, tau, a;
};

/// Readings of one kind; what they need is made before the first.
class Solves {
 public:
  Solves(const kinetree::Model& model, int states, int threads, bool own)
      : states_(model, states),
        dynamics_(model, {.algorithm = kinetree::Algorithm::ab, .threads = threads}),
        own_(own) {
    if (!own) return;
    const auto varying = kinetree::Varying(model).add(kinetree::Parameter::inertia);
    dynamics_ = kinetree::ForwardDynamics(varying, {.algorithm = kinetree::Algorithm::ab, .threads = threads});
    parameters_ = varying.nominal().replicate(1, states);
  }
  bool are(int states, bool own) const { return states_.q.cols() == states && own_ == own; }
  double seconds(int calls) {
    solve();  // the other program had the caches
    const double begun = processor_seconds();
    for (int k = 0; k < calls; ++k) solve();
    return processor_seconds() - begun;
  }

 private:
  void solve() {
    if (own_) (void)dynamics_.with(parameters_);
    if (!dynamics_.solve(states_.q, states_.v, states_.tau, states_.a)) std::abort();
  }
  States states_;
  kinetree::ForwardDynamics dynamics_;
  bool own_;
  MatrixXd parameters_;
};

class Rolls {
 public:
  Rolls(const kinetree::Model& model, int count, int steps, int threads)
      : states_(model, count),
        steps_(steps),
        rollouts_(model, count, {.algorithm = kinetree::Algorithm::ab, .threads = threads},
                  {.external_forces = false}) {}
  bool are(int count, int steps) const { return states_.q.cols() == count && steps_ == steps; }
  double seconds(bool fed) {
    const Eigen::Index steps = steps_;
    if (fed && tau_.size() == 0) {
      tau_.resize(states_.tau.rows(), states_.tau.cols() * steps);
      for (Eigen::Index c = 0; c < tau_.cols(); ++c) tau_.col(c) = states_.tau.col(c / steps);
    }
    if (const auto status = rollouts_.reset(states_.q, states_.v); !status) std::abort();
    const double begun = processor_seconds();
    const auto status = fed ? rollouts_.step(
                                  dt,
                                  [&](kinetree::RolloutColumns& columns) {
                                    const Eigen::Index step = std::lround(columns.time[0] / dt);
                                    for (Eigen::Index c = 0; c < columns.tau.cols(); ++c)
                                      columns.tau.col(c) = tau_.col((columns.first + c) * steps + step);
                                  },
                                  steps_)
                            : rollouts_.step(
                                  dt,
                                  [&](kinetree::RolloutColumns& columns) {
                                    columns.tau = states_.tau.middleCols(columns.first, columns.tau.cols());
                                  },
                                  steps_);
    const double took = processor_seconds() - begun;
    if (!status) std::cerr << status.message(rollouts_.model()) << '\n';
    return took;
  }

 private:
  States states_;
  int steps_;
  kinetree::Rollouts rollouts_;
  MatrixXd tau_;
};

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::string name = words[1];
  const int threads = std::stoi(words[2]);
  const kinetree::Model model = name.ends_with(".yaml") ? kinetree::load_model(name) : kinetree::make_model(name);
  std::optional<Solves> solves;
  std::optional<Rolls> rolls;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream text(line);
    std::string what, feed;
    int states = 0, number = 0;
    text >> what >> states >> number >> feed;
    double seconds = 0;
    if (what != "rollouts") {
      const bool own = what == "own";
      if (!solves || !solves->are(states, own)) solves.emplace(model, states, threads, own);
      seconds = solves->seconds(number);
    } else {
      if (!rolls || !rolls->are(states, number)) rolls.emplace(model, states, number, threads);
      seconds = rolls->seconds(feed == "fed");
    }
    std::cout << seconds << std::endl;
  }
}
