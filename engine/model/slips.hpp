#pragma once
// Words that are another word with a slip of the pen.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Apart from upper case, which is that of ASCII in every locale.
constexpr bool same_letter(char a, char b) { return lower(a) == lower(b); }

/// Letters to insert, delete, replace or swap with the next until one word is the other but for upper case (optimal
/// string alignment).
inline std::size_t slips_between(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty() && same_letter(a.front(), b.front())) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && !b.empty() && same_letter(a.back(), b.back())) a.remove_suffix(1), b.remove_suffix(1);
  if (a.empty() || b.empty()) return a.size() + b.size();
  std::vector<std::size_t> two_up, up(b.size() + 1), row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_up = std::exchange(up, row);
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      row[k] = std::min({up[k] + 1, row[k - 1] + 1, up[k - 1] + (same_letter(a[i - 1], b[k - 1]) ? 0 : 1)});
      if (i > 1 && k > 1 && same_letter(a[i - 1], b[k - 2]) && same_letter(a[i - 2], b[k - 1]))
        row[k] = std::min(row[k], two_up[k - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The word that `tag` is but for one slip, or two in a long word; empty: none.
template <class Words>
std::string_view slip_of(std::string_view tag, const Words& words) {
  std::string_view nearest;
  std::size_t fewest = 3;
  for (const std::string_view word : words) {
    const std::size_t most = word.size() > 7 ? 2 : 1;
    if (tag.size() > word.size() + most || word.size() > tag.size() + most) continue;
    // a word of two letters and one slip is any word
    if (const std::size_t slips = slips_between(tag, word); slips <= most && slips < fewest && word.size() > 2)
      nearest = word, fewest = slips;
  }
  return nearest;
}

/// `; write damping if that is meant`, where `word` is one of `words` but for a slip.
template <class Words>
std::string if_meant(std::string_view word, const Words& words) {
  const std::string_view meant = slip_of(word, words);
  return meant.empty() ? "" : "; write " + std::string(meant) + " if that is meant";
}

}  // namespace kinetree::inline inner
