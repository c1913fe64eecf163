// Limbs side by side in a model with loops and couplings: they hang from bodies that loops tie, and beside gears.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_at_zero.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/plans.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// Two four-bars, limbs of `length` bodies on their couplers, a motor geared to the carrier of two more, and whatever
/// `beside` holds.
Model mechanism(int length, const Description& beside = {}) {
  Description d = four_bars(2);
  d.bodies.insert(d.bodies.end(), beside.bodies.begin(), beside.bodies.end());
  d.loops.insert(d.loops.end(), beside.loops.begin(), beside.loops.end());
  const auto grow = [&](const std::string& name, const std::string& parent, double size) {
    std::string inboard = parent;
    for (int k = 0; k < length; ++k) {
      const std::string body = name + std::to_string(k);
      const Numbers3 axis = k % 2 == 0 ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0};
      d.bodies.push_back(rod(body, inboard, k == 0 ? 0.1 : 0.3, size + 0.05 * k, axis));
      inboard = body;
    }
  };
  for (const int k : {1, 2})
    for (const char* side : {"left", "right"})
      grow(side + std::to_string(k) + "_", "coupler" + std::to_string(k), side[0] == 'l' ? 0.3 : 0.4);
  d.bodies.push_back(rod("motor", "world", 0, 0.1));
  d.bodies.push_back(rod("carrier", "world", 0, 0.5));
  CouplingDescription gear;
  gear.name = "gear";
  gear.terms = {{"motor_joint", 1}, {"carrier_joint", -20}};
  d.couplings.push_back(gear);
  grow("first", "carrier", 0.2);
  grow("second", "carrier", 0.25);
  return make_model(d);
}

TEST(LimbsBesideLoops, EqualBodyByBody) {
  for (const int length : {3, 6}) {
    const Model model = mechanism(length);
    ASSERT_GE(model.data().aggregates.size(), 2u);
    const bench::StateSet states = bench::random_states(model, 12, 4);
    for (const InstructionSet set : sets())
      for (const int width : limb_widths(set)) {
        const Environment limited(name_of(set));
        const Limbs limbs = limbs_that_pay(model.data(), width);
        ASSERT_FALSE(limbs.groups.empty()) << name_of(set) << ", " << width;
        for (const Loops loops : {Loops::embed, Loops::multipliers}) {
          Options o = serial(Algorithm::ab);
          o.loops = loops, o.limbs = 1;
          ForwardDynamics body_by_body(model, o);
          o.limbs = width;
          ForwardDynamics side_by_side(model, o);
          EXPECT_EQ(side_by_side.plan().limbs, width);
          double worst = 0;
          for (Eigen::Index c = 0; c < states.count(); ++c) {
            Eigen::VectorXd expected(model.nv()), a(model.nv()), f(6 * model.body_count());
            for (Eigen::Index k = 0; k < f.size(); ++k) f[k] = std::sin(1.0 + static_cast<double>(k + 7 * c));
            const Eigen::VectorXd q = states.q.col(c), v = states.v.col(c), tau = states.tau.col(c);
            EXPECT_TRUE(body_by_body.solve(q, v, tau, f, expected).ok());
            EXPECT_TRUE(side_by_side.solve(q, v, tau, f, a).ok());
            keep_worst(worst, (a - expected).norm() / expected.norm());
          }
          EXPECT_LE(worst, 1e-11) << name_of(set) << ", " << width << " limbs of " << length;
        }
      }
  }
}

/// The bits are those of any executor, and a change point is told as without limbs.
TEST(LimbsBesideLoops, OnThreadsAndAtFaults) {
  const Model model = mechanism(4, closed_at_zero::parallelogram());
  bench::StateSet states = bench::random_states(model, 1, 9);
  Options o = serial(Algorithm::ab);
  o.limbs = limb_widths(instruction_set()).empty() ? 1 : limb_widths(instruction_set()).front();
  const auto solve = [&](const Options& options, Status& status) {
    ForwardDynamics dynamics(model, options);
    Eigen::VectorXd a(model.nv());
    status = dynamics.solve(states.q.col(0), states.v.col(0), states.tau.col(0), a);
    return a;
  };
  Status status;
  const Eigen::VectorXd expected = solve(o, status);
  for (const ExecutorKind executor : threaded_executors) {
    Options many = o;
    many.executor = executor, many.threads = 2;
    EXPECT_TRUE(solve(many, status) == expected);
    EXPECT_TRUE(status.ok());
  }
  states.q.setZero(), states.v.setZero();  // the parallelogram is flat
  Options plain = o;
  plain.limbs = 1;
  Status alone;
  solve(plain, alone);
  solve(o, status);
  EXPECT_EQ(alone.code, StatusCode::singular_loop);
  EXPECT_EQ(status.code, alone.code);
  EXPECT_EQ(status.body, alone.body);
}

}  // namespace
}  // namespace kinetree::oracle
