// The same bits from every executor and any number of threads.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <span>
#include <thread>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// oneTBB gives no more threads than there are processors, unless it is told to.
struct ManyThreads {
  tbb::global_control enough{tbb::global_control::max_allowed_parallelism, 4};
};

#ifdef KINETREE_SANITIZED  // what they look for is in a shorter chain as well
constexpr const char* long_chain = "chain:100";
#else
constexpr const char* long_chain = "chain:700";
#endif
const char* const families[] = {long_chain,
                                "tree:2x8",
                                "tree:5x4",
                                "star:30x8",
                                "comb:32",
                                "random:150:seed=1",
                                "random:200:seed=2:floating=1:special=1",
                                "random:120:seed=3:joints=spherical"};

/// One of each kind; every grain and cutting in the long run.
std::vector<Options> plans(bool every) {
  std::vector<Options> some;
  for (const Options& o : all_plans(-1))
    if (every || (o.cuts == Cuts::paths && o.grain != 3 && o.grain != 32)) some.push_back(o);
  Options o = serial(Algorithm::modular);
  some.push_back(o);  // the planner's own grain
  o.grain = 5, o.elimination = Elimination::leaves_first;
  some.push_back(o);
  o.algorithm = Algorithm::cfa, o.grain = 0, o.elimination = Elimination::cyclic, o.formulation = Formulation::literal;
  some.push_back(o);
  if (const std::span<const int> widths = limb_widths(instruction_set()); !widths.empty()) {
    o = serial(Algorithm::ab);
    o.limbs = widths.front();  // a group of limbs is a step like any other
    some.push_back(o);
    o.grain = 3;
    some.push_back(o);
  }
  if (const int width = lane_width(instruction_set()); width > 1) {
    o = serial(Algorithm::modular);
    o.limbs = width, o.grain = 40;  // several packs of a long end chain
    some.push_back(o);
  }
  return some;
}

