#pragma once
// Short runs of real kernels, timed.

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/clock.hpp"

namespace kinetree::inline inner {

/// Nanoseconds of each of `calls` calls, sorted ascending. A call before these is not timed.
template <class Call>
std::vector<double> sorted_ns(int calls, Call&& call) {
  call();  // warm
  std::vector<double> ns;
  for (int c = 0; c < calls; ++c) {
    const auto begin = Clock::now();
    call();
    ns.push_back(std::max(Elapsed{begin, Clock::now()}.ns(), 1.0));
  }
  std::sort(ns.begin(), ns.end());
  return ns;
}

/// States of a model of revolute joints, all alike.
struct LikeStates {
  std::vector<double> q, v, tau, a;
  std::vector<State<double>> states;

  LikeStates(const Model& model, int count) : q(at(model.nq())), v(at(model.nv())), tau(v.size()) {
    a.resize(v.size() * at(count));
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto x = static_cast<double>(i);
      q[i] = std::sin(x), v[i] = std::cos(3 * x), tau[i] = std::sin(5 * x);
    }
    for (int k = 0; k < count; ++k)
      states.push_back({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data() + v.size() * at(k)});
  }
};

/// Nanoseconds of one call on as many states as the solver takes: the least of `calls`, since other programs only add.
inline double solve_ns(const Model& model, LaneSolver<double>& solver, int calls) {
  LikeStates states(model, solver.width());
  return sorted_ns(calls, [&] { solver.solve(states.states); }).front();
}

}  // namespace kinetree::inline inner
