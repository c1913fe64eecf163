#include "bench/sweep/prepared_case.hpp"

namespace kinetree::bench {

PreparedCase::PreparedCase(const Case& c, const Model& model, const StateSet& states)
    : dynamics_(model, c.options), states_(&states), batch_(c.batch), a_(model.nv(), c.batch) {}

Eigen::MatrixXd PreparedCase::first_answers(Eigen::Index count, std::string& why) {
  Eigen::MatrixXd answers(a_.rows(), count);
  next_ = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (batch_ == 1 || k == 0) {
      if (!solve_next()) {
        for (const Status& status : dynamics_.statuses())
          if (!status.ok()) {
            why = status.message(dynamics_.model());
            return {};
          }
      }
    }
    answers.col(k) = a_.col(batch_ == 1 ? 0 : k);
  }
  return answers;
}

}  // namespace kinetree::bench
