// solve allocates nothing after its first call, for every algorithm and executor.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "oracle/plans.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

TEST(Allocation, TheCounterCounts) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  start_counting();
  void* volatile one = ::operator new(8);  // called by name, since a new expression may be left out by the optimizer
  void* volatile two = std::malloc(10);
  void* volatile three = std::calloc(3, 7);
  const Allocations seen = stop_counting();
  ::operator delete(one);
  std::free(two);
  std::free(three);
  EXPECT_EQ(seen.ours, 3u);
}

/// One state and several, with external forces and without, double and float.
template <class S>
struct Inputs {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix q, v, tau, f, a;

  Inputs(const Model& model, Eigen::Index columns) : q(model.nq(), columns), f(6 * model.body_count(), columns) {
    v.resize(model.nv(), columns), tau = v, a = v;
    for (Eigen::Index c = 0; c < columns; ++c) {
      const TestState s = random_state(model, static_cast<std::uint64_t>(c) + 1);
      q.col(c) = s.q.cast<S>(), v.col(c) = s.v.cast<S>(), tau.col(c) = s.tau.cast<S>(), f.col(c) = s.f_ext.cast<S>();
    }
  }
  bool solve(ForwardDynamics& dynamics) {
    const bool plain = dynamics.solve(q, v, tau, a).ok();
    return dynamics.solve(q, v, tau, f, a).ok() && plain;
  }
};

TEST(Allocation, NoneInSolveAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  std::map<ExecutorKind, std::size_t> runtimes, calls;
  for (const char* family : {"chain:300", "tree:2x7", "random:80:seed=1:floating=1"}) {
    const Model model = make_model(family);
    Inputs<double> one(model, 1), several(model, 6);
    Inputs<float> one_float(model, 1), several_float(model, 6);
    for (const ExecutorKind executor : executors)
      for (const int threads : {1, 2, 3})
        for (Options options : all_plans(-1)) {
          if (options.cuts == Cuts::all && options.grain > 2) continue;
          if (threads > 1 && (options.cuts != Cuts::paths || options.grain > 2)) continue;  // the same passes
          if (threads > 1 && executor == ExecutorKind::serial) continue;
          if (threads > 2 && options.algorithm == Algorithm::crb) continue;
          options.executor = executor;
          options.threads = threads;
          ForwardDynamics dynamics(model, options);
          const auto solve = [&] {
            return one.solve(dynamics) && several.solve(dynamics) && one_float.solve(dynamics) &&
                   several_float.solve(dynamics);
          };
          ASSERT_TRUE(solve()) << family << ", " << describe(options);
          start_counting();
          const bool solved = solve() && solve() && solve();
          const Allocations seen = stop_counting();
          EXPECT_TRUE(solved);
          EXPECT_EQ(seen.ours, 0u) << family << ", " << name_of(executor) << " on " << threads << ", "
                                   << describe(options);
          if (executor == ExecutorKind::serial || threads == 1) {
            EXPECT_EQ(seen.runtimes, 0u) << family << ", " << name_of(executor) << " on one thread, "
                                         << describe(options);
          }
          runtimes[executor] += seen.runtimes;
          calls[executor] += 24;
        }
  }
  for (const auto& [executor, number] : runtimes)
    std::printf("%s: the runtime itself allocated %zu times in %zu calls of solve\n", name_of(executor), number,
                calls[executor]);
}

}  // namespace
}  // namespace kinetree::oracle
