// Limbs and end chains in one model, beside loops, gears and couplings, in double and in float.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_at_zero.hpp"
#include "loops/regular_mechanisms.hpp"
#include "loops/solved_in_parts.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"
#include "parallel/executor.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// Two four-bars with limbs on their couplers; a motor geared to a carrier with limbs of its own; an end chain on a
/// coupler, on the carrier and, in part of the models, on the ground; and whatever `beside` holds.
Model mechanism(int chain, bool on_ground, const Description& beside = {}) {
  Description d = four_bars(2);
  d.bodies.insert(d.bodies.end(), beside.bodies.begin(), beside.bodies.end());
  d.loops.insert(d.loops.end(), beside.loops.begin(), beside.loops.end());
  const auto grow = [&](const std::string& name, const std::string& parent, int length, double size) {
    std::string inboard = parent;
    for (int k = 0; k < length; ++k) {
      const std::string body = name + std::to_string(k);
      const Numbers3 axis = k % 2 == 0 ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0};
      d.bodies.push_back(rod(body, inboard, k == 0 ? 0.1 : size, size + 0.002 * k, axis));
      inboard = body;
    }
  };
  grow("rope", "coupler1", chain, 0.2);
  for (const int k : {1, 2})
    for (const char* side : {"left", "right"})
      grow(side + std::to_string(k) + "_", "coupler" + std::to_string(k), 3, side[0] == 'l' ? 0.3 : 0.4);
  d.bodies.push_back(rod("motor", "world", 0, 0.1));
  d.bodies.push_back(rod("carrier", "world", 0, 0.5));
  CouplingDescription gear;
  gear.name = "gear";
  gear.terms = {{"motor_joint", 1}, {"carrier_joint", -20}};
  d.couplings.push_back(gear);
  grow("first", "carrier", 2, 0.2);
  grow("second", "carrier", 2, 0.25);
  grow("line", "carrier", chain + 5, 0.15);
  if (on_ground) grow("vine", "world", chain - 4, 0.25);
  return make_model(d);
}

Parts parts_of(const Model& model, int width, int grain) {
  Parts parts;
  parts.limbs = limbs_that_pay(model.data(), width);
  // what is longer than a limb should be a chain here, though two such chains would make a pair of limbs
  std::erase_if(parts.limbs.groups, [](const LaneGroup& group) { return group.places() > 8; });
  parts.limbs.taken.assign(model.data().parent.size(), false);
  for (const LaneGroup& group : parts.limbs.groups)
    for (const std::vector<int>& place : group.body)
      for (const int i : place)
        if (i >= 0) parts.limbs.taken[static_cast<std::size_t>(i)] = true;
  parts.end_chains = find_end_chains(model.data(), width, grain, {}, parts.limbs.taken);
  return parts;
}

/// On every set and width; `least`: an error that is none.
template <class T>
void compare(const Model& model, const Errors& errors, double least) {
  for (const InstructionSet set : sets()) {
    const double alone = errors.worst(*body_by_body<T>(set, model));
    for (const int width : limb_widths(set))
      for (const int grain : {0, 3}) {
        const Parts parts = parts_of(model, width, grain);
        if (parts.limbs.groups.empty() && width > 4) continue;  // more lanes than limbs
        ASSERT_FALSE(parts.limbs.groups.empty());
        ASSERT_GE(parts.end_chains.all.size(), 2u);
        expect_as_accurate<T>(set, model, parts, errors, alone, least, grain);
      }
  }
}

TEST(PartsTogether, AsAccurateAsBodyByBody) {
  for (const bool on_ground : {false, true}) {
    const Model model = mechanism(18 + 3 * on_ground, on_ground);
    compare<double>(model, Errors(model, 4, false), 1e-13);
    compare<float>(model, Errors(model, 4, true), 1e-6);
  }
}

