#pragma once
// One state solved by the kernels of parts that go side by side, and its error against 60 digits.

#include <cmath>
#include <memory>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {

inline Method refined(int refinements) {
  Method method;
  method.algorithm = Algorithm::modular;
  method.refinements = refinements;
  return method;
}

template <class T>
struct StateNumbers {
  Eigen::Matrix<T, Eigen::Dynamic, 1> q, v, tau, f_ext, a;

  explicit StateNumbers(const TestState& s)
      : q(s.q.cast<T>()), v(s.v.cast<T>()), tau(s.tau.cast<T>()), f_ext(s.f_ext.cast<T>()), a(s.v.size()) {
    a.setConstant(-7);
  }
  State<T> state(bool forced) {
    return {q.data(), v.data(), forced ? f_ext.data() : nullptr, tau.data(), nullptr, a.data()};
  }
};

template <class T>
Eigen::VectorXd solved(LaneSolver<T>& solver, const TestState& s, bool forced) {
  StateNumbers<T> numbers(s);
  const State<T> state = numbers.state(forced);
  solver.solve({&state, 1});
  return numbers.a.template cast<double>();
}

inline TestState state_of(const Model& model, const bench::StateSet& states, Eigen::Index c) {
  TestState s;
  s.q = states.q.col(c), s.v = states.v.col(c), s.tau = states.tau.col(c);
  s.f_ext.resize(6 * model.body_count());
  for (Eigen::Index k = 0; k < s.f_ext.size(); ++k) s.f_ext[k] = std::sin(1.0 + static_cast<double>(k + 7 * c));
  return s;
}

/// Against 60 digits, over states with forces and without: relative errors.
struct Errors {
  std::vector<TestState> states;
  std::vector<Eigen::VectorXd> truth[2];

  /// `in_float`: of states whose numbers are floats, so that rounding them is no error.
  Errors(const Model& model, int count, bool in_float) {
    const bench::StateSet all = bench::random_states(model, count, 4);
    for (Eigen::Index c = 0; c < count; ++c) states.push_back(state_of(model, all, c));
    for (TestState& s : states)
      for (Eigen::VectorXd* x : {&s.q, &s.v, &s.tau, &s.f_ext})
        if (in_float) *x = x->cast<float>().cast<double>().eval();
    for (const bool forced : {false, true})
      for (const TestState& s : states) {
        const std::vector<Reference> own = reference_accelerations(model, s, forced);
        Eigen::VectorXd a(model.nv());
        for (Eigen::Index k = 0; k < a.size(); ++k) a[k] = static_cast<double>(own[static_cast<std::size_t>(k)]);
        truth[forced].push_back(std::move(a));
      }
  }
  template <class T>
  double worst(LaneSolver<T>& solver) const {
    double worst = 0;
    for (const bool forced : {false, true, false})
      for (std::size_t c = 0; c < states.size(); ++c)
        keep_worst(worst, (solved(solver, states[c], forced) - truth[forced][c]).norm() / truth[forced][c].norm());
    return worst;
  }
};

template <class T>
std::unique_ptr<LaneSolver<T>> body_by_body(InstructionSet set, const Model& model) {
  return make_lane_solver<T>(set, false, model, {}, std::make_shared<const Modules>(make_modules(model.data(), {})));
}

/// Holds parts to 4 times the error of the tree body by body, and `least`, an error that is none; with one refinement
/// and two.
template <class T>
void expect_as_accurate(InstructionSet set, const Model& model, const Parts& parts, const Errors& errors, double alone,
                        double least, int grain) {
  for (const int refinements : {1, 2}) {
    const auto solver = make_parts_solver<T>(set, model, refined(refinements), parts);
    EXPECT_LE(errors.worst(*solver), 4 * alone + least)
        << model.name() << ", " << name_of(set) << ", " << parts.end_chains.width << " side by side, grain " << grain
        << ", " << refinements << " refinements, " << model.body_count() << " bodies";
  }
}

}  // namespace kinetree::oracle
