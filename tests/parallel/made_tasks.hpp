#pragma once
// Tasks made by hand, without steps.

#include <algorithm>
#include <utility>
#include <vector>

#include "parallel/tasks.hpp"

namespace kinetree::oracle {

/// Over tasks: the parent; parents come first.
inline Tasks made_tasks(std::vector<int> parent) {
  Tasks t;
  t.parent = std::move(parent);
  std::vector<int> level;
  for (const int p : t.parent) {
    level.push_back(p < 0 ? 0 : level[static_cast<std::size_t>(p)] + 1);
    t.levels.resize(std::max(t.levels.size(), static_cast<std::size_t>(level.back()) + 1));
    t.levels[static_cast<std::size_t>(level.back())].push_back(static_cast<int>(level.size()) - 1);
  }
  return t;
}

}  // namespace kinetree::oracle