TEST(PartsTogether, SameBitsOnThreads) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const InstructionSet set = instruction_set();
  const Model model = mechanism(40, true);
  const TestState s = state_of(model, bench::random_states(model, 1, 9), 0);
  for (const int grain : {0, 3}) {
    const Parts parts = parts_of(model, lane_width(set), grain);
    const auto serial = make_parts_solver<double>(set, model, refined(1), parts);
    const Eigen::VectorXd expected = solved(*serial, s, true);
    for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::openmp}) {
      const auto solver = make_parts_solver<double>(set, model, refined(1), parts);
      const Tasks tasks = make_tasks(solver->modules(), step_work(model, solver->modules(), refined(1), parts), 1000);
      const std::unique_ptr<Executor> executor = make_executor(kind, 3);
      executor->prepare(solver->passes(), solver->space(), tasks);
      for (int run = 0; run < 20; ++run) {
        StateNumbers<double> numbers(s);
        const State<double> state = numbers.state(true);
        solver->set({&state, 1});
        executor->run();
        solver->store();
        ASSERT_TRUE(numbers.a == expected) << "run " << run;
      }
    }
  }
}

TEST(PartsTogether, FaultsAreThoseOfBodyByBody) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const InstructionSet set = instruction_set();
  const Model model = mechanism(20, true, closed_at_zero::parallelogram());
  TestState s = state_of(model, bench::random_states(model, 1, 9), 0);
  const auto alone = body_by_body<double>(set, model);
  const auto together = make_parts_solver<double>(set, model, refined(1), parts_of(model, lane_width(set), 0));
  solved(*together, s, false);
  EXPECT_TRUE(together->loop_fault(0).ok());
  EXPECT_EQ(together->singular_body(), -1);
  EXPECT_EQ(together->idle_body(0), -1);
  s.q.setZero(), s.v.setZero();  // the parallelogram is flat
  solved(*alone, s, false), solved(*together, s, false);
  EXPECT_EQ(alone->loop_fault(0).code, StatusCode::singular_loop);
  EXPECT_EQ(together->loop_fault(0).code, StatusCode::singular_loop);
  EXPECT_EQ(together->loop_fault(0).body, alone->loop_fault(0).body);
}

/// A hub with six legs and a rope: the planner takes both, and the plan that it tells gives the same bits again.
TEST(PartsTogether, AreTakenWhereTheyPayAndReplayed) {
  const int width = lane_width(instruction_set());
  if (width < 4) GTEST_SKIP() << "two modules with their columns take longer than two without";
  Description d;
  const auto grow = [&](const std::string& name, int length, double size) {
    std::string inboard = "hub";
    for (int k = 0; k < length; ++k) {
      const std::string body = name + std::to_string(k);
      d.bodies.push_back(rod(body, inboard, 0.1, size, k % 2 == 0 ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0}));
      inboard = body;
    }
  };
  d.bodies.push_back(rod("hub", "world", 0, 0.5));
  for (int leg = 0; leg < 40; ++leg) grow("leg" + std::to_string(leg) + "_", 6, 0.2 + 0.001 * leg);
  grow("rope", 1200, 0.1);
  const Model model = make_model(d);
  ForwardDynamics dynamics(model);
  const Plan plan = dynamics.plan();
  EXPECT_GT(plan.limbs, 1);
  if (lane_width(instruction_set()) < 8) {
    EXPECT_EQ(plan.algorithm, Algorithm::ab) << "in four lanes modules of the rope take as long";
    return;
  }
  EXPECT_EQ(plan.algorithm, Algorithm::modular);
  EXPECT_GT(plan.end_chains, 1);
  ForwardDynamics again(model, plan), alone(model, {.algorithm = Algorithm::ab});
  const TestState s = state_of(model, bench::random_states(model, 1, 2), 0);
  Eigen::VectorXd a(model.nv()), b(model.nv()), c(model.nv());
  ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, s.f_ext, a).ok());
  ASSERT_TRUE(again.solve(s.q, s.v, s.tau, s.f_ext, b).ok());
  ASSERT_TRUE(alone.solve(s.q, s.v, s.tau, s.f_ext, c).ok());
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c) << "by other kernels";
  EXPECT_LE((a - c).norm(), 1e-9 * c.norm());
  Plan without = plan;
  without.end_chains = 1;
  EXPECT_THROW(ForwardDynamics(model, without), std::invalid_argument) << "modular has limbs beside end chains alone";
}

}  // namespace
}  // namespace kinetree::oracle
