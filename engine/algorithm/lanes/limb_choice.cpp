#include "engine/algorithm/lanes/limb_choice.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

Limbs best_limbs(const ModelData& model, InstructionSet set, const std::vector<bool>& by_multipliers) {
  Limbs best = find_limbs(model, 1);
  for (const int width : limb_widths(set))
    if (Limbs limbs = find_limbs(model, width, by_multipliers); limbs.cost.all() < best.cost.all())
      best = std::move(limbs);
  return best;
}

int checked_limb_width(int width, InstructionSet set) {
  const std::span<const int> widths = limb_widths(set);
  if (width == 1 || std::find(widths.begin(), widths.end(), width) != widths.end()) return width;
  std::string allowed;
  for (const int w : widths) allowed += ", " + std::to_string(w);
  throw std::invalid_argument("limbs is " + std::to_string(width) + ", and with " + name_of(set) +
                              " there are 0 (what saves most), 1 (none)" + allowed);
}

}  // namespace kinetree::inline inner
