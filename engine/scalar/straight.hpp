#pragma once
// Loops of a length that the compiler knows, written out.

#include <type_traits>

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

/// use(first), ..., use(last - 1), numbers that the compiler knows: straight code, which keeps to registers.
template <int first, int last, class Use>
KINETREE_INLINE void straight(Use&& use) {
  if constexpr (first < last) {
    use(std::integral_constant<int, first>());
    straight<first + 1, last>(use);
  }
}

}  // namespace kinetree::inline inner
