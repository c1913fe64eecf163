// How far cores are from each other, and what costs of threads become where that changes.
#include "parallel/line_transfer.hpp"

#include <gtest/gtest.h>

#include "parallel/processors.hpp"

namespace kinetree::oracle {
namespace {

Calibration of_near_cores() {
  Calibration c{.line_transfer = 30};
  c.team = {.task = 90, .fork = 150, .thread = 150, .meet = 180, .efficiency_of_two = 0.9, .efficiency = 0.8};
  c.tbb = {.task = 60, .fork = 50, .thread = 50, .meet = 860};
  c.openmp = {.task = 200, .fork = 1400, .thread = 1400, .meet = 1150};
  return c;
}

TEST(LineTransfer, IsMeasuredWhereThereAreCores) {
  if (one_of_each_core().size() < 2) {
    EXPECT_EQ(line_transfer_ns(), 0);
  } else {
    EXPECT_GT(line_transfer_ns(), 1);
    EXPECT_LT(line_transfer_ns(), 1e6);
  }
}

TEST(LineTransfer, CoresWereMovedWhereItBecameAnother) {
  EXPECT_TRUE(were_moved(30, 210));
  EXPECT_TRUE(were_moved(210, 30));
  EXPECT_FALSE(were_moved(200, 260));
  EXPECT_FALSE(were_moved(0, 210)) << "there is one core, or it was not measured";
}

TEST(LineTransfer, CostsOfThreadsFollowIt) {
  const Calibration near = of_near_cores(), far = with_line_transfer(near, 210);
  EXPECT_EQ(far.line_transfer, 210);
  for (const ExecutorKind executor : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp}) {
    const SchedulingCost &was = near.of(executor), &is = far.of(executor);
    EXPECT_GT(is.task, was.task + 180) << "a task waits for several lines";
    EXPECT_GT(is.fork, was.fork + 180);
    EXPECT_EQ(is.thread - was.thread, is.fork - was.fork);
    EXPECT_GT(is.meet, was.meet + 180);
    EXPECT_EQ(is.efficiency, was.efficiency);
    EXPECT_EQ(is.efficiency_of_two, was.efficiency_of_two);
  }
  EXPECT_EQ(far.ab, near.ab);
  const Calibration back = with_line_transfer(far, 30);
  EXPECT_NEAR(back.team.task, near.team.task, 1e-9);
  EXPECT_NEAR(back.tbb.meet, near.tbb.meet, 1e-9);
}

TEST(LineTransfer, NoCostIsLessThanNone) {
  const Calibration nearest = with_line_transfer(of_near_cores(), 1);
  for (const ExecutorKind executor : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp})
    for (const double cost : {nearest.of(executor).task, nearest.of(executor).fork, nearest.of(executor).meet})
      EXPECT_GE(cost, 0);
}

TEST(LineTransfer, WhereItIsNotKnownCostsStay) {
  EXPECT_EQ(with_line_transfer(of_near_cores(), 0), of_near_cores());
  Calibration unknown = of_near_cores();
  unknown.line_transfer = 0;
  EXPECT_EQ(with_line_transfer(unknown, 210), unknown);
}

}  // namespace
}  // namespace kinetree::oracle
