// A team: by the threads of the process's pool, or by a caller's runner.
#include <memory>
#include <utility>

#include "parallel/pass_jobs.hpp"
#include "parallel/stage_executor.hpp"
#include "parallel/team.hpp"
#include "parallel/thread_pool.hpp"

namespace kinetree::inline inner {
namespace {

/// What both kinds of teams have in common: the jobs.
class JobExecutor : public StageExecutor {
 public:
  explicit JobExecutor(int threads) : team_(threads), columns_(threads) {}

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    StageExecutor::prepare(passes, space, tasks);
    jobs_ = has_parallelism() ? std::make_unique<PassJobs>(passes, tasks, stages(), team_.workers()) : nullptr;
  }

 protected:
  Team& team() { return team_; }

 private:
  void run_parallel(std::span<const Stage> stages, bool prepared) override {
    if (!prepared) columns_.set(stages.front());
    team_.start(prepared ? static_cast<Jobs&>(*jobs_) : columns_);
    call();
  }
  /// Calls the threads to the open run, and returns when it is done.
  virtual void call() = 0;

  Team team_;
  ColumnJobs columns_;
  std::unique_ptr<PassJobs> jobs_;  ///< null: no two tasks may ever run at once
};

class TeamExecutor final : public JobExecutor {
 public:
  TeamExecutor(int threads, Pinning pinning)
      : JobExecutor(threads),
        helpers_(
            threads - 1, pinning == Pinning::cores,
            [](void* team, int worker) { static_cast<Team*>(team)->work(worker); }, &team()) {}

 private:
  void call() override {
    helpers_.call();
    team().work(0);
    helpers_.release();
  }

  Helpers helpers_;
};

/// Workers are numbered as they come, since a runner may start them in any order, or one after another. A worker steals
/// all jobs of workers that have not come, so it waits for none of these.
class RunnerExecutor final : public JobExecutor {
 public:
  RunnerExecutor(int threads, Runner runner) : JobExecutor(threads), runner_(std::move(runner)) {}

 private:
  void call() override {
    come_ = 0;
    runner_(
        team().workers(), [](void* self, int) { static_cast<RunnerExecutor*>(self)->come(); }, this);
    if (come_ == 0) team().work(0);  // the runner ran nothing
  }
  void come() {
    if (const int worker = come_++; worker < team().workers()) team().work(worker);
  }

  Runner runner_;
  std::atomic<int> come_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_team_executor(int threads, Pinning pinning, const Runner& runner) {
  if (runner) return std::make_unique<RunnerExecutor>(threads, runner);
  return std::make_unique<TeamExecutor>(threads, pinning);
}

}  // namespace kinetree::inline inner
