#include "bench/ranks/rank_case.hpp"

#include <utility>

namespace kinetree::bench {

RankCase::RankCase(MPI_Comm comm, const Model& model, const Options& options, int batch,
                   std::shared_ptr<const StateSet> states)
    : comm_(comm), states_(std::move(states)) {
  if (batch == 1) {
    mechanism_.emplace(comm, model, options, mpi::Results::own_bodies);
    a_.setZero(model.nv(), 1);
    return;
  }
  ensemble_.emplace(comm, model, batch, options);
  const auto [first, count] = ensemble_->shares().own();
  q_ = states_->q.middleCols(first, count), v_ = states_->v.middleCols(first, count);
  tau_ = states_->tau.middleCols(first, count);
  a_.setZero(model.nv(), count);
}

Status RankCase::solve(Eigen::Index k) {
  if (mechanism_) return mechanism_->solve(states_->q.col(k), states_->v.col(k), states_->tau.col(k), a_.col(0));
  const Status status = ensemble_->solve(q_, v_, tau_, a_);
  MPI_Barrier(comm_);
  return status;
}

bool RankCase::solve_next() {
  const Eigen::Index k = next_;
  next_ = k + 1 == states_->count() ? 0 : k + 1;
  return solve(k).ok();
}

Eigen::MatrixXd RankCase::first_answers(Eigen::Index count, std::string& why) {
  next_ = 0;
  Eigen::MatrixXd answers(a_.rows(), ensemble_ ? ensemble_->shares().columns() : count);
  if (ensemble_) {
    static_cast<void>(solve(0));
    if (const Status status = ensemble_->first_failed(); !status.ok())
      return why = status.message(ensemble_->model()), Eigen::MatrixXd();
    ensemble_->shares().gather(a_, answers);
    return answers.leftCols(count);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const Status status = solve(k);  // the same on all ranks
    if (!status.ok()) return why = status.message(mechanism_->model()), Eigen::MatrixXd();
    // each row is of one rank and zero on the others
    MPI_Reduce(a_.data(), answers.col(k).data(), static_cast<int>(a_.rows()), MPI_DOUBLE, MPI_SUM, 0, comm_);
  }
  return answers;
}

}  // namespace kinetree::bench
