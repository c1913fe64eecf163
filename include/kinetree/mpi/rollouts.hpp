#pragma once
// Many simulations of one model, over the ranks of a communicator.

#include <kinetree/mpi/shares.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <memory>
#include <span>

namespace kinetree::mpi {

/// Each rank simulates its share of an ensemble's columns by kinetree::Rollouts, in lanes and on threads of its own. A
/// column's bits are those that kinetree::Rollouts gives all columns in one process, whatever the number of ranks and
/// of threads. Nothing is sent but where a function says so.
///
/// Every rank of the communicator makes one and destroys it before MPI_Finalize (see Shares).
class KINETREE_EXPORT Rollouts {
 public:
  /// All ranks. `columns`: of the whole ensemble. Rank 0's options count on all ranks, so each has as many threads;
  /// a grain that they leave open is chosen by rank 0.
  /// Throws Error on all ranks where they differ in the model, the number of columns or the instruction set, and where
  /// one of them can't make its solvers: where kinetree::Rollouts throws, or memory is exhausted.
  Rollouts(MPI_Comm comm, Model model, int columns, const Options& options = {}, const RolloutOptions& how = {});
  ~Rollouts();
  Rollouts(Rollouts&&) noexcept;
  Rollouts& operator=(Rollouts&&) noexcept;

  /// The columns of this rank's share begin anew: as kinetree::Rollouts::reset, with shares().own().count columns.
  Status reset(const Eigen::Ref<const Eigen::MatrixXd>& q, const Eigen::Ref<const Eigen::MatrixXd>& v, double time = 0);
  /// The columns of this rank's share take steps, as by kinetree::Rollouts::step. RolloutColumns::first counts all
  /// columns of the ensemble.
  Status step(double dt, const RolloutForces& forces = {}, int steps = 1);

  /// Of this rank's share: positions (nq rows), velocities (nv rows), times (s), and one status per column.
  Eigen::Map<const Eigen::MatrixXd> q() const;
  Eigen::Map<const Eigen::MatrixXd> v() const;
  Eigen::Map<const Eigen::VectorXd> time() const;
  std::span<const Status> statuses() const;
  /// All ranks. The status of the ensemble's first column that has stopped, the same on every rank; its `column` counts
  /// all columns.
  Status first_failed() const;

  const Shares& shares() const;
  const Model& model() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree::mpi
