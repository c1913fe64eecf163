// What is gone over to measure the bandwidth of caches and memory, of machines that are made up.
#include "parallel/bandwidth.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kinetree {
namespace {

constexpr double KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30;
/// Two cores have caches of levels 1 and 2 of their own and share that of level 3, as others of the machine do.
const std::vector<DataCache> shared{{1, 32 * KiB, 1}, {2, 1 * MiB, 1}, {3, 32 * MiB, 2}};

TEST(Bandwidth, IsThatOfAThreadsShareOfEachCache) {
  const std::vector<double> one{16 * KiB, 512 * KiB, 16 * MiB, 128 * MiB}, two{16 * KiB, 512 * KiB, 8 * MiB, 64 * MiB};
  EXPECT_EQ(working_sets(shared, 1), one);
  EXPECT_EQ(working_sets(shared, 2), two);
  EXPECT_EQ(working_sets(shared, 16), two) << "on other cores other caches";
}

TEST(Bandwidth, IsNotThatOfTheCacheBefore) {
  // a share of level 3 that is hardly more than level 2 (Skylake-SP)
  const std::vector<double> bytes = working_sets({{1, 32 * KiB, 1}, {2, 1 * MiB, 1}, {3, 22 * MiB, 16}}, 16);
  EXPECT_EQ(bytes[2], 1.5 * MiB);
  EXPECT_EQ(bytes[3], 4 * 22 * MiB / 16);
}

TEST(Bandwidth, OfMemoryTakesAGigabyteAtMost) {
  EXPECT_EQ(working_sets({{3, 504 * MiB, 64}}, 1).back(), GiB);
  EXPECT_EQ(working_sets({{3, 96 * MiB, 8}}, 96).back() * 96, GiB);
  EXPECT_EQ(working_sets({}, 4), std::vector<double>{32 * MiB}) << "without a cache that is known";
}

TEST(Bandwidth, TellsTheSizeOfACache) {
  std::vector<double> bytes;
  for (int k = 0; k < 7; ++k) bytes.push_back(std::ldexp(4 * MiB, k));
  // an EPYC whose cores share 32 MiB by eights, in a virtual machine that does not say so
  EXPECT_EQ(cache_size(bytes, {94.2, 93.7, 90.3, 66.1, 50.2, 42.3, 38.6}), 32 * MiB);
  EXPECT_EQ(cache_size(bytes, {94, 40, 40, 40, 40, 40, 40}), 4 * MiB) << "the smallest that was tried";
  EXPECT_EQ(cache_size(bytes, {94, 94, 94, 94, 94, 94, 40}), 128 * MiB) << "the largest that can be told";
  EXPECT_EQ(cache_size(bytes, {50, 49, 50, 48, 47, 46, 45}), 0) << "no faster than memory";
}

TEST(Bandwidth, TellsHowManyCoresShareACache) {
  EXPECT_EQ(sharing_cores(32 * MiB, 32 * MiB, 2), 1);
  EXPECT_EQ(sharing_cores(32 * MiB, 22.6 * MiB, 2), 1) << "neighbours have their part of it";
  EXPECT_EQ(sharing_cores(32 * MiB, 16 * MiB, 2), 2);
  EXPECT_EQ(sharing_cores(32 * MiB, 4 * MiB, 16), 8) << "sixteen cores have two";
  EXPECT_EQ(sharing_cores(32 * MiB, 1 * MiB, 16), 16);
  EXPECT_EQ(sharing_cores(32 * MiB, 0, 16), 16) << "none could be told";
  EXPECT_EQ(count_of_last(shared, 2), 1);
  EXPECT_EQ(count_of_last(shared, 16), 8);
  EXPECT_EQ(count_of_last({}, 16), 1);
}

TEST(Bandwidth, KnowsTheSizeOfEachCacheOfThisMachine) {
  double before = 0;
  for (const DataCache& cache : measured_caches()) {
    EXPECT_GT(cache.bytes, 0) << "level " << cache.level;
    EXPECT_GT(cache.level, before);
    before = cache.level;
  }
}

TEST(Bandwidth, IsMeasuredOfTheLevelsThatThereAre) {
  const Bandwidths b = bandwidths_once({{1, 16 * KiB, 1}, {3, 256 * KiB, 2}, {4, 512 * KiB, 2}}, {-1});
  EXPECT_EQ(b.caches[1], Bandwidth{});
  for (const Bandwidth& level : {b.caches[0], b.caches[2], b.memory}) {
    EXPECT_TRUE(level.one > 0 && std::isfinite(level.one)) << level.one;
    EXPECT_EQ(level.all, level.one) << "of one core";
  }
  const Bandwidths two = bandwidths_once({{1, 16 * KiB, 1}}, {-1, -1});
  EXPECT_TRUE(two.memory.all > 0 && std::isfinite(two.memory.all));
}

}  // namespace
}  // namespace kinetree
