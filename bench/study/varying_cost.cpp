#include "bench/study/varying_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <kinetree/configuration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/varying.hpp>
#include <limits>
#include <vector>

#include "parallel/clock.hpp"

namespace kinetree::bench {
namespace {

constexpr int least_rounds = 5;

/// As many as a study's batches have bodies at most.
Eigen::Index state_count(const Model& model) { return std::clamp(2'000'000 / std::max(1, model.body_count()), 16, 64); }

/// Nanoseconds of each, the least of rounds in which they take turns, so that a busy moment hits all alike.
std::vector<double> times(const std::vector<std::function<Status()>>& calls, double seconds, Status& failed) {
  std::vector<double> best(calls.size(), std::numeric_limits<double>::infinity());
  const Clock::time_point begin = Clock::now();
  for (int round = 0; round < least_rounds || Elapsed{begin, Clock::now()}.ns() < seconds * 1e9; ++round)
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const Clock::time_point start = Clock::now();
      if (const Status status = calls[k](); !status.ok()) failed = status;
      best[k] = std::min(best[k], Elapsed{start, Clock::now()}.ns());
    }
  return best;
}

}  // namespace

Answer varying_cost(const Model& model, double seconds) {
  const Eigen::Index n = state_count(model);
  const Options options{.algorithm = Algorithm::ab, .threads = 1};
  Varying inertias(model);
  inertias.add(Parameter::inertia);
  Varying all = inertias;
  all.add(Parameter::armature).add(Parameter::gravity);
  ForwardDynamics plain(model, options), of_inertias(inertias, options), of_all(all, options);
  const Eigen::MatrixXd q = neutral(model).replicate(1, n), v = Eigen::MatrixXd::Zero(model.nv(), n), tau = v,
                        own_inertias = inertias.nominal().replicate(1, n), own_all = all.nominal().replicate(1, n);
  Eigen::MatrixXd a = v;
  Status failed;
  std::vector<double> t = times({[&] { return plain.solve(q, v, tau, a); },                           //
                                 [&] { return of_inertias.solve(q, v, tau, a); },                     //
                                 [&] { return of_inertias.with(own_inertias).solve(q, v, tau, a); },  //
                                 [&] { return of_all.solve(q, v, tau, a); },                          //
                                 [&] { return of_all.with(own_all).solve(q, v, tau, a); }},
                                seconds, failed);
  Answer answer{"What do states with numbers of their own cost?", ""};
  if (!failed.ok()) {
    answer.text = "Not measured: the mechanism can't be solved where all positions are zero: " + failed.message(model);
    return answer;
  }
  for (double& one : t) one /= static_cast<double>(n);
  const auto ratio = [&](std::size_t over, std::size_t under) { return t[over] / t[under]; };
  answer.text = fmt::format(
      "Of {} states side by side on one thread, each takes {:.0f} ns by `ab` with inertias of its own for every link, "
      "{:.2f} times as long as with the model's numbers under the same declaration, and {:.2f} times as long as "
      "without "
      "a declaration ({:.0f} ns). Where rotors and gravity are its own too it takes {:.0f} ns, {:.2f} and {:.2f} times "
      "as long.",
      n, t[2], ratio(2, 1), ratio(2, 0), t[0], t[4], ratio(4, 3), ratio(4, 0));
  return answer;
}

}  // namespace kinetree::bench
