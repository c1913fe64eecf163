#include "mpi/first_failed.hpp"

#include <algorithm>
#include <limits>
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

/// The smaller, the nearer to the cause.
double distance_to_cause(const Status& status) {
  switch (status.code) {
    case StatusCode::ok:
      return std::numeric_limits<double>::infinity();
    case StatusCode::singular:
      return 2e10 - status.body;
    case StatusCode::not_finite:
      return *status.argument != '\0' ? 0 : 3e10;
    case StatusCode::not_normalized:
      return 0;
    default:  // of loops
      return 1e10;
  }
}

}  // namespace

Status status_of(const Communicator& c, const Status& own, int rank) {
  Sent sent{own.code, own.column, own.body, own.expected, number_of(own.argument), own.columns, own.value};
  c.broadcast(sent, rank);
  return {sent.code, sent.column, sent.body, sent.value, arguments[at(sent.argument)], sent.expected, sent.columns};
}

Status first_failed(const Communicator& c, const Status& own) {
  const int mine = own.ok() ? c.ranks() : c.rank();
  int rank = c.ranks();
  c.call("MPI_Allreduce", MPI_Allreduce(&mine, &rank, 1, MPI_INT, MPI_MIN, c.get()));
  return rank == c.ranks() ? Status{} : status_of(c, own, rank);
}

Status first_cause(const Communicator& c, const Status& own) {
  struct {
    double distance;
    int rank;
  } mine{distance_to_cause(own), c.rank()}, first{};
  c.call("MPI_Allreduce", MPI_Allreduce(&mine, &first, 1, MPI_DOUBLE_INT, MPI_MINLOC, c.get()));
  return first.distance == std::numeric_limits<double>::infinity() ? Status{} : status_of(c, own, first.rank);
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
