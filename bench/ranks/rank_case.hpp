#pragma once
// RankCase: a sweep's case over ranks, as each of its ranks has it: one mechanism whose bodies are shared out, or the
// columns of a batch.

#include <mpi.h>

#include <Eigen/Core>
#include <cstdint>
#include <kinetree/mpi/ensemble.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bench/sweep/random_states.hpp"

namespace kinetree::bench {

class RankCase {
 public:
  /// All ranks of `comm`. Throws what mpi::ForwardDynamics and mpi::Ensemble throw. A batch takes the first
  /// columns of `states`.
  RankCase(MPI_Comm comm, const Model& model, const Options& options, int batch,
           std::shared_ptr<const StateSet> states);

  /// All ranks. Solves the next state, each rank getting the accelerations of its own bodies; or the whole batch, until
  /// all ranks have done their columns. False where that failed.
  bool solve_next();
  /// All ranks. Solves the first `count` states. Returns their accelerations, on rank 0 alone; none, with `why` set,
  /// where one failed.
  Eigen::MatrixXd first_answers(Eigen::Index count, std::string& why);

  const Plan& plan() const { return ensemble_ ? ensemble_->plan() : mechanism_->plan(); }
  int cuts() const { return ensemble_ ? 0 : mechanism_->spread().cuts; }

 private:
  Status solve(Eigen::Index column);

  MPI_Comm comm_;
  std::shared_ptr<const StateSet> states_;
  Eigen::Index next_ = 0;
  std::optional<mpi::ForwardDynamics> mechanism_;
  std::optional<mpi::Ensemble> ensemble_;
  Eigen::MatrixXd q_, v_, tau_;  ///< this rank's columns
  Eigen::MatrixXd a_;
};

}  // namespace kinetree::bench
