#pragma once
// ForwardDynamics over ranks: one state of one mechanism, of which each rank sweeps a part.

#include <mpi.h>

#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <kinetree/mpi/error.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <vector>

namespace kinetree::mpi {

/// Where accelerations are after a solve.
enum class Results {
  everywhere,  ///< on every rank
  own_bodies,  ///< of each joint on the rank that sweeps its body: none are sent, and other rows are not written
};

/// Rows of the accelerations: [begin, end).
struct Rows {
  int begin = 0, end = 0;
};

/// Sizes of the shares, and numbers of messages: the same on every rank, but for `messages`.
struct Spread {
  std::vector<int> bodies;  ///< over ranks: bodies that the rank sweeps; a split body's halves count one each
  int cuts = 0;             ///< cut joints
  int rounds = 0;           ///< the most messages along a way from the ground to a tip: a gather waits for no fewer
  int messages = 0;         ///< messages that this rank sends in one solve, collective calls of all ranks left out
};

/// The tree is parted at branches and cut joints into a share for each rank, of about equal predicted cost. Each rank
/// sweeps its share, and constraint forces between shares are eliminated in the order of the one contraction tree
/// (docs/design.md, "Modules"). A chain takes ceil(log2 R) rounds of messages at most, in a gather and in a scatter,
/// where elimination is cyclic. On one instruction set the bits depend on the number of ranks and the plan, not on the
/// numbers of threads.
///
/// Every rank of the communicator makes one and calls its functions in the same order; all destroy their objects in the
/// same order, before MPI_Finalize. The communicator is duplicated; its error handler stays as it is.
class KINETREE_EXPORT ForwardDynamics {
 public:
  /// All ranks. Rank 0's options and `results` count: algorithm `ab` parts at branches alone, `modular` and `cfa` cut
  /// too, and `automatic` takes what is predicted to be fastest; `threads` are those of each rank. Throws Error on all
  /// ranks where they differ in the model or the instruction set; where options make no sense, or ask for crb, the
  /// literal formulation, or modular with limbs, which ranks do not know; where the mechanism has fewer parts than
  /// there are ranks; where threads are asked for and MPI was not initialized with MPI_THREAD_SERIALIZED or more; and
  /// where memory is exhausted on one.
  ForwardDynamics(MPI_Comm comm, Model model, const Options& options = {}, Results results = Results::everywhere);
  ~ForwardDynamics();
  ForwardDynamics(ForwardDynamics&&) noexcept;
  ForwardDynamics& operator=(ForwardDynamics&&) noexcept;

  /// All ranks, each with the whole state. One state as kinetree::ForwardDynamics::solve takes it. The status is the
  /// same on every rank: where it is not ok, accelerations are NaN, or were not written where a size was wrong on one.
  /// Throws Error on all ranks where some have f_ext and some have not, or one has another scalar type.
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

  /// The rows that a rank's joints have in the accelerations.
  const std::vector<Rows>& rows_of(int rank) const;
  const Spread& spread() const;
  const Model& model() const;
  /// What runs: `ab`, or `modular` with its grain.
  const Plan& plan() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree::mpi
