#pragma once
// A case ready to run: its solver, its states, and the answers it gave when it was checked.

#include <Eigen/Core>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <string>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::bench {

class PreparedCase {
 public:
  /// Throws what ForwardDynamics throws. `states` must outlive it; a batch takes its first columns.
  PreparedCase(const Case& c, const Model& model, const StateSet& states);

  /// Solves the next state, or the whole batch; false where that failed.
  bool solve_next() {
    if (batch_ > 1)
      return dynamics_
          .solve(states_->q.leftCols(batch_), states_->v.leftCols(batch_), states_->tau.leftCols(batch_), a_)
          .ok();
    const Eigen::Index k = next_;
    next_ = k + 1 == states_->count() ? 0 : k + 1;
    return dynamics_.solve(states_->q.col(k), states_->v.col(k), states_->tau.col(k), a_).ok();
  }

  /// Answers to the first `count` states; empty, with `why` set, where one failed.
  Eigen::MatrixXd first_answers(Eigen::Index count, std::string& why);

  const ForwardDynamics& dynamics() const { return dynamics_; }

 private:
  ForwardDynamics dynamics_;
  const StateSet* states_;
  Eigen::Index batch_, next_ = 0;
  Eigen::MatrixXd a_;
};

}  // namespace kinetree::bench
