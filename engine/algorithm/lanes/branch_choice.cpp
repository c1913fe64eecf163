#include <algorithm>
#include <kinetree/algorithm/lanes/branch_choice.hpp>
#include <stdexcept>
#include <string>

namespace kinetree {

int branch_width(const ModelData& model, InstructionSet set) {
  int best = 1;
  double least = static_cast<double>(model.parent.size());
  for (const int width : branch_widths(set))
    if (const Branches branches = find_branches(model, width); branches.cost < least)
      best = width, least = branches.cost;
  return best;
}

int checked_branch_width(int width, InstructionSet set) {
  const std::span<const int> widths = branch_widths(set);
  if (width == 1 || std::find(widths.begin(), widths.end(), width) != widths.end()) return width;
  std::string allowed;
  for (const int w : widths) allowed += ", " + std::to_string(w);
  throw std::invalid_argument("branches is " + std::to_string(width) + ", and with " + name_of(set) +
                              " there are 0 (what saves most), 1 (none)" + allowed);
}

}  // namespace kinetree
