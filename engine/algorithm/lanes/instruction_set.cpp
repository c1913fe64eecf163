#include "engine/algorithm/lanes/instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace kinetree::inline inner {
namespace {

constexpr InstructionSet all[] = {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512};

}  // namespace

const char* name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "baseline";
}

bool has(InstructionSet set) {
  if (set == InstructionSet::baseline) return true;
#if KINETREE_AVX
  // the compiler's runtime asks the operating system too whether it saves the wide registers
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (set == InstructionSet::avx2 || KINETREE_AVX512 == 0) return avx2 && set == InstructionSet::avx2;
  return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

int lane_width(InstructionSet set) {
#if KINETREE_PACKS
  return set == InstructionSet::avx512 ? 8 : set == InstructionSet::avx2 ? 4 : 2;
#else
  return static_cast<int>(set) * 0 + 1;
#endif
}

std::span<const int> limb_widths(InstructionSet set) {
#if KINETREE_PACKS
  static constexpr int widths[] = {2, 4, 8};
  if (set == InstructionSet::baseline) return {widths, 1};
  return {widths + 1, set == InstructionSet::avx2 ? 1u : 2u};  // a wide register goes in halves too
#else
  static_cast<void>(set);
  return {};
#endif
}

int checked_limb_width(int width, InstructionSet set) {
  const std::span<const int> widths = limb_widths(set);
  if (width == 1 || std::find(widths.begin(), widths.end(), width) != widths.end()) return width;
  std::string allowed;
  for (const int w : widths) allowed += ", " + std::to_string(w);
  throw std::invalid_argument("limbs is " + std::to_string(width) + ", and with " + name_of(set) +
                              " there are 0 (what saves most), 1 (none)" + allowed);
}

InstructionSet instruction_set() {
  const char* const wish = std::getenv("KINETREE_ISA");
  if (wish && *wish) {
    for (const InstructionSet set : all) {
      if (std::string(wish) != name_of(set)) continue;
      if (has(set)) return set;
      throw std::invalid_argument("KINETREE_ISA is \"" + std::string(wish) +
                                  "\", which this processor or this build has not; unset it to take the best there is");
    }
    throw std::invalid_argument("KINETREE_ISA is \"" + std::string(wish) +
                                "\", which is no instruction set; take baseline, avx2 or avx512, or unset it");
  }
  InstructionSet best = InstructionSet::baseline;
  for (const InstructionSet set : all)
    if (has(set)) best = set;
  return best;
}

InstructionSet set_of_lanes(int lanes) {
  std::string allowed;
  for (const InstructionSet set : all) {
    if (!has(set) || set > instruction_set()) continue;
    if (lane_width(set) == lanes) return set;
    if (lane_width(set) > 1) allowed += ", " + std::to_string(lane_width(set));
  }
  throw std::invalid_argument("lanes is " + std::to_string(lanes) + ", and up to " + name_of(instruction_set()) +
                              " there are 0 (the best), 1 (none)" + allowed);
}

}  // namespace kinetree::inline inner
