#pragma once
// Small letters for capital ones, ASCII's alone: std::tolower goes by C's locale, in whose Turkish one I is no i.

#include <string>
#include <string_view>

namespace kinetree::inline inner {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

}  // namespace kinetree::inline inner
