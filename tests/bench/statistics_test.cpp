// Medians and their intervals.

#include "bench/sweep/statistics.hpp"

#include <gtest/gtest.h>

namespace kinetree::bench {
namespace {

TEST(MedianInterval, OddAndEvenCounts) {
  EXPECT_EQ(median_interval({3, 1, 2}).median, 2);
  EXPECT_EQ(median_interval({4, 1, 2, 3}).median, 2.5);
}

TEST(MedianInterval, NineSamplesTakeTheSecondAndTheEighth) {
  // binomial(9, 1/2): 1 - 2 (1 + 9) / 512 = 0.961 for the second, 1 - 2 (1 + 9 + 36) / 512 = 0.820 for the third
  const MedianInterval m = median_interval({9, 1, 8, 2, 7, 3, 6, 4, 5});
  EXPECT_EQ(m.median, 5);
  EXPECT_EQ(m.low, 2);
  EXPECT_EQ(m.high, 8);
  EXPECT_NEAR(m.coverage, 1 - 20. / 512, 1e-12);
}

TEST(MedianInterval, FewSamplesGiveTheExtremesAndSayWhatTheyCover) {
  const MedianInterval m = median_interval({1, 2, 3});
  EXPECT_EQ(m.low, 1);
  EXPECT_EQ(m.high, 3);
  EXPECT_NEAR(m.coverage, 0.75, 1e-12);
  EXPECT_EQ(median_interval({7}).coverage, 0);
}

TEST(MedianInterval, OneOutlierMovesNothing) {
  const MedianInterval m = median_interval({1, 1, 1, 1, 1, 1, 1, 1, 1000});
  EXPECT_EQ(m.high, 1);
}

TEST(MedianInterval, NoSamples) { EXPECT_EQ(median_interval({}).median, 0); }

}  // namespace
}  // namespace kinetree::bench
