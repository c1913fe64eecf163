// Multipliers on the spanning tree against an oracle that shares nothing with them, where constraints are redundant or
// lose rank, and what they cost beside embedding.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <kinetree/algorithm/multipliers_choice.hpp>
#include <kinetree/algorithm/solver.hpp>
#include <kinetree/scalar/counted.hpp>
#include <kinetree/scalar/worst.hpp>

#include "loops/closed_mechanisms.hpp"
#include "oracle/plans.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

Options plan_with(Loops loops) {
  Options o = serial(Algorithm::ab);
  o.loops = loops;
  return o;
}

/// Largest difference, relative to the largest entry or 1.
double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return largest_of(a - b) / std::max(1.0, largest_of(b));
}

// ---- mechanisms that are closed at zero, all frames parallel there
// ---------------------------------------------------

BodyDescription body(const std::string& name, const std::string& parent, const Numbers3& origin, const char* type,
                     const Numbers3& axis = {0, 1, 0}) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = "j_" + name, b.joint.type = type, b.joint.axis = axis;
  b.joint.origin.xyz = origin;
  b.inertial = InertialDescription{0.7, {{0.1, 0.03, 0.05}}, {0.02, 0.03, 0.04, 0.001, -0.002, 0.003}};
  return b;
}

LoopDescription loop(const std::string& name, const char* type, const std::string& first, const Numbers3& at_first,
                     const std::string& second, const Numbers3& at_second) {
  LoopDescription l;
  l.name = name, l.type = type, l.axis = {0, 1, 0};
  l.first.body = first, l.first.frame.xyz = at_first;
  l.second.body = second, l.second.frame.xyz = at_second;
  return l;
}

/// n four-bars in the x-z plane, each on the coupler of the one before. `closures`: loop joints per loop, all the same.
Description four_bars(int n, int closures = 1) {
  Description d;
  d.name = "four_bars";
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), base = i == 0 ? "world" : "coupler" + std::to_string(i - 1);
    d.bodies.push_back(body("crank" + k, base, {0.1, 0, 0}, "revolute"));
    d.bodies.push_back(body("coupler" + k, "crank" + k, {0.05, 0, 0.2}, "revolute"));
    d.bodies.push_back(body("rocker" + k, base, {0.6, 0, 0}, "revolute"));
    for (int c = 0; c < closures; ++c)
      d.loops.push_back(loop("loop" + k + "_" + std::to_string(c), "revolute", "coupler" + k, {0.4, 0, 0.1},
                             "rocker" + k, {-0.05, 0, 0.3}));
  }
  return d;
}

/// A parallelogram, flat at zero: there it may also fold.
Description parallelogram() {
  Description d;
  d.name = "parallelogram";
  d.bodies.push_back(body("crank", "world", {0, 0, 0}, "revolute"));
  d.bodies.push_back(body("coupler", "crank", {0.2, 0, 0}, "revolute"));
  d.bodies.push_back(body("rocker", "world", {0.4, 0, 0}, "revolute"));
  d.loops.push_back(loop("closure", "revolute", "coupler", {0.4, 0, 0}, "rocker", {0.2, 0, 0}));
  return d;
}

/// n turning links from the ground and back to it by a ball: one loop.
Description ring(int n) {
  Description d;
  d.name = "ring";
  Numbers3 end{0.2, 0.1, 0};
  for (int i = 0; i < n; ++i) {
    const Numbers3 origin{0.2, i % 2 == 0 ? 0.1 : -0.07, 0.05 * (i % 3)};
    const Numbers3 axis = i % 3 == 0 ? Numbers3{0, 1, 0} : (i % 3 == 1 ? Numbers3{0, 0, 1} : Numbers3{1, 0.2, 0});
    d.bodies.push_back(
        body("link" + std::to_string(i), i == 0 ? "world" : "link" + std::to_string(i - 1), origin, "revolute", axis));
    for (std::size_t k = 0; k < 3; ++k) end[k] += origin[k];
  }
  d.loops.push_back(loop("ring", "spherical", "link" + std::to_string(n - 1), {0.2, 0.1, 0}, "world", end));
  return d;
}

/// Two chains of n links on balls, side by side, joined by a ball at every link: a net, all of it one aggregate.
Description net(int n) {
  Description d;
  d.name = "net";
  for (const char side : {'a', 'b'})
    for (int i = 0; i < n; ++i) {
      const double y = i > 0 ? (i % 2 == 0 ? 0.1 : -0.07) : (side == 'a' ? 0.0 : 0.5);
      d.bodies.push_back(body(side + std::to_string(i), i == 0 ? "world" : side + std::to_string(i - 1),
                              {0.2, y, 0.05 * (i % 3)}, "spherical"));
    }
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    d.loops.push_back(loop("rung" + k, "spherical", "a" + k, {0.1, 0.2, 0.06}, "b" + k, {0.1, -0.3, 0.06}));
  }
  return d;
}

