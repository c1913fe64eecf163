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

/// The tree is parted at branches and cut joints into one share per rank, of about equal predicted cost. Each rank
/// sweeps its share; constraint forces between shares are eliminated in the order of the tree of merges
/// (docs/design.md, "Rake and compress"). With cyclic elimination a chain on R ranks waits for at most ceil(log2 R)
/// messages one after another in a gather, and for as many in a scatter. On one instruction set the bits of a result
/// depend on the number of ranks and on the plan, not on the number of threads.
///
/// Every rank of the communicator makes one and calls its functions in the same order; all destroy their objects in the
/// same order, before MPI_Finalize. The communicator is duplicated; its error handler stays as it is.
class KINETREE_EXPORT ForwardDynamics {
 public:
  /// All ranks. Rank 0's `options` and `results` apply to all ranks: `ab` parts the tree at branches only, `modular`
  /// and `cfa` at cut joints too, `automatic` takes what is predicted to be fastest; `threads` is the number on each
  /// rank. Throws Error on all ranks if the model or the instruction set differs between ranks; if options make no
  /// sense, or ask for crb or the literal formulation, which are not available over ranks; if the mechanism has fewer
  /// parts than there are ranks; if `threads` is above 1 and MPI was initialized below MPI_THREAD_SERIALIZED; or if
  /// memory is exhausted on a rank.
  ForwardDynamics(MPI_Comm comm, Model model, const Options& options = {}, Results results = Results::everywhere);
  ~ForwardDynamics();
  ForwardDynamics(ForwardDynamics&&) noexcept;
  ForwardDynamics& operator=(ForwardDynamics&&) noexcept;

  /// All ranks, each with the whole state. One state as kinetree::ForwardDynamics::solve takes it. The status is the
  /// same on every rank: where it is not ok, accelerations are NaN; they were not written where the call is refused: a
  /// size was wrong on one rank, a result shares memory with an input, or a cut needs double (cut_needs_double).
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
