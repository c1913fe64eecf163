#pragma once
// Numbers as messages to the user have them.

#include <cmath>
#include <cstdio>
#include <string>

namespace kinetree::inline inner {

inline std::string number_text(double x, int digits = 9) {
  if (std::isnan(x)) return "nan";  // its sign says nothing
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

}  // namespace kinetree::inline inner
