// What multipliers on the spanning tree cost beside embedding, in operations, and that it is predicted.
#include <gtest/gtest.h>

#include <cstdio>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_at_zero.hpp"

namespace kinetree::oracle {
namespace {

using namespace closed_at_zero;

/// Operations of one solve behind the first.
double work(const Case& c, Loops loops) {
  const auto counted = [](const Eigen::VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const std::vector<Counted> q = counted(c.state.q), v = counted(c.state.v), tau = counted(c.state.tau);
  std::vector<Counted> a(v.size());
  Method method;
  method.loops = loops;
  const auto solver = make_solver<Counted>(c.model, method);
  solver->solve({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  Counted::counts() = {};
  solver->run();
  return static_cast<double>(Counted::counts().total());
}

TEST(Multipliers, WorkIsLinearInSeparateLoops) {
  const double a = work(Case(chained_four_bars(4)), Loops::multipliers),
               b = work(Case(chained_four_bars(8)), Loops::multipliers),
               c = work(Case(chained_four_bars(12)), Loops::multipliers);
  EXPECT_EQ(c - b, b - a);
  std::printf("four-bars by multipliers: %.0f operations each\n", (b - a) / 4);
}

TEST(Multipliers, PredictedWorkIsCounted) {
  for (const Description& d : {chained_four_bars(1), chained_four_bars(1, 2), ring(5), ring(8), ring(16), ring(40),
                               net(1), net(2), net(4), net(8)}) {
    const Case c(d);
    ASSERT_EQ(c.model.data().aggregates.size(), 1u);
    const LoopCost cost = loop_costs(c.model.data()).front();
    EXPECT_EQ(cost.embed, work(c, Loops::embed)) << d.name;
    EXPECT_EQ(cost.multipliers, work(c, Loops::multipliers)) << d.name;
  }
}

/// Whole mechanisms, where aggregates carry bodies and each other and hang from others: what one way saves. Pivots,
/// hence zeros, differ from state to state: 600 mechanisms were within 0.05 but for 19, and one was off by 0.15.
TEST(Multipliers, PredictedDifferencesAreCounted) {
  constexpr int mechanisms = 100;
  int close = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < mechanisms; ++seed) {
    const ClosedMechanism mechanism = random_closed_mechanism(seed);
    const Case c(mechanism.model, mechanism.state);
    double predicted = 0, scale = 0;
    for (const LoopCost& cost : loop_costs(c.model.data())) {
      predicted += cost.embed - cost.multipliers;
      scale += std::max(cost.embed, cost.multipliers);
    }
    const double counted = work(c, Loops::embed) - work(c, Loops::multipliers);
    const double off = std::abs(predicted - counted) / scale;
    close += off <= 0.05;
    keep_worst(worst, off);
  }
  std::printf("differences predicted within 0.05 of the dearer way for %d of %d, within %.2f for all\n", close,
              mechanisms, worst);
  EXPECT_GE(close, 0.95 * mechanisms);
  EXPECT_LE(worst, 0.2);
}

TEST(Multipliers, LargeAggregatesAreCheaperByMultipliers) {
  EXPECT_LT(work(Case(chained_four_bars(1)), Loops::embed), work(Case(chained_four_bars(1)), Loops::multipliers));
  const auto crossover = [](auto&& mechanism, const char* name, int most) {
    int n = 1;
    double before = 0, embed = 0, multipliers = 0;
    for (; n <= most; ++n) {
      const Case c(mechanism(n));
      embed = work(c, Loops::embed), multipliers = work(c, Loops::multipliers);
      if (multipliers < embed) break;
      before = multipliers / embed;
    }
    std::printf("%s: multipliers take fewer operations from size %d on (%.0f, embedding %.0f; ratio before %.2f)\n",
                name, n, multipliers, embed, before);
    EXPECT_LE(n, most);
  };
  crossover([](int n) { return ring(n + 4); }, "ring of 4 + n links", 40);
  crossover([](int n) { return net(n); }, "net of 2 n links", 12);
  for (const Description& d : {ring(40), net(10)}) {
    const Case c(d);
    EXPECT_LT(work(c, Loops::multipliers), 0.7 * work(c, Loops::embed)) << d.name;
    EXPECT_EQ(work(c, Loops::automatic), work(c, Loops::multipliers));
  }
  const Case small(chained_four_bars(3));
  EXPECT_EQ(work(small, Loops::automatic), work(small, Loops::embed));
}

}  // namespace
}  // namespace kinetree::oracle
