// A team does every task once, level after level, whoever comes.
#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "parallel/stages.hpp"

namespace kinetree {
namespace {

/// A task adds one to its own number, and looks whether the level before is over.
struct Counts {
  std::vector<int> done;
  const Counts* before = nullptr;
  int early = 0;

  static void work(void* context, int task, int) {
    Counts& own = *static_cast<Counts*>(context);
    ++own.done[static_cast<std::size_t>(task)];
    if (own.before != nullptr && task == 0)
      for (const int n : own.before->done) own.early += n != own.done[0];
  }
};

TEST(Team, DoesEveryTaskOnceLevelAfterLevel) {
  for (const int workers : {1, 2, 3, 5})
    for (const int present : {1, 2, 5}) {
      std::vector<Counts> counts;
      for (const int tasks : {7, 1, 2, 1, 30, 3}) counts.push_back({std::vector<int>(static_cast<std::size_t>(tasks))});
      std::vector<Level> levels;
      for (std::size_t l = 0; l < counts.size(); ++l) {
        if (l > 0) counts[l].before = &counts[l - 1];
        levels.push_back({static_cast<int>(counts[l].done.size()), &counts[l], &Counts::work});
      }
      Team team(workers);
      team.prepare(levels);
      constexpr int runs = 20;
      for (int run = 0; run < runs; ++run) {
        team.start();
        std::vector<std::thread> others;  // fewer than the team has room for are enough
        for (int w = 1; w < std::min(workers, present); ++w) others.emplace_back([&team, w] { team.work(w); });
        team.work(0);
        for (std::thread& other : others) other.join();
      }
      for (const Counts& level : counts) {
        EXPECT_EQ(level.early, 0) << "a task ran before the level before had ended";
        for (const int n : level.done) EXPECT_EQ(n, runs) << workers << " workers, " << present << " present";
      }
    }
}

TEST(Team, StandsByRoundAfterRound) {
  for (const int workers : {2, 4}) {
    Counts counts{std::vector<int>(40)};
    const Level level{40, &counts, &Counts::work};
    Team team(workers);
    team.prepare({&level, 1});
    std::vector<std::thread> others(static_cast<std::size_t>(workers));
    constexpr int runs = 500;
    int summoned = 0;
    for (int run = 0; run < runs; ++run) {
      team.start();
      for (int w = 1; w < workers; ++w) {
        if (!team.summon(w)) continue;
        std::thread& other = others[static_cast<std::size_t>(w)];
        if (other.joinable()) other.join();  // it has given its place up
        other = std::thread([&team, w] { team.stand_by(w); });
        ++summoned;
      }
      team.work(0);
      if (run % 100 == 99) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // until nobody stands by
    }
    for (std::thread& other : others)
      if (other.joinable()) other.join();
    for (const int n : counts.done) EXPECT_EQ(n, runs) << workers << " workers";
    EXPECT_GE(summoned, workers - 1);
    EXPECT_LE(summoned, runs * (workers - 1));
  }
}

TEST(Team, APlaceIsFreeAgainWhenWhoeverStoodByHasGone) {
  Team team(2), another(2);
  EXPECT_TRUE(team.summon(1));
  EXPECT_FALSE(team.summon(1)) << "somebody is on the way";
  std::thread other([&team] { team.stand_by(1); });
  EXPECT_TRUE(another.summon(1)) << "a team's places are its own";
  other.join();  // no round came
  EXPECT_TRUE(team.summon(1));
}

TEST(Team, SharesByPlace) {
  for (const int count : {0, 1, 2, 5, 100})
    for (const int workers : {1, 2, 3, 7}) {
      EXPECT_EQ(Team::share_begin(count, 0, workers), 0);
      EXPECT_EQ(Team::share_begin(count, workers, workers), count);
      for (int w = 0; w < workers; ++w) {
        const int share = Team::share_begin(count, w + 1, workers) - Team::share_begin(count, w, workers);
        EXPECT_GE(share, count / workers);
        EXPECT_LE(share, (count + workers - 1) / workers);
      }
    }
  EXPECT_EQ(Team::share_begin(1, 1, 4), 1) << "one task is the caller's";
}

void nothing(void*, int) {}

/// Three tasks below one.
Tasks small_tree() {
  Tasks tasks;
  tasks.parent = {-1, 0, 0, 0};
  tasks.levels = {{0}, {1, 2, 3}};
  tasks.first_range = {0, 1, 2, 3, 4};
  tasks.ranges = {{3, 4}, {0, 1}, {1, 2}, {2, 3}};
  return tasks;
}

std::vector<int> counts_of(const std::vector<Pass>& passes, const Tasks& tasks) {
  Stages stages;
  stages.prepare(passes, nullptr, tasks);
  std::vector<int> counts;
  for (const Level& level : stages.levels()) counts.push_back(level.count);
  return counts;
}

TEST(Stages, GoOnWhereAPassBeginsWithTheTasksThatTheOneBeforeEndedWith) {
  const Tasks tree = small_tree();
  const Pass out{Direction::scatter, &nothing}, in{Direction::gather, &nothing}, each{Direction::each, &nothing},
      once{Direction::once, &nothing};
  EXPECT_EQ(counts_of({out, in, out}, tree), (std::vector<int>{1, 3, 1, 3}));
  EXPECT_EQ(counts_of({in, in}, tree), (std::vector<int>{3, 1, 3, 1}));
  EXPECT_EQ(counts_of({out, each, in}, tree), (std::vector<int>{1, 3, 4, 3, 1}));
  EXPECT_EQ(counts_of({in, once, out}, tree), (std::vector<int>{3, 1, 1, 1, 3}));
}

}  // namespace
}  // namespace kinetree
