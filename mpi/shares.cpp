// Shares: blocks of columns, and the collective calls that move them. MPI counts in columns, not in numbers: an
// ensemble may have more than 2³¹ of these.
#include <algorithm>
#include <kinetree/mpi/shares.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/scalar/index.hpp"
#include "library/shared_memory.hpp"
#include "mpi/communicator.hpp"

namespace kinetree::mpi {
namespace {

/// One column of an argument; the next begins a stride further.
class ColumnType {
 public:
  template <class T>
  ColumnType(const Communicator& c, const Columns<T>& columns) {
    using S = std::remove_const_t<T>;
    MPI_Datatype contiguous = MPI_DATATYPE_NULL;
    c.call("MPI_Type_contiguous", MPI_Type_contiguous(static_cast<int>(columns.rows),
                                                      std::is_same_v<S, double> ? MPI_DOUBLE : MPI_FLOAT, &contiguous));
    const int resized = MPI_Type_create_resized(
        contiguous, 0, static_cast<MPI_Aint>(columns.stride * std::ptrdiff_t{sizeof(S)}), &type_);
    MPI_Type_free(&contiguous);
    c.call("MPI_Type_create_resized", resized);
    c.call("MPI_Type_commit", MPI_Type_commit(&type_));
  }
  ~ColumnType() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  ColumnType(const ColumnType&) = delete;
  ColumnType& operator=(const ColumnType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Of all ranks' shares, as collective calls take them.
struct Blocks {
  std::vector<int> counts, firsts;
  explicit Blocks(const Shares& shares) {
    for (int rank = 0; rank < shares.ranks(); ++rank) {
      counts.push_back(shares.of(rank).count);
      firsts.push_back(shares.of(rank).first);
    }
  }
};

std::string sizes(std::ptrdiff_t rows, std::ptrdiff_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

/// All ranks. Throws on all where one has another scalar type or other rows than rank 0, another size than its share,
/// or an `all` that does not fit. `has_all`: whether this rank's is used.
template <class Own, class All>
void agree_on_sizes(const Shares& shares, const Columns<Own>& own, const Columns<All>& all, bool has_all) {
  struct First {
    std::ptrdiff_t rows;
    std::size_t bytes;
  } first{own.rows, sizeof(Own)};
  shares.communicator().broadcast(first);
  const std::ptrdiff_t rows = first.rows;
  const int count = shares.own().count, columns = shares.columns();
  std::string fault;
  if (sizeof(Own) != first.bytes)
    fault = "its numbers have " + std::to_string(sizeof(Own)) + " bytes, and rank 0's " + std::to_string(first.bytes) +
            "; give all ranks double, or float";
  else if (own.rows != rows || own.columns != count)
    fault = "`own` is " + sizes(own.rows, own.columns) + " and should be " + sizes(rows, count) +
            ": as many rows as rank 0 has, and the columns of the rank's share";
  else if (has_all && (all.rows != rows || all.columns != columns))
    fault = "`all` is " + sizes(all.rows, all.columns) + " and should be " + sizes(rows, columns) +
            ": the rows of `own`, and the columns of all shares";
  else if (has_all && share_memory(own, all))
    fault = "`own` and `all` share memory; give each its own";
  shares.communicator().agree(fault);
}

/// All ranks have the same root, and there is such a rank.
void agree_on_root(const Shares& shares, int root) {
  int first = root;
  shares.communicator().broadcast(first);
  std::string fault;
  if (root != first)
    fault = "root is " + std::to_string(root) + ", and on rank 0 " + std::to_string(first) + "; give all ranks one";
  else if (root < 0 || root >= shares.ranks())
    fault = "root is " + std::to_string(root) + "; give a rank from 0 to " + std::to_string(shares.ranks() - 1);
  shares.communicator().agree(fault);
}

template <class S>
void scatter_from(const Shares& shares, const Columns<const S>& all, const Columns<S>& own, int root) {
  agree_on_root(shares, root);
  agree_on_sizes(shares, own, all, shares.rank() == root);
  const Blocks blocks(shares);
  const Communicator& c = shares.communicator();
  const ColumnType column_of_all(c, c.rank() == root ? all : Columns<const S>{nullptr, own.rows, 0, own.rows}),
      column_of_own(c, own);
  c.call("MPI_Scatterv", MPI_Scatterv(all.data, blocks.counts.data(), blocks.firsts.data(), column_of_all.get(),
                                      own.data, shares.own().count, column_of_own.get(), root, c.get()));
}

template <class S>
void gather_at(const Shares& shares, const Columns<const S>& own, const Columns<S>& all, int root, bool to_every_rank) {
  if (!to_every_rank) agree_on_root(shares, root);
  const bool has_all = to_every_rank || shares.rank() == root;
  agree_on_sizes(shares, own, all, has_all);
  const Blocks blocks(shares);
  const Communicator& c = shares.communicator();
  const ColumnType column_of_all(c, has_all ? all : Columns<S>{nullptr, own.rows, 0, own.rows}), column_of_own(c, own);
  if (to_every_rank)
    c.call("MPI_Allgatherv", MPI_Allgatherv(own.data, shares.own().count, column_of_own.get(), all.data,
                                            blocks.counts.data(), blocks.firsts.data(), column_of_all.get(), c.get()));
  else
    c.call("MPI_Gatherv", MPI_Gatherv(own.data, shares.own().count, column_of_own.get(), all.data, blocks.counts.data(),
                                      blocks.firsts.data(), column_of_all.get(), root, c.get()));
}

}  // namespace

Shares::Shares(MPI_Comm comm, int columns) : communicator_(std::make_unique<Communicator>(comm)), columns_(columns) {
  int first = columns;
  communicator_->broadcast(first);
  std::string fault;
  if (columns < 0)
    fault = "the number of columns is " + std::to_string(columns) + "; give 0 or more";
  else if (columns != first)
    fault = "the number of columns is " + std::to_string(columns) + ", and on rank 0 " + std::to_string(first) +
            "; give all ranks the number of the whole ensemble";
  communicator_->agree(fault);
}
Shares::~Shares() = default;
Shares::Shares(Shares&&) noexcept = default;
Shares& Shares::operator=(Shares&&) noexcept = default;

int Shares::rank() const { return communicator_->rank(); }
int Shares::ranks() const { return communicator_->ranks(); }
Share Shares::of(int rank) const {
  const auto first = [&](int r) { return static_cast<int>(static_cast<long>(columns_) * r / ranks()); };
  return {first(rank), first(rank + 1) - first(rank)};
}

void Shares::scatter_columns(Columns<const double> all, Columns<double> own, int root) const {
  scatter_from(*this, all, own, root);
}
void Shares::scatter_columns(Columns<const float> all, Columns<float> own, int root) const {
  scatter_from(*this, all, own, root);
}
void Shares::gather_columns(Columns<const double> own, Columns<double> all, int root) const {
  gather_at(*this, own, all, root, root == every_rank);
}
void Shares::gather_columns(Columns<const float> own, Columns<float> all, int root) const {
  gather_at(*this, own, all, root, root == every_rank);
}

}  // namespace kinetree::mpi
