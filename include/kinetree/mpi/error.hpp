#pragma once
// The exception of the component mpi.

#include <kinetree/export.hpp>
#include <stdexcept>
#include <string>

namespace kinetree::mpi {

/// Thrown by calls of all ranks: where one rank is at fault every rank throws it, with the same message, and none waits
/// for another. The message names the rank that is at fault, the rule, the value and what to do. An error of MPI
/// itself, where the communicator's error handler returns it, is thrown by the rank that got it.
class KINETREE_EXPORT Error : public std::runtime_error {
 public:
  Error(int rank, const std::string& message) : std::runtime_error(message), rank_(rank) {}
  /// The rank at fault; the lowest, if there are several.
  int rank() const { return rank_; }

 private:
  int rank_;
};

}  // namespace kinetree::mpi
