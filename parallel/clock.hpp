#pragma once
// The clock that measurements look at.

#include <algorithm>
#include <chrono>

namespace kinetree::inline inner {

using Clock = std::chrono::steady_clock;

/// From when to when something ran.
struct Elapsed {
  Clock::time_point begin, end;

  double ns() const { return std::chrono::duration<double, std::nano>(end - begin).count(); }
  /// From the first beginning to the last end.
  friend Elapsed together(const Elapsed& a, const Elapsed& b) {
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
  }
};

}  // namespace kinetree::inline inner
