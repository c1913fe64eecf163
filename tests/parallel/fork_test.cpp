// A forked process has its parent's objects and none of its threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::oracle {
namespace {

TEST(Fork, AChildSolvesAndDestroysWithoutThreads) {
#ifdef KINETREE_SANITIZED
  GTEST_SKIP() << "sanitizers have threads and locks of their own";
#endif
  const Model model = make_model("chain:200");
  const TestState s = random_state(model, 7);
  Options options = serial(Algorithm::modular);
  options.executor = ExecutorKind::tbb, options.threads = 2;
  for (int k = 0; k < 40; ++k) {
    const bool few_levels = k % 2 == 0;
    options.grain = few_levels ? 25 : 3;
    const int weight = task_bodies(model, 2);
    const Modules modules = make_modules(model.data(), {.grain = options.grain, .task_bodies = weight});
    ASSERT_EQ(level_by_level(make_tasks(modules, weight)), few_levels) << "both kinds of schedule are to be seen";
    auto dynamics = std::make_unique<ForwardDynamics>(model, options);
    const Eigen::VectorXd expected = accelerations(*dynamics, s, false);
    const pid_t child = fork();  // while another thread stands by, or is on the way
    if (child == 0) {
      alarm(20);
      const bool same = accelerations(*dynamics, s, false) == expected;
      dynamics.reset();
      _exit(same ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "it waited for its parent's threads";
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

}  // namespace
}  // namespace kinetree::oracle