/// A closed state at zero positions, and the oracle's answer.
struct Case {
  Model model;
  TestState state;
  Eigen::VectorXd truth;

  Case(Model m, TestState s) : model(std::move(m)), state(std::move(s)) {}
  explicit Case(const Description& d, std::uint64_t seed = 1, Eigen::VectorXd q = {}) : model(make_model(d)) {
    Description open = d;
    open.loops.clear(), open.couplings.clear();
    const Model tree = make_model(open);
    state = random_state(tree, seed);
    const std::vector<double> zero = zero_of(tree.data());
    state.q = q.size() > 0 ? q : Eigen::Map<const Eigen::VectorXd>(zero.data(), tree.nq());
    ClosedOracle oracle(d, tree);
    oracle.set(state.q, state.v);
    EXPECT_LE(largest_of(oracle.error()), 1e-12);
    state.v = oracle.allowed(state.v);
    oracle.set(state.q, state.v);
    truth = oracle.accelerations(state.tau);
  }

  static std::vector<double> zero_of(const ModelData& m) {
    std::vector<double> q(static_cast<std::size_t>(m.q_index.back()), 0);
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      if (m.joint_type[i] == JointType::spherical) q[static_cast<std::size_t>(m.q_index[i + 1] - 1)] = 1;
    return q;
  }
};

// ---- accelerations
// ---------------------------------------------------------------------------------------------------

TEST(Multipliers, RandomMechanismsAgreeWithTheOracle) {
  double worst = 0;
  int constraints = 0, mixed = 0;
  for (std::uint64_t seed = 0; seed < mechanism_count; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model model = make_model(m.description);
    ClosedOracle oracle(m.description, m.tree);
    const bool external = seed % 3 == 0;
    oracle.set(m.state.q, m.state.v, external ? m.state.f_ext : Eigen::VectorXd{});
    const Eigen::VectorXd truth = oracle.accelerations(m.state.tau);
    constraints += static_cast<int>(m.description.loops.size() + m.description.couplings.size());
    for (const Loops loops : {Loops::multipliers, Loops::automatic}) {
      ForwardDynamics dynamics(model, plan_with(loops));
      mixed += dynamics.plan().loops == Loops::automatic;
      Eigen::VectorXd a(model.nv());
      const Status status = external ? dynamics.solve(m.state.q, m.state.v, m.state.tau, m.state.f_ext, a)
                                     : dynamics.solve(m.state.q, m.state.v, m.state.tau, a);
      ASSERT_TRUE(status.ok()) << seed << ": " << status.message(model);
      EXPECT_LE(difference(a, truth), 2e-9) << seed << (loops == Loops::automatic ? ", automatic" : "");
      keep_worst(worst, difference(a, truth));
    }
  }
  std::printf("%d constraints, worst %.1e; %d models with aggregates of both kinds\n", constraints, worst, mixed);
  EXPECT_GT(mixed, 0);
}

TEST(Multipliers, RedundantConstraintsAreLeftOut) {
  for (const int closures : {1, 2, 3}) {
    const Case c(four_bars(4, closures));
    for (const Loops loops : {Loops::embed, Loops::multipliers}) {
      ForwardDynamics dynamics(c.model, plan_with(loops));
      EXPECT_LE(difference(accelerations(dynamics, c.state), c.truth), 1e-10) << closures;
    }
  }
}

TEST(Multipliers, RingsAndNets) {
  for (const Description& d : {ring(6), ring(17), net(2), net(5)}) {
    const Case c(d);
    ForwardDynamics dynamics(c.model, plan_with(Loops::multipliers));
    EXPECT_LE(difference(accelerations(dynamics, c.state), c.truth), 1e-9) << d.name << c.model.body_count();
  }
}

TEST(Multipliers, InFloat) {
  for (const Description& d : {four_bars(3), ring(8)}) {
    const Case c(d);
    ForwardDynamics dynamics(c.model, plan_with(Loops::multipliers));
    const Eigen::VectorXf q = c.state.q.cast<float>(), v = c.state.v.cast<float>(), tau = c.state.tau.cast<float>();
    Eigen::VectorXf a(c.model.nv());
    const Status status = dynamics.solve(q, v, tau, a);
    ASSERT_TRUE(status.ok()) << status.message(c.model);
    EXPECT_LE(difference(a.cast<double>(), c.truth), 2e-3) << d.name;
  }
}

