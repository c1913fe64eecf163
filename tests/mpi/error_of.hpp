#pragma once
// What a call of all ranks throws.

#include <kinetree/mpi/error.hpp>
#include <string>
#include <utility>

namespace kinetree::oracle {

/// The rank at fault and the message of the mpi::Error that a call throws; -1 and no message where it throws none.
template <class Call>
std::pair<int, std::string> error_of(Call&& call) {
  try {
    call();
  } catch (const mpi::Error& error) {
    return {error.rank(), error.what()};
  }
  return {-1, ""};
}

}  // namespace kinetree::oracle
