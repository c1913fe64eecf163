// Threads of executors come and go: with many objects, in nested use, under a caller's rounding, at the end of a
// process.
#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>
#include <signal.h>

#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// Of several levels: a chain by modules, whose grain makes few levels of tasks or many.
struct Subject {
  Model model = make_model("chain:200");
  TestState state = random_state(model, 7);
  Options options = serial(Algorithm::modular);
  Eigen::VectorXd expected;

  explicit Subject(int grain = 25) {
    options.grain = grain;
    ForwardDynamics serially(model, options);
    expected = accelerations(serially, state);
    options.threads = 2;
  }
  Options by(ExecutorKind executor, int threads = 2) const {
    Options o = options;
    o.executor = executor, o.threads = threads;
    return o;
  }
  bool right(ForwardDynamics& dynamics) const { return accelerations(dynamics, state) == expected; }
};

std::size_t threads_of_process() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

TEST(ExecutorsLife, ManyObjectsShareTheThreads) {
  const Subject subject;
  std::vector<ForwardDynamics> many;
  for (int k = 0; k < 50; ++k) many.emplace_back(subject.model, subject.by(ExecutorKind::team, 3));
  EXPECT_TRUE(subject.right(many.front()));
  const std::size_t before = threads_of_process();
  for (int round = 0; round < 3; ++round)
    for (ForwardDynamics& dynamics : many) EXPECT_TRUE(subject.right(dynamics));
  EXPECT_LE(threads_of_process(), before + 1) << "another call's thread may have been on its way out";
}

TEST(ExecutorsLife, KindsTakeTurns) {
  const Subject subject(3);
  std::vector<ForwardDynamics> all;
  for (const ExecutorKind executor : threaded_executors) all.emplace_back(subject.model, subject.by(executor));
  for (int round = 0; round < 10; ++round)
    for (ForwardDynamics& dynamics : all) EXPECT_TRUE(subject.right(dynamics));
}

TEST(ExecutorsLife, SolvesInsideOfOthersTasks) {
  const Subject subject, inside(3);
  for (const ExecutorKind outer : threaded_executors)
    for (const ExecutorKind inner : threaded_executors) {
      // a runner's tasks are where a caller may put anything; here they go on to another object
      std::atomic<int> wrong = 0;
      ForwardDynamics nested(inside.model, inside.by(inner));
      const Runner runner = [&](int count, void (*task)(void*, int), void* context) {
        std::vector<std::thread> threads;
        for (int k = 0; k < count; ++k)
          threads.emplace_back([&, k] {
            if (k == 0) wrong += !inside.right(nested);
            task(context, k);
          });
        for (std::thread& thread : threads) thread.join();
      };
      ForwardDynamics dynamics(subject.model, subject.by(ExecutorKind::team), runner),
          beside(subject.model, subject.by(outer));
      for (int k = 0; k < 5; ++k) EXPECT_TRUE(subject.right(dynamics) && subject.right(beside));
      EXPECT_EQ(wrong, 0);
    }
}

TEST(ExecutorsLife, SolvesInsideOfACallersLoops) {
#ifdef KINETREE_SANITIZED
  GTEST_SKIP() << "ThreadSanitizer does not see what orders oneTBB's own loop: its library is not instrumented";
#endif
  const Subject subject(3);
  std::vector<ForwardDynamics> all;
  for (int k = 0; k < 4; ++k)
    for (const ExecutorKind executor : threaded_executors) all.emplace_back(subject.model, subject.by(executor));
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 10; ++round)
    tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t k) { wrong += !subject.right(all[k]); });
  EXPECT_EQ(wrong, 0);
}

TEST(ExecutorsLife, PinnedThreadsGiveTheSameBits) {
  const Subject subject(3);
  for (const int threads : {2, 5}) {
    Options options = subject.by(ExecutorKind::team, threads);
    options.pinning = Pinning::cores;
    ForwardDynamics dynamics(subject.model, options);
    EXPECT_EQ(dynamics.plan().pinning, Pinning::cores);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(subject.right(dynamics));
  }
}

// ---- a caller's rounding --------------------------------------------------------------------------------------------

TEST(ExecutorsLife, TasksRoundAsTheCallerDoes) {
  for (const int grain : {25, 3}) {
    const Subject subject(grain);
    std::vector<ForwardDynamics> all;
    for (const ExecutorKind executor : threaded_executors) {
      all.emplace_back(subject.model, subject.by(executor, 3));
      EXPECT_TRUE(subject.right(all.back()));  // their threads are there
    }
    ForwardDynamics serially(subject.model, subject.by(ExecutorKind::serial, 1));
    std::fesetround(FE_UPWARD);
    const Eigen::VectorXd upward = accelerations(serially, subject.state);
    for (ForwardDynamics& dynamics : all)
      for (int k = 0; k < 20; ++k)
        EXPECT_TRUE(accelerations(dynamics, subject.state) == upward) << name_of(dynamics.plan().executor);
    std::fesetround(FE_TONEAREST);
    EXPECT_FALSE(upward == subject.expected);
    for (ForwardDynamics& dynamics : all) EXPECT_TRUE(subject.right(dynamics));
  }
}

// ---- runners --------------------------------------------------------------------------------------------------------

void one_after_another(int count, void (*task)(void*, int), void* context) {
  for (int k = 0; k < count; ++k) task(context, k);
}
void last_first(int count, void (*task)(void*, int), void* context) {
  for (int k = count; k-- > 0;) task(context, k);
}
void on_threads(int count, void (*task)(void*, int), void* context) {
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k) threads.emplace_back(task, context, k);
  for (std::thread& thread : threads) thread.join();
}

