#include "bench/sweep/study_scalars.hpp"

#include <algorithm>
#include <kinetree/scalar/reference.hpp>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {

namespace {

template <class S>
std::vector<S> cast_all(const Eigen::VectorXd& x) {
  std::vector<S> out;
  out.reserve(static_cast<std::size_t>(x.size()));
  for (const double value : x) out.push_back(S(value));
  return out;
}

template <class S>
std::vector<S> solve_on(Solver<S>& solver, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& tau) {
  const std::vector<S> qs = cast_all<S>(q), vs = cast_all<S>(v), taus = cast_all<S>(tau);
  std::vector<S> a(vs.size());
  State<S> state;
  state.q = qs.data();
  state.v = vs.data();
  state.tau = taus.data();
  state.result = a.data();
  solver.solve(state);
  return a;
}

}  // namespace

Work count_operations(const Model& model, const Options& options) {
  const auto solver = make_solver<Counted>(model, one_method(make_plan(model, options).plan));
  const StateSet one = random_states(model, 1, 1);
  const auto solve = [&] { return solve_on(*solver, one.q.col(0), one.v.col(0), one.tau.col(0)); };
  if (!model.data().aggregates.empty()) solve();  // finds the maps of couplings, which stay
  Counted::counts() = {};
  const std::vector<Counted> a = solve();
  Work work;
  work.counts = Counted::counts();
  for (const Counted& x : a) work.depth = std::max(work.depth, x.depth());
  return work;
}

Eigen::VectorXd reference_accelerations(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        const Eigen::VectorXd& tau) {
  Method method;
  method.algorithm = Algorithm::ab;
  const auto solver = make_solver<Reference>(model, method);
  const std::vector<Reference> a = solve_on(*solver, q, v, tau);
  Eigen::VectorXd rounded(model.nv());
  for (Eigen::Index i = 0; i < rounded.size(); ++i) rounded[i] = static_cast<double>(a[static_cast<std::size_t>(i)]);
  return rounded;
}

}  // namespace kinetree::bench
