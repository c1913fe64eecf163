#pragma once

#include <string>
#include <string_view>

namespace kinetree::inline inner {

/// A text without the blanks around it, as XML's users set it on lines of its own.
inline std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t start = text.find_first_not_of(blank);
  return start == std::string_view::npos ? ""
                                         : std::string(text.substr(start, text.find_last_not_of(blank) + 1 - start));
}

}  // namespace kinetree::inline inner