TEST(ExecutorsRunner, GivesTheSameBits) {
  for (const int grain : {25, 3, 1})
    for (const Runner& runner : {Runner(one_after_another), Runner(last_first), Runner(on_threads)}) {
      const Subject subject(grain);
      for (const int threads : {2, 3, 8}) {
        ForwardDynamics dynamics(subject.model, subject.by(ExecutorKind::team, threads), runner);
        for (int k = 0; k < 3; ++k) EXPECT_TRUE(subject.right(dynamics));
        ForwardDynamics again(subject.model, dynamics.plan(), runner);
        EXPECT_TRUE(subject.right(again));
      }
    }
}

TEST(ExecutorsRunner, DoesTheWorkOfBatchesAndFunctions) {
  const Subject subject;
  constexpr int columns = 37;
  Eigen::MatrixXd q(subject.model.nq(), columns), v(subject.model.nv(), columns), tau = v, expected = v, a = v;
  for (int c = 0; c < columns; ++c) {
    const TestState s = random_state(subject.model, static_cast<std::uint64_t>(c));
    q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau;
  }
  std::atomic<int> calls = 0;
  std::set<std::thread::id> own;
  const Runner runner = [&](int count, void (*task)(void*, int), void* context) {
    EXPECT_EQ(count, 3);
    ++calls;
    on_threads(count, task, context);
  };
  ForwardDynamics serially(subject.model, subject.by(ExecutorKind::serial, 1));
  ForwardDynamics dynamics(subject.model, subject.by(ExecutorKind::team, 3), runner);
  ASSERT_TRUE(serially.solve(q, v, tau, expected).ok());
  ASSERT_TRUE(dynamics.solve(q, v, tau, a).ok());
  EXPECT_TRUE(a == expected);
  EXPECT_EQ(calls, 1);
  Workspace alone(subject.model), workspace(subject.model, {.threads = 3}, runner);
  ASSERT_TRUE(inverse_dynamics(subject.model, alone, q, v, a, expected).ok());
  ASSERT_TRUE(inverse_dynamics(subject.model, workspace, q, v, a, tau).ok());
  EXPECT_TRUE(tau == expected);
  EXPECT_EQ(calls, 2);
}

TEST(ExecutorsRunner, ItsExceptionPassesAndTheObjectGoesOn) {
  const Subject subject;
  bool refuses = true;
  const Runner runner = [&](int count, void (*task)(void*, int), void* context) {
    if (refuses) throw std::runtime_error("no threads today");
    on_threads(count, task, context);
  };
  ForwardDynamics dynamics(subject.model, subject.by(ExecutorKind::team), runner);
  EXPECT_THROW(subject.right(dynamics), std::runtime_error);
  refuses = false;
  EXPECT_TRUE(subject.right(dynamics));
}

TEST(ExecutorsRunner, IsRefusedWhereItHasNoEffect) {
  const Model model = make_model("chain:4");
  const auto refusal = [&](const Options& options) -> std::string {
    try {
      ForwardDynamics dynamics(model, options, one_after_another);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({.threads = 2}), "accepted");
  EXPECT_EQ(refusal({.threads = 1}),
            "a runner has no effect with threads 1: take as many threads as it has, or leave the runner out");
  EXPECT_EQ(refusal({.executor = ExecutorKind::tbb, .threads = 2}),
            "a runner has no effect with executor tbb: take executor team, or leave the runner out");
  EXPECT_EQ(refusal({.threads = 2, .pinning = Pinning::cores}),
            "pinning cores has no effect with a runner, whose threads are the caller's: take pinning none");
  EXPECT_THROW(Workspace(model, {.executor = ExecutorKind::openmp, .threads = 2}, one_after_another), OptionError);
  Plan plan = ForwardDynamics(model, {.executor = ExecutorKind::tbb, .threads = 2}).plan();
  plan.one_threads = 2;
  EXPECT_THROW(ForwardDynamics(model, plan, one_after_another), OptionError);
}

// ---- the end of a process -------------------------------------------------------------------------------------------

/// Destroyed after main, as a program's own statics are.
std::unique_ptr<ForwardDynamics> outlasts_main;
const Subject* of_outlasting = nullptr;
struct SolvesAtExit {
  ~SolvesAtExit() {
    if (outlasts_main && !of_outlasting->right(*outlasts_main)) _Exit(3);
  }
};

TEST(ExecutorsLife, ProcessesEndWhileThreadsStandBy) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const bool in_a_static : {false, true})
    EXPECT_EXIT(
        {
          alarm(20);
          of_outlasting = new Subject;
          outlasts_main =
              std::make_unique<ForwardDynamics>(of_outlasting->model, of_outlasting->by(ExecutorKind::team));
          const bool right = of_outlasting->right(*outlasts_main);
          static const SolvesAtExit once_more;
          if (!in_a_static) outlasts_main = nullptr;
          std::exit(right ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(ExecutorsLife, SignalsGoToTheCallersThreads) {
  const Subject subject;
  ForwardDynamics dynamics(subject.model, subject.by(ExecutorKind::team, 4));
  EXPECT_TRUE(subject.right(dynamics));
  static std::atomic<int> elsewhere = 0;
  static const std::thread::id here = std::this_thread::get_id();
  const auto before = signal(SIGUSR1, [](int) { elsewhere += std::this_thread::get_id() != here; });
  for (int k = 0; k < 50; ++k) {
    kill(getpid(), SIGUSR1);
    EXPECT_TRUE(subject.right(dynamics));
  }
  signal(SIGUSR1, before);
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace kinetree::oracle
