#include "bench/sweep/prepared_case.hpp"

#include "engine/partition/modules.hpp"

namespace kinetree::bench {
namespace {

class CaseInOneProcess : public PreparedCase {
 public:
  CaseInOneProcess(const Case& c, const Model& model, const StateSet& states)
      : dynamics_(model, c.options), states_(&states), batch_(c.batch), a_(model.nv(), c.batch) {}

  std::function<bool()> call() override {
    return [this] { return solve_next(); };
  }
  void begin(std::int64_t) override {}

  Eigen::MatrixXd first_answers(Eigen::Index count, std::string& why) override {
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

  const Plan& plan() const override { return dynamics_.plan(); }
  int modules() const override {
    return dynamics_.modules() ? static_cast<int>(dynamics_.modules()->modules.size()) : 0;
  }
  int cut_joints() const override {
    return dynamics_.modules() ? static_cast<int>(dynamics_.modules()->cuts.size()) : 0;
  }

 private:
  bool solve_next() {
    if (batch_ > 1)
      return dynamics_
          .solve(states_->q.leftCols(batch_), states_->v.leftCols(batch_), states_->tau.leftCols(batch_), a_)
          .ok();
    const Eigen::Index k = next_;
    next_ = k + 1 == states_->count() ? 0 : k + 1;
    return dynamics_.solve(states_->q.col(k), states_->v.col(k), states_->tau.col(k), a_).ok();
  }

  ForwardDynamics dynamics_;
  const StateSet* states_;
  Eigen::Index batch_, next_ = 0;
  Eigen::MatrixXd a_;
};

}  // namespace

std::unique_ptr<PreparedCase> prepare(const Case& c, const Model& model, const StateSet& states) {
  return std::make_unique<CaseInOneProcess>(c, model, states);
}

}  // namespace kinetree::bench
