#pragma once
// Counts heap allocations while a test asks for it, and says on whose behalf each was made.

#include <cstddef>

namespace kinetree::oracle {

/// False in sanitizer builds, which bring their own allocator.
bool can_count_allocations();

struct Allocations {
  std::size_t ours = 0;      ///< called from this program: the library, Eigen, the standard library's templates
  std::size_t runtimes = 0;  ///< called from a shared library: oneTBB, OpenMP, libc
};

/// From here to stop_counting(), on all threads.
void start_counting();
Allocations stop_counting();

}  // namespace kinetree::oracle
