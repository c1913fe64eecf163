#pragma once
// Numbers as messages to the user have them, in every locale.

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace kinetree::inline inner {

/// As printf's %.*g in the locale "C".
inline std::string number_text(double x, int digits = 9) {
  if (std::isnan(x)) return "nan";  // its sign says nothing
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits).ptr};
}

/// `1 freedom`, `2 freedoms`.
inline std::string count_of(std::ptrdiff_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace kinetree::inline inner
