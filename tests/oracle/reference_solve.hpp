#pragma once
// Articulated bodies in 60 digits: the yardstick of accuracy, on the very numbers the Model holds.

#include <kinetree/scalar/reference.hpp>
#include <vector>

#include "engine/algorithm/solver/solver.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

inline std::vector<Reference> reference_accelerations(const Model& model, const TestState& s, bool external = false) {
  const auto lifted = [](const Eigen::VectorXd& x) { return std::vector<Reference>(x.begin(), x.end()); };
  const std::vector<Reference> q = lifted(s.q), v = lifted(s.v), tau = lifted(s.tau), f = lifted(s.f_ext);
  std::vector<Reference> a(v.size());
  Method method;
  const auto solver = make_solver<Reference>(model, method);
  solver->solve({q.data(), v.data(), external ? f.data() : nullptr, tau.data(), nullptr, a.data()});
  return a;
}

}  // namespace kinetree::oracle
