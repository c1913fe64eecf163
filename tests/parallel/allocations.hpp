#pragma once
// Counts heap allocations while a test asks for it, and says on whose behalf each was made and how much they came to.

#include <cstddef>

namespace kinetree::oracle {

/// False in sanitizer builds, which bring their own allocator.
bool can_count_allocations();

struct Allocations {
  std::size_t ours = 0;         ///< called from this program: the library, Eigen, the standard library's templates
  std::size_t runtimes = 0;     ///< called from a shared library: oneTBB, OpenMP, libc
  std::size_t most_bytes = 0;   ///< that were held at once beyond those at the start
  std::size_t most_blocks = 0;  ///< the same
};

/// From here to stop_counting(), on all threads.
void start_counting();
Allocations stop_counting();

}  // namespace kinetree::oracle