TEST(Multipliers, WhereRankIsLostAStatusOrTheRightAnswer) {
  const Model model = make_model(parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
    int answers = 0;
    for (const double angle : {0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 0.0}) {
      const Eigen::Vector3d q(angle, -angle, angle), v(0.3, -0.3, 0.3), tau(1, -2, 0.5);
      Eigen::VectorXd a(3);
      const Status status = dynamics.solve(q, v, tau, a);
      // as a parallelogram all three turn alike, whatever the forces
      const double off = std::abs(a[0] + a[1]) + std::abs(a[0] - a[2]);
      if (status.ok()) {
        EXPECT_LE(off, 1e-15 / (angle * angle) + 1e-12) << angle;
        ++answers;
      } else {
        EXPECT_EQ(status.code, StatusCode::singular_loop) << angle;
        EXPECT_TRUE(a.hasNaN());
        EXPECT_NE(status.message(model).find("closure"), std::string::npos);
      }
      if (loops == Loops::multipliers) std::printf("angle %.0e: %s, off %.1e\n", angle, status.ok() ? "ok" : "no", off);
      if (angle == 0.0) {
        EXPECT_FALSE(status.ok());
      }
    }
    EXPECT_GE(answers, 5);
  }
}

TEST(Multipliers, ContradictingRowsAreRefused) {
  // what the loop of a parallelogram implies, once more as a gear: with velocities that open the loop the two ask for
  // different accelerations
  Description d = parallelogram();
  d.couplings.push_back({"gear", {{"j_crank", 1}, {"j_rocker", -1}}, 0});
  const Model model = make_model(d);
  ForwardDynamics dynamics(model, plan_with(Loops::multipliers));
  const Eigen::Vector3d q(0.5, -0.5, 0.5), tau(1, -2, 0.5);
  Eigen::Vector3d a;
  ASSERT_TRUE(dynamics.solve(q, Eigen::Vector3d(0.3, -0.3, 0.3), tau, a).ok());
  EXPECT_LE(std::abs(a[0] - a[2]) + std::abs(a[0] + a[1]), 1e-12);
  EXPECT_EQ(dynamics.solve(q, Eigen::Vector3d(0.3, -0.3, 0.6), tau, a).code, StatusCode::singular_loop);
  EXPECT_TRUE(a.hasNaN());
}

TEST(Multipliers, AModelWithoutLoopsIsAsEver) {
  const Model model = make_model("random:30:seed=4:floating=1");
  const TestState s = random_state(model, 2);
  ForwardDynamics plain(model, serial(Algorithm::ab));
  const Eigen::VectorXd expected = accelerations(plain, s, true);
  for (const Loops loops : {Loops::automatic, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
    EXPECT_EQ(dynamics.plan().loops, Loops::embed);
    EXPECT_EQ(accelerations(dynamics, s, true), expected);
  }
}

TEST(Multipliers, OtherAlgorithmsEmbedAndRefuseThem) {
  const Model model = make_model(four_bars(2));
  for (const Algorithm algorithm : {Algorithm::crb, Algorithm::cfa, Algorithm::modular}) {
    Options o = serial(algorithm);
    EXPECT_EQ(ForwardDynamics(model, o).plan().loops, Loops::embed);
    o.loops = Loops::multipliers;
    EXPECT_THROW(ForwardDynamics(model, o), OptionError);
  }
}

// ---- executors and memory
// --------------------------------------------------------------------------------------------

TEST(Multipliers, SameBytesOnEveryExecutor) {
  for (const Description& d : {four_bars(60), net(6)}) {
    const Case c(d);
    for (const Loops loops : {Loops::multipliers, Loops::automatic}) {
      Options o = plan_with(loops);
      ForwardDynamics serially(c.model, o);
      const Eigen::VectorXd expected = accelerations(serially, c.state);
      ASSERT_FALSE(expected.hasNaN());
      for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::openmp})
        for (const int threads : {2, 3}) {
          o.executor = executor, o.threads = threads;
          ForwardDynamics dynamics(c.model, o);
          const Eigen::VectorXd a = accelerations(dynamics, c.state);
          EXPECT_EQ(std::memcmp(a.data(), expected.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0)
              << d.name << ", " << name_of(executor) << " on " << threads;
          const Eigen::MatrixXd q = c.state.q.replicate(1, 5), v = c.state.v.replicate(1, 5),
                                tau = c.state.tau.replicate(1, 5);
          Eigen::MatrixXd several(c.model.nv(), 5);
          ASSERT_TRUE(dynamics.solve(q, v, tau, several).ok());
          EXPECT_EQ(several, expected.replicate(1, 5));
        }
    }
  }
}

