#include "bench/sweep/check.hpp"

#include <algorithm>

#include "bench/residual.hpp"
#include "bench/sweep/study_scalars.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::bench {

Expected expected_answers(const Model& model, const StateSet& states, Eigen::Index count) {
  constexpr int most_in_reference = 300;
  const bool precise = model.body_count() <= most_in_reference;
  Expected expected{Eigen::MatrixXd(model.nv(), count), precise ? "serial ab in 60 digits" : "serial ab in double"};
  ForwardDynamics ab(model, {.algorithm = Algorithm::ab, .executor = ExecutorKind::serial});
  for (Eigen::Index k = 0; k < count; ++k) {
    if (precise)
      expected.accelerations.col(k) =
          reference_accelerations(model, states.q.col(k), states.v.col(k), states.tau.col(k));
    else
      (void)ab.solve(states.q.col(k), states.v.col(k), states.tau.col(k),
                     expected.accelerations.col(k));  // NaN if it fails
  }
  return expected;
}

Check check_answers(const Model& model, const StateSet& states, const Expected& expected,
                    const Eigen::MatrixXd& answers) {
  Workspace workspace(model);
  Check check;
  for (Eigen::Index k = 0; k < answers.cols(); ++k) {
    const auto& right = expected.accelerations.col(k);
    const double off = (answers.col(k) - right).norm();
    keep_worst(check.error, off == 0 ? 0 : off / right.norm());
    keep_worst(check.residual,
               residual(model, workspace, states.q.col(k), states.v.col(k), states.tau.col(k), {}, answers.col(k)));
  }
  return check;
}

}  // namespace kinetree::bench