/// memcmp: even the signs of zeros.
bool same_bytes(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void one_state(const char* family, bool every) {
  const ManyThreads there_are;
  const Model model = make_model(family);
  const TestState s = random_state(model, 7);
  for (Options options : plans(every)) {
    std::optional<ForwardDynamics> serially;
    try {
      serially.emplace(model, options);
    } catch (const TooManyCuts&) {
      EXPECT_EQ(options.cuts, Cuts::all);
      continue;
    }
    for (const bool external : {false, true}) {
      const Eigen::VectorXd expected = accelerations(*serially, s, external);
      ASSERT_FALSE(expected.hasNaN());
      for (const ExecutorKind executor : threaded_executors)
        for (const int threads : {1, 2, 3, 4}) {
          options.executor = executor;
          options.threads = threads;
          ForwardDynamics dynamics(model, options);
          for (int repetition = 0; repetition < (every ? 3 : 1); ++repetition)
            EXPECT_TRUE(same_bytes(accelerations(dynamics, s, external), expected))
                << family << ", " << name_of(executor) << " on " << threads << ", " << describe(options);
        }
    }
  }
}

class Executors : public testing::TestWithParam<const char*> {};

TEST_P(Executors, OneStateByteForByte) { one_state(GetParam(), false); }

TEST(ExecutorsLong, OneStateByteForByte) {
  for (const char* family : families) one_state(family, true);
}

TEST_P(Executors, BatchesByteForByte) {
  const ManyThreads there_are;
  const Model model = make_model(GetParam());
  constexpr Eigen::Index columns = 37;  // several packs, the last one not full
  Eigen::MatrixXd q(model.nq(), columns), v(model.nv(), columns), tau = v, f(6 * model.body_count(), columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    const TestState s = random_state(model, static_cast<std::uint64_t>(c) + 20);
    q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau, f.col(c) = s.f_ext;
  }
  Eigen::MatrixXd broken = tau;
  for (Eigen::Index c = 0; c < columns; c += 3) broken(0, c) = std::nan("");
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa, Algorithm::modular}) {
    if (algorithm == Algorithm::crb && model.nv() > 300)
      continue;  // its work is cubic, and smaller models take the same code
    // column by column on one thread
    Options options = serial(algorithm);
    options.grain = algorithm == Algorithm::modular ? 7 : 0;
    options.lanes = 1;
    ForwardDynamics serially(model, options);
    Eigen::MatrixXd expected(model.nv(), columns), a = expected;
    for (Eigen::Index c = 0; c < columns; ++c) {
      Eigen::VectorXd one(model.nv());
      ASSERT_TRUE(serially.solve(q.col(c), v.col(c), tau.col(c), f.col(c), one).ok());
      expected.col(c) = one;
    }
    for (const int lanes : {1, 0}) {
      options.lanes = lanes;
      options.executor = ExecutorKind::serial, options.threads = 1;
      // side by side a column's last bits may be others than alone, but the same in every pack
      if (lanes != 1) {
        ASSERT_TRUE(ForwardDynamics(model, options).solve(q, v, tau, f, expected).ok());
      }
      for (const ExecutorKind executor : executors)
        for (const int threads : {1, 2, 3, 4}) {
          if (executor == ExecutorKind::serial && threads > 1) continue;
          options.executor = executor;
          options.threads = threads;
          ForwardDynamics dynamics(model, options);
          a.setZero();
          EXPECT_TRUE(dynamics.solve(q, v, tau, f, a).ok());
          EXPECT_TRUE(same_bytes(a, expected)) << GetParam() << ", " << name_of(executor) << " on " << threads;
          EXPECT_EQ(dynamics.statuses().size(), static_cast<std::size_t>(columns));
          if (threads != 3) continue;
          // columns that fail on several threads, and not in the next call
          EXPECT_EQ(dynamics.solve(q, v, broken, f, a).column, 0);
          for (Eigen::Index c = 0; c < columns; ++c)
            EXPECT_EQ(dynamics.statuses()[static_cast<std::size_t>(c)].ok(), c % 3 != 0);
          EXPECT_TRUE(dynamics.solve(q, v, tau, f, a).ok());
          EXPECT_TRUE(std::ranges::all_of(dynamics.statuses(), &Status::ok));
        }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Families, Executors, testing::ValuesIn(families), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(ExecutorsTogether, ComeAndGoOnThreadsOfTheCallers) {
  const Model model = make_model("chain:200");
  const TestState s = random_state(model, 7);
  Options options = serial(Algorithm::modular);
  options.grain = 25;
  ForwardDynamics serially(model, options);
  const Eigen::VectorXd expected = accelerations(serially, s);
  options.executor = ExecutorKind::tbb, options.threads = 2;
  {  // what oneTBB does once ThreadSanitizer does not see ordered
    ForwardDynamics first(model, options);
    EXPECT_TRUE(same_bytes(accelerations(first, s), expected));
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {  // helpers of one are called away by another, while it goes
        ForwardDynamics dynamics(model, options);
        for (int solve = 0; solve < k % 3; ++solve) wrong += !same_bytes(accelerations(dynamics, s), expected);
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ExecutorsLong, LargeModelsByteForByte) {
  const ManyThreads there_are;
  for (const char* family : {"chain:20000", "tree:2x13", "star:500x10", "comb:512", "random:5000:seed=9"}) {
    const Model model = make_model(family);
    const TestState s = random_state(model, 3);
    for (const int grain : {0, 1, 2, 32, 1000}) {
      Options options = serial(grain == 0 ? Algorithm::ab : Algorithm::modular);
      options.grain = grain;
      ForwardDynamics serially(model, options);
      const Eigen::VectorXd expected = accelerations(serially, s);
      for (const ExecutorKind executor : threaded_executors)
        for (const int threads : {2, 3, 4}) {
          options.executor = executor;
          options.threads = threads;
          ForwardDynamics dynamics(model, options);
          for (int repetition = 0; repetition < 5; ++repetition)
            EXPECT_TRUE(same_bytes(accelerations(dynamics, s), expected)) << family << ", " << describe(options);
        }
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
