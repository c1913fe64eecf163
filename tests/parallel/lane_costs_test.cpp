// What parts of a state take in lanes: measured, told by a calibration, and no matter to the bits of a plan.
#include <gtest/gtest.h>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/choice.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"
#include "parallel/lane_calibration.hpp"

namespace kinetree::oracle {
namespace {

/// A calibration by which bodies in packs take `times` as long as by the default one.
Calibration with_packs(double times) {
  Calibration c;
  for (LaneCosts& costs : c.lanes) {
    costs.limb_body *= times;
    costs.end_chain.body *= times, costs.end_chain_refined.body *= times;
  }
  return c;
}

TEST(LaneCosts, TellWhetherPartsGoSideBySide) {
  if (lane_width(instruction_set()) == 1) GTEST_SKIP() << "this build has no packs";
  for (const char* family : {"star:64x4", "chain:4000"}) {
    if (lane_width(instruction_set()) == 2 && *family == 'c') continue;  // modules of chains go in more lanes
    const auto in_lanes = [&](double times) {
      const Plan plan = make_plan(make_model(family), {.threads = 2}, with_packs(times), 2).plan;
      return std::max(plan.limbs, plan.end_chains);
    };
    EXPECT_GT(in_lanes(0.1), 1) << family;
    EXPECT_EQ(in_lanes(100), 1) << family;
  }
}

TEST(LaneCosts, OfOneThreadAreTheDefault) {
  for (const char* family : {"star:64x4", "chain:4000", "tree:2x8"}) {
    const Model model = make_model(family);
    const Plan plan = make_plan(model, {}, Calibration{}, 4).plan;
    for (const double times : {0.1, 100.0}) EXPECT_EQ(make_plan(model, {}, with_packs(times), 4).plan, plan) << family;
    EXPECT_EQ(replay(model, plan).plan, plan) << family;
  }
}

TEST(LaneCosts, AreMeasuredForEveryWidth) {
  Calibration c;
  for (LaneCosts& costs : c.lanes) costs.limb_body = 1e6;
  measure_lanes(c);
  for (const int width : limb_widths(instruction_set())) {
    const LaneCosts& costs = c.in_lanes(width);
    EXPECT_LT(costs.limb_body, 1e6);
    for (const double cost : {costs.limb_body, costs.limb_pack, costs.limb, costs.limb_parent, costs.end_chain.body,
                              costs.end_chain.module, costs.end_chain.join, costs.end_chain_refined.body,
                              costs.end_chain_refined.module, costs.end_chain_refined.join}) {
      EXPECT_GT(cost, 0) << width;
      EXPECT_LT(cost, 1000) << width;
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
