#include "engine/algorithm/lanes/branch_choice.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

Branches best_branches(const ModelData& model, InstructionSet set) {
  Branches best = find_branches(model, 1);
  for (const int width : branch_widths(set))
    if (Branches branches = find_branches(model, width); branches.cost.all() < best.cost.all())
      best = std::move(branches);
  return best;
}

int checked_branch_width(int width, InstructionSet set) {
  const std::span<const int> widths = branch_widths(set);
  if (width == 1 || std::find(widths.begin(), widths.end(), width) != widths.end()) return width;
  std::string allowed;
  for (const int w : widths) allowed += ", " + std::to_string(w);
  throw std::invalid_argument("limbs is " + std::to_string(width) + ", and with " + name_of(set) +
                              " there are 0 (what saves most), 1 (none)" + allowed);
}

}  // namespace kinetree::inline inner
