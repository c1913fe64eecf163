// A team: by the threads of the process's pool, or by a caller's runner.
#include <utility>

#include "parallel/level_executor.hpp"
#include "parallel/team.hpp"
#include "parallel/thread_pool.hpp"

namespace kinetree::inline inner {
namespace {

class TeamExecutor final : public LevelExecutor {
 public:
  TeamExecutor(int threads, Pinning pinning)
      : team_(threads),
        helpers_(
            threads - 1, pinning == Pinning::cores,
            [](void* team, int worker) { static_cast<Team*>(team)->work(worker); }, &team_) {}

 private:
  void go_through(std::span<const Level> levels, bool) override {
    team_.start(levels);
    helpers_.call();
    team_.work(0);
    helpers_.release();
  }

  Team team_;
  Helpers helpers_;
};

/// Workers are numbered as they come, since a runner may start them in any order, or one after another. So the first
/// that comes is worker 0, which takes levels of one task at once, and all shares that no worker has begun: it waits
/// for none that has not come.
class RunnerExecutor final : public LevelExecutor {
 public:
  RunnerExecutor(int threads, Runner runner) : team_(threads), runner_(std::move(runner)) {}

 private:
  void go_through(std::span<const Level> levels, bool) override {
    team_.start(levels);
    come_ = 0;
    runner_(
        team_.workers(), [](void* self, int) { static_cast<RunnerExecutor*>(self)->come(); }, this);
    if (come_ == 0) team_.work(0);  // the runner ran nothing
  }
  void come() {
    if (const int worker = come_++; worker < team_.workers()) team_.work(worker);
  }

  Team team_;
  Runner runner_;
  std::atomic<int> come_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_team_executor(int threads, Pinning pinning, const Runner& runner) {
  if (runner) return std::make_unique<RunnerExecutor>(threads, runner);
  return std::make_unique<TeamExecutor>(threads, pinning);
}

}  // namespace kinetree::inline inner
