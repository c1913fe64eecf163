#pragma once
// Memory that a model takes, said where there is not enough.

#include <cstddef>
#include <cstdio>
#include <new>

namespace kinetree::inline inner {

/// Thrown where memory ran out while a model was built. Its text is its own: there may be no memory for another.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bodies) {
    // Measured on a chain of a million bodies, x86-64: 1.11 kB a body at the most while it is built, of which 0.7 are
    // the description; then 0.54, and 1.17 with the workspace of articulated bodies in double and a state.
    const std::size_t tenths = bodies * 12 / 1'000'000;  // of a GB; whole numbers, which no locale writes otherwise
    std::snprintf(text_, sizeof text_,
                  "memory ran out: to build a model of %zu links takes about %zu.%zu GB; give a smaller one, or more "
                  "memory",
                  bodies, tenths / 10, tenths % 10);
  }
  const char* what() const noexcept override { return text_; }

 private:
  char text_[160];
};

}  // namespace kinetree::inline inner
