#pragma once
// Words that are another word with a slip of the pen.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

/// Letters to insert, delete, replace or swap with the next until one word is the other (optimal string alignment).
inline std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t k = 0; k <= b.size(); ++k) {
      if (i == 0 || k == 0) {
        d[i][k] = i + k;
        continue;
      }
      const bool same = a[i - 1] == b[k - 1];
      d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + (same ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// The word that `tag` is but for one slip, or two in a long word; empty: none.
template <class Words>
std::string_view slip_of(std::string_view tag, const Words& words) {
  for (const std::string_view word : words)
    if (tag.size() <= word.size() + 2 && slips_between(tag, word) <= (word.size() > 7 ? 2u : 1u)) return word;
  return {};
}

}  // namespace kinetree::inline inner
