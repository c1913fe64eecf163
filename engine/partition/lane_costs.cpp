// Measured in double, by g++. Limbs on Zen 4 (quadruped, humanoid, tree:2x6, star:100x3, comb:64), their parents on Zen
// 5 (comb:32, comb:128). End chains in 4 and 8 lanes on an EPYC with AVX-512: the shortest chain that takes less time
// than alone is chain:256 in 8 lanes, about chain:320 in 4; in 2 lanes there is none. On that machine
//   kinetree info chain:8 --plan --threads 2 --save-calibration FILE
// measures the numbers for end chains that stand here, and for bodies of limbs 1.35 in 4 lanes and 2.1 in 8.
// The environment variable KINETREE_ISA chooses an instruction set.
#include <kinetree/lane_costs.hpp>

#include "engine/model/loops.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/scalar/index.hpp"

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

// On the same machine, in bodies of chain:1000: armature chains, geared:N and fourbars:N alone, and their modules. In
// four lanes armature chains and geared:N save 9 % at most, where the nearest caches hold them, and lose up to 20 %
// where those do not: they are left alone there.
Weight weight_of(const ModelData& m, int body, int width) {
  const int tie = aggregate_of(m, body);
  if (tie >= 0 && !m.aggregates[at(tie)].constant()) return {5, 3.2};
  const double alone = tie >= 0 ? 1.5 : 1.13;
  if (tie >= 0 || m.has_rotor(body)) return {alone, alone * (width <= 4 ? 1.25 : 1.03)};
  return {};
}
double weld_share(int width) { return width <= 4 ? 1.9 : 2.4; }

}  // namespace kinetree::inline inner
