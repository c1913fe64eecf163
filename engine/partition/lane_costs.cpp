// Measured in double, by g++. Limbs on Zen 4 (quadruped, humanoid, tree:2x6, star:100x3, comb:64), their parents on Zen
// 5 (comb:32, comb:128). End chains in 4 and 8 lanes on an EPYC with AVX-512, where chain:256 is the first that takes
// less than alone in 8 lanes, about chain:320 in 4; 2 lanes never do. On that machine `kinetree info chain:8 --plan
// --threads 2
// --save-calibration FILE` finds what stands here, and for bodies of limbs 1.35 in 4 lanes and 2.1 in 8; KINETREE_ISA
// names an instruction set.
#include <kinetree/lane_costs.hpp>

#include "engine/partition/end_chains.hpp"

namespace kinetree {

const LaneCosts& default_lane_costs(int width) {
  static constexpr LaneCosts::EndChain four{2.35, 5.4, 3.1}, four_refined{1.03, 2.8, 1.4};
  static constexpr LaneCosts::EndChain eight{3.7, 4.4, 2.9}, eight_refined{1.5, 1.6, 1.05};
  static constexpr LaneCosts in_two{1.3, 0.5, 0.3, 1, four, four_refined},
      in_four{1.5, 0.5, 0.3, 1, four, four_refined}, in_eight{2.3, 0.5, 0.3, 1, eight, eight_refined};
  return width <= 2 ? in_two : width <= 4 ? in_four : in_eight;
}

}  // namespace kinetree

namespace kinetree::inline inner {

WeldCosts weld_costs(int width) { return width <= 4 ? WeldCosts{1.1, 2} : WeldCosts{1.2, 2}; }

}  // namespace kinetree::inline inner
