// Registers' times: measured, told by a calibration, and no matter to the bits of a plan.
#include <gtest/gtest.h>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// A calibration by which operations of registers take `times` as long as by the default one.
Calibration with_registers(double times) {
  Calibration c;
  for (double& lanes : c.lanes) lanes *= times;
  return c;
}

TEST(RegisterTimes, TellWhetherPartsGoSideBySide) {
  if (lane_width(instruction_set()) == 1) GTEST_SKIP() << "this build has no packs";
  for (const char* family : {"star:64x4", "chain:4000"}) {
    if (lane_width(instruction_set()) == 2 && *family == 'c') continue;  // modules of chains go in more lanes
    const auto in_lanes = [&](double times) {
      const Plan plan = make_plan(make_model(family), {.threads = 2}, with_registers(times), 2).plan;
      return std::max(plan.limbs, plan.end_chains);
    };
    EXPECT_GT(in_lanes(0.1), 1) << family;
    EXPECT_EQ(in_lanes(100), 1) << family;
  }
}

TEST(RegisterTimes, OfOneThreadAreTheDefault) {
  for (const char* family : {"star:64x4", "chain:4000", "tree:2x8"}) {
    const Model model = make_model(family);
    const Plan plan = make_plan(model, {}, Calibration{}, 4).plan;
    for (const double times : {0.1, 100.0})
      EXPECT_EQ(make_plan(model, {}, with_registers(times), 4).plan, plan) << family;
    EXPECT_EQ(replay(model, plan).plan, plan) << family;
  }
}

}  // namespace
}  // namespace kinetree::oracle
