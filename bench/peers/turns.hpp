#pragma once
// Whose turn it is: nobody always goes first, and nobody always follows the same neighbour, whose burst leaves its mark
// on caches and clock.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kinetree::peers {

/// The order of round `round` (from 0) for `count` contenders: a zigzag, rotated by one from round to round. Within
/// 2 `count` rounds everybody has every turn twice and follows every other equally often.
inline std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round) {
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t zigzag = k % 2 ? (k + 1) / 2 : (count - k / 2) % count;  // 0, 1, -1, 2, -2, ...
    order[k] = (zigzag + round) % count;
  }
  // An odd count has half of the pairs in this order alone, and the other half in its reverse.
  if ((round / std::max<std::size_t>(count, 1)) % 2) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace kinetree::peers
