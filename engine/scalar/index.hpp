#pragma once
// Bodies, nodes and joints are counted by int, -1 being none; containers of the standard library are not.

#include <cstddef>

namespace kinetree::inline inner {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace kinetree::inline inner
