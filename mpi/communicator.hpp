#pragma once
// Communicator: a duplicate of a caller's, so that messages of the library and of the program never meet; and how ranks
// agree on whether all is well.

#include <mpi.h>

#include <exception>
#include <kinetree/mpi/error.hpp>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace kinetree::inline inner {

/// Throws mpi::Error where a call of MPI returned an error, which it does only where the program asks for that.
void check_mpi(int result, const char* function, int rank);

class Communicator {
 public:
  /// All ranks of `comm`.
  explicit Communicator(MPI_Comm comm);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// All ranks. Throws mpi::Error on all where one has a fault, with that of the lowest such rank.
  void agree(const std::string& fault) const;

  /// All ranks. `value` becomes that of rank `root`.
  template <class T>
  void broadcast(T& value, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    call("MPI_Bcast", MPI_Bcast(&value, sizeof(T), MPI_BYTE, root, comm_));
  }

  void call(const char* function, int result) const { check_mpi(result, function, rank_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
};

/// What an action throws, as a sentence; empty where it throws nothing.
template <class Action>
std::string fault_of(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const std::bad_alloc&) {
    return "no memory left";  // so short that the text itself needs none
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace kinetree::inline inner
