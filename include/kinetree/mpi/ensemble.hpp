#pragma once
// Ensemble: forward dynamics of many states of one model, over the ranks of a communicator.

#include <kinetree/forward_dynamics.hpp>
#include <kinetree/mpi/shares.hpp>
#include <memory>
#include <span>

namespace kinetree::mpi {

/// Each rank solves its share of an ensemble's columns, in lanes and on threads of its own. A column's bits are those
/// that ForwardDynamics::solve gives all columns in one process, whatever the number of ranks and of threads.
///
/// Every rank of the communicator makes one and destroys it before MPI_Finalize (see Shares).
class KINETREE_EXPORT Ensemble {
 public:
  /// All ranks. `columns`: of the whole ensemble. The plan is made by rank 0, of its options and for its machine, and
  /// runs on all ranks, so on each with as many threads; other ranks' options are not read. Throws Error on all ranks
  /// where they differ in the model, the number of columns or the instruction set, and where one of them can't make its
  /// solver: where ForwardDynamics throws, or memory is exhausted.
  Ensemble(MPI_Comm comm, Model model, int columns, const Options& options = {});
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  /// Solves the columns of this rank's share, and sends nothing: as ForwardDynamics::solve, with shares().own().count
  /// columns. Columns are counted within the share.
  template <class Q, class V, class T, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(), {}, output<S>(a));
  }
  template <class Q, class V, class T, class F, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(),
                         input<S>(f_ext).columns(), output<S>(a));
  }
  Status solve_columns(Columns<const double> q, Columns<const double> v, Columns<const double> tau,
                       Columns<const double> f_ext, Columns<double> a);
  Status solve_columns(Columns<const float> q, Columns<const float> v, Columns<const float> tau,
                       Columns<const float> f_ext, Columns<float> a);

  /// One per column of this rank's last solve.
  std::span<const Status> statuses() const;
  /// All ranks, after each has solved. The status of the ensemble's first column that failed, the same on every rank;
  /// its `column` counts all columns.
  Status first_failed() const;

  const Shares& shares() const;
  const Model& model() const;
  const Plan& plan() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree::mpi
