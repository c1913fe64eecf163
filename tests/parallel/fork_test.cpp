// A forked process has its parent's objects and none of its threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

TEST(Fork, AChildSolvesAndDestroysAndMakesItsOwn) {
#ifdef KINETREE_SANITIZED
  GTEST_SKIP() << "sanitizers have threads and locks of their own";
#endif
  const Model model = make_model("chain:200");
  const TestState s = random_state(model, 7);
  Options options = serial(Algorithm::modular);
  options.threads = 2;
  for (int k = 0; k < 40; ++k)
    for (const ExecutorKind executor : threaded_executors) {
      options.executor = executor;
      options.grain = k % 2 == 0 ? 25 : 3;  // few levels of tasks, or many: both kinds of schedule
      auto dynamics = std::make_unique<ForwardDynamics>(model, options);
      const Eigen::VectorXd expected = accelerations(*dynamics, s, false);
      const pid_t child = fork();  // while another thread stands by, or is on the way
      if (child == 0) {
        alarm(20);
        bool same = accelerations(*dynamics, s, false) == expected;
        ForwardDynamics own(model, options);
        same = same && accelerations(own, s, false) == expected && accelerations(own, s, false) == expected;
        same = same && own.plan().one_threads == (executor == ExecutorKind::team ? 2 : 1);
        dynamics.reset();
        _exit(same ? 0 : 1);
      }
      ASSERT_GT(child, 0);
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFEXITED(status)) << name_of(executor) << " waited for its parent's threads";
      EXPECT_EQ(WEXITSTATUS(status), 0) << name_of(executor);
    }
}

}  // namespace
}  // namespace kinetree::oracle
