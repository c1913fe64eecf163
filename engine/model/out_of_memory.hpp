#pragma once
// Memory that a model takes, said where there is not enough.

#include <cstddef>
#include <cstdio>
#include <new>

namespace kinetree::inline inner {

/// What a model takes of memory while it is built and with the workspace of articulated bodies in double and a state,
/// bytes a body. Measured on chains, x86-64: 1.11e3 at the most while one of a million is built, of which 0.7e3 are the
/// description; then 0.54e3, and 1.16e3 with all of two million, 1.18e3 of ten.
constexpr double bytes_of_a_body = 1.2e3;

/// Thrown where memory ran out while a model was built. Its text is its own: there may be no memory for another.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bodies) {
    const auto tenths = static_cast<std::size_t>(static_cast<double>(bodies) * bytes_of_a_body / 1e8);
    // of a GB; whole numbers, which no locale writes otherwise
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
