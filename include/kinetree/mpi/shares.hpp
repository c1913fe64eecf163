#pragma once
// Shares: the columns of an ensemble, shared out over the ranks of a communicator in contiguous blocks.

#include <mpi.h>

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/mpi/error.hpp>
#include <memory>

namespace kinetree {
inline namespace inner {
class Communicator;
}

namespace mpi {

/// Neighbouring columns.
struct Share {
  int first = 0;  ///< the number that the first has among all
  int count = 0;
};

/// Which rank has which columns, and the collective calls that distribute columns and collect them. Each rank has one
/// block of neighbouring columns, in the order of ranks; the sizes of blocks differ by one at most.
///
/// Every rank of the communicator makes one and calls its functions in the same order; all destroy their objects in the
/// same order, before MPI_Finalize. The communicator is duplicated; its error handler stays as it is. Where MPI was
/// initialized with MPI_THREAD_FUNNELED, the thread that did so makes and destroys the object and calls the functions
/// that say "All ranks".
class KINETREE_EXPORT Shares {
 public:
  /// All ranks. Throws Error where `columns` is below 0, or is not that of rank 0.
  Shares(MPI_Comm comm, int columns);
  ~Shares();
  Shares(Shares&&) noexcept;
  Shares& operator=(Shares&&) noexcept;

  int rank() const;
  int ranks() const;
  int columns() const { return columns_; }
  Share of(int rank) const;
  Share own() const { return of(rank()); }

  /// All ranks. From matrix `all` of rank `root` to each rank's `own` columns: as many rows, own().count columns. `all`
  /// of other ranks is not read. Throws Error where a size is wrong, or both share memory, and writes nothing.
  template <class All, class Own>
  void scatter(const Eigen::DenseBase<All>& all, const Eigen::DenseBase<Own>& own, int root = 0) const {
    using S = typename Own::Scalar;
    scatter_columns(boundary::input<S>(all).columns(), boundary::output<S>(own), root);
  }
  /// All ranks. From each rank's `own` columns to matrix `all` of rank `root`; `all` of other ranks is not touched.
  template <class Own, class All>
  void gather(const Eigen::DenseBase<Own>& own, const Eigen::DenseBase<All>& all, int root = 0) const {
    using S = typename All::Scalar;
    gather_columns(boundary::input<S>(own).columns(), boundary::output<S>(all), root);
  }
  /// All ranks. The same to `all` of every rank.
  template <class Own, class All>
  void gather_to_all(const Eigen::DenseBase<Own>& own, const Eigen::DenseBase<All>& all) const {
    using S = typename All::Scalar;
    gather_columns(boundary::input<S>(own).columns(), boundary::output<S>(all), every_rank);
  }

  /// For the component's own rooms.
  const Communicator& communicator() const { return *communicator_; }

 private:
  static constexpr int every_rank = -1;

  // The compiled functions behind the adapters above.
  void scatter_columns(Columns<const double> all, Columns<double> own, int root) const;
  void scatter_columns(Columns<const float> all, Columns<float> own, int root) const;
  void gather_columns(Columns<const double> own, Columns<double> all, int root) const;
  void gather_columns(Columns<const float> own, Columns<float> all, int root) const;

  std::unique_ptr<Communicator> communicator_;
  int columns_;
};

}  // namespace mpi
}  // namespace kinetree