TEST(Multipliers, NoAllocationAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Case c(net(4));
  for (const ExecutorKind executor : {ExecutorKind::serial, ExecutorKind::tbb, ExecutorKind::openmp}) {
    Options o = plan_with(Loops::multipliers);
    o.executor = executor, o.threads = executor == ExecutorKind::serial ? 1 : 2;
    ForwardDynamics dynamics(c.model, o);
    Eigen::VectorXd a(c.model.nv());
    ASSERT_TRUE(dynamics.solve(c.state.q, c.state.v, c.state.tau, a).ok());
    start_counting();
    const bool solved = dynamics.solve(c.state.q, c.state.v, c.state.tau, a).ok();
    EXPECT_EQ(stop_counting().ours, 0u) << name_of(executor);
    EXPECT_TRUE(solved);
  }
}

// ---- work
// ------------------------------------------------------------------------------------------------------------

/// Operations of one solve behind the first; without those of kinematics where `beyond` says so.
double work(const Case& c, Loops loops, bool beyond = false) {
  const auto counted = [](const Eigen::VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const std::vector<Counted> q = counted(c.state.q), v = counted(c.state.v), tau = counted(c.state.tau);
  std::vector<Counted> a(v.size());
  Plan plan;
  plan.loops = loops;
  Solver<Counted> solver(c.model, plan);
  solver.solve({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  Counted::counts() = {};
  if (beyond) run_serial(solver.passes().first(1), solver.space(), solver.step_count());
  const double kinematics = static_cast<double>(Counted::counts().total());
  Counted::counts() = {};
  solver.run();
  return static_cast<double>(Counted::counts().total()) - kinematics;
}

TEST(Multipliers, WorkIsLinearInSeparateLoops) {
  const double a = work(Case(four_bars(4)), Loops::multipliers), b = work(Case(four_bars(8)), Loops::multipliers),
               c = work(Case(four_bars(12)), Loops::multipliers);
  EXPECT_EQ(c - b, b - a);
  std::printf("four-bars by multipliers: %.0f operations each\n", (b - a) / 4);
}

TEST(Multipliers, PredictedWorkIsCounted) {
  double worst = 1;
  for (const Description& d :
       {four_bars(1), four_bars(1, 2), ring(5), ring(8), ring(16), ring(40), net(1), net(2), net(4), net(8)}) {
    const Case c(d);
    ASSERT_EQ(c.model.data().aggregates.size(), 1u);
    const LoopCost cost = loop_cost(c.model.data(), c.model.data().aggregates[0]);
    const double embed = work(c, Loops::embed, true), multipliers = work(c, Loops::multipliers, true);
    std::printf("%-10s %2d bodies: embed %8.0f predicted %8.0f, multipliers %8.0f predicted %8.0f\n", d.name.c_str(),
                c.model.body_count(), embed, cost.embed, multipliers, cost.multipliers);
    for (const double ratio : {cost.embed / embed, cost.multipliers / multipliers}) {
      keep_worst(worst, ratio);
      keep_worst(worst, 1 / ratio);
    }
  }
  std::printf("predictions within a factor of %.2f\n", worst);
  EXPECT_LE(worst, 1.25);
}

TEST(Multipliers, PredictedDifferencesAreCounted) {
  // of whole mechanisms, where aggregates carry bodies and each other and hang from others: what one way saves
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ClosedMechanism mechanism = random_closed_mechanism(seed);
    const Case c(make_model(mechanism.description), mechanism.state);
    double predicted = 0, scale = 0;
    for (const Aggregate& a : c.model.data().aggregates) {
      const LoopCost cost = loop_cost(c.model.data(), a);
      predicted += cost.embed - cost.multipliers;
      scale += std::max(cost.embed, cost.multipliers);
    }
    const double counted = work(c, Loops::embed) - work(c, Loops::multipliers);
    keep_worst(worst, std::abs(predicted - counted) / scale);
  }
  std::printf("differences predicted within %.2f of the dearer way\n", worst);
  EXPECT_LE(worst, 0.25);
}

TEST(Multipliers, LargeAggregatesAreCheaperByMultipliers) {
  EXPECT_LT(work(Case(four_bars(1)), Loops::embed), work(Case(four_bars(1)), Loops::multipliers));
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
  const Case small(four_bars(3));
  EXPECT_EQ(work(small, Loops::automatic), work(small, Loops::embed));
}

}  // namespace
}  // namespace kinetree::oracle
