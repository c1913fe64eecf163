#include "mpi/first_failed.hpp"

#include <algorithm>
#include <string_view>

#include "engine/scalar/index.hpp"
#include "mpi/communicator.hpp"

namespace kinetree::inline inner {
namespace {

/// Names that statuses have for arguments. Among ranks they go by number: each process has texts of its own.
const char* const arguments[] = {"", "q", "v", "tau", "f_ext", "a", "time", "dt", "steps", "column"};

int number_of(std::string_view argument) {
  const auto* const found = std::find(std::begin(arguments), std::end(arguments), argument);
  return found == std::end(arguments) ? 0 : static_cast<int>(found - std::begin(arguments));
}

struct Sent {
  StatusCode code;
  int column, body, expected, argument;
  bool columns;
  double value;
};

}  // namespace

Status first_failed(const Communicator& c, const Status& own) {
  const int mine = own.ok() ? c.ranks() : c.rank();
  int rank = c.ranks();
  c.call("MPI_Allreduce", MPI_Allreduce(&mine, &rank, 1, MPI_INT, MPI_MIN, c.get()));
  if (rank == c.ranks()) return {};
  Sent sent{own.code, own.column, own.body, own.expected, number_of(own.argument), own.columns, own.value};
  c.broadcast(sent, rank);
  return {sent.code, sent.column, sent.body, sent.value, arguments[at(sent.argument)], sent.expected, sent.columns};
}

Status first_failed(const mpi::Shares& shares, std::span<const Status> own) {
  const auto failed = std::find_if(own.begin(), own.end(), [](const Status& status) { return !status.ok(); });
  Status first;  // shares ascend with their ranks
  if (failed != own.end()) {
    first = *failed;
    first.column = shares.own().first + static_cast<int>(failed - own.begin());
  }
  return first_failed(shares.communicator(), first);
}

}  // namespace kinetree::inline inner
