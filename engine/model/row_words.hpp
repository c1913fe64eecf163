#pragma once
// What a row of a loop joint holds, in words.

#include "engine/model/open_rows.hpp"

namespace kinetree::inline inner {

inline const char* words_of(RowKind kind) {
  constexpr const char* words[]{"its tilt about x",     "its tilt about y",     "its turn about x",
                                "its turn about y",     "its turn about z",     "the angle between its axes",
                                "its distance along x", "its distance along y", "its distance along z"};
  return words[static_cast<int>(kind)];
}

}  // namespace kinetree::inline inner
