// Closing with any joints of random linkages held, as many as one likes: where a solution is known, and where the held
// ones stand anywhere. Each call closes, or tells which held coordinates contradict, or that it is not reached.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <string>

#include "engine/joint/advance.hpp"
#include "engine/model/loops.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace held_sets {

using Eigen::VectorXd;

struct Ends {
  int calls = 0, closed = 0, contradict = 0, velocities = 0, not_reached = 0;
  double seconds = 0, longest = 0;
};

struct Counts {
  Ends planted, anywhere;
  double worst = 0;
  std::uint64_t allocations = 0;  ///< of calls after a model's first
};

/// Some of the tied joints without quaternions, one to all.
std::vector<int> some_held(const Model& model, Random& random) {
  std::vector<int> some;
  for (int i = 0; i < model.body_count(); ++i)
    if (aggregate_of(model.data(), i) >= 0 && quaternion_at(model.joint_type(i)) < 0)
      for (int k = 0; k < velocity_count(model.joint_type(i)); ++k) some.push_back(model.v_index(i) + k);
  if (some.empty()) return some;
  const auto count = static_cast<std::size_t>(1 + random.below(static_cast<int>(some.size())));
  while (some.size() > count) some.erase(some.begin() + random.below(static_cast<int>(some.size())));
  return some;
}

/// What a call that closed must have done.
void expect_closed(const Model& model, Workspace& workspace, const std::vector<int>& held, const VectorXd& q_given,
                   const VectorXd& v_given, const VectorXd& q, const VectorXd& v, Counts& counts) {
  const auto rows = static_cast<Eigen::Index>(constraint_rows(model).size());
  VectorXd errors(rows), rates(rows);
  ASSERT_TRUE(constraint_errors(model, workspace, q, v, errors, rates).ok());
  const double open = std::max(largest_of(errors), largest_of(rates) / (1 + v.norm()));
  EXPECT_LE(open, 1e-12);
  keep_worst(counts.worst, open);
  for (const int k : held) {
    const int i = model.body_of_velocity(k), entry = model.q_index(i) + k - model.v_index(i);
    EXPECT_EQ(q[entry], q_given[entry]);
    EXPECT_EQ(v[k], v_given[k]);
  }
}

/// One call: what is held stands where the linkage is known to close, or anywhere around.
void hold(const ClosedMechanism& m, const Model& model, Workspace& workspace, std::uint64_t seed, bool planted,
          bool first, Counts& counts) {
  Random random(seed);
  const std::vector<int> held = some_held(model, random);
  if (held.empty()) return;
  const auto is_held = [&](int k) { return std::binary_search(held.begin(), held.end(), k); };
  VectorXd away(model.nv()), q(model.nq()), v = planted ? m.state.v : VectorXd::Zero(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    away[k] = planted && is_held(k) ? 0 : 0.3 * random.uniform(-1, 1);
    if (!is_held(k)) v[k] += random.uniform(-1, 1);
  }
  ASSERT_TRUE(integrate(model, m.state.q, away, q).ok());
  const VectorXd q_given = q, v_given = v;
  const bool counted = can_count_allocations() && !first;
  if (counted) start_counting();
  const auto start = std::chrono::steady_clock::now();
  const Status status = close(model, workspace, q, v, held);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (counted) counts.allocations += stop_counting().ours;
  Ends& ends = planted ? counts.planted : counts.anywhere;
  ++ends.calls, ends.seconds += took.count(), keep_worst(ends.longest, took.count());
  if (status.ok()) {
    ++ends.closed;
    return expect_closed(model, workspace, held, q_given, v_given, q, v, counts);
  }
  EXPECT_EQ(status.code, StatusCode::not_closed);
  EXPECT_EQ(q, q_given);
  EXPECT_EQ(v, v_given);
  EXPECT_GT(status.value, 1e-12);
  const std::string argument = status.argument;
  ++(argument == "held" ? ends.contradict : argument == "v" ? ends.velocities : ends.not_reached);
  if (argument != "held") return;
  const auto named = contradicting(workspace);
  EXPECT_FALSE(named.empty());
  for (const int k : named) EXPECT_TRUE(is_held(k));
  const std::string joint = "\"" + std::string(model.joint_name(model.body_of_velocity(named.front()))) + "\"";
  EXPECT_NE(status.message(model).find(joint), std::string::npos) << status.message(model);
}

void print(const char* what, const Ends& ends) {
  std::printf("%d %s: %d closed, %d contradict, %d by velocities, %d not reached; %.0f us each, %.0f ms at most\n",
              ends.calls, what, ends.closed, ends.contradict, ends.velocities, ends.not_reached,
              1e6 * ends.seconds / ends.calls, 1e3 * ends.longest);
}

void hold_in_random_linkages(std::uint64_t mechanisms, std::uint64_t sets) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < mechanisms; ++seed) {
    SCOPED_TRACE(seed);
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    for (std::uint64_t k = 0; k < sets; ++k) hold(m, model, workspace, 1000003 * seed + k, k % 2 == 0, k == 0, counts);
  }
  print("sets held where it closes", counts.planted);
  print("sets held anywhere", counts.anywhere);
  std::printf("worst %.1e\n", counts.worst);
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_GE(counts.planted.closed, counts.planted.calls - counts.planted.calls / 100);
  EXPECT_LE(counts.anywhere.not_reached, counts.anywhere.calls / 100);
  EXPECT_GT(counts.anywhere.contradict, counts.anywhere.calls / 4);
}

TEST(Closing, AnySetHeldEndsClosedOrToldAsContradicting) { hold_in_random_linkages(25, 4); }
TEST(ClosingLong, AnySetHeldEndsClosedOrToldAsContradicting) { hold_in_random_linkages(mechanism_count, 20); }

TEST(Closing, ACouplerThatIsTooShortIsOpenByWhatItLacks) {
  const Model model = make_model(flat_four_bar(0.2, 0.5, 0.3));  // 0.4 apart at the ground
  Workspace workspace(model);
  const std::vector<int> held = velocities_of(model, {"crank1_joint", "rocker1_joint"});
  for (const double a : {2.5, 3.0, 3.8}) {
    VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv());
    q[model.q_index("crank1_joint")] = a, q[model.q_index("rocker1_joint")] = 0.3;
    const double x = 0.4 + 0.3 * std::cos(0.3) - 0.2 * std::cos(a), z = -0.3 * std::sin(0.3) + 0.2 * std::sin(a);
    const Status status = close(model, workspace, q, v, held);
    ASSERT_EQ(status.code, StatusCode::not_closed);
    EXPECT_STREQ(status.argument, "held");
    EXPECT_NEAR(status.value, std::hypot(x, z) - 0.5, 1e-9);
    EXPECT_EQ(contradicting(workspace).size(), 2u);
  }
}

}  // namespace held_sets
}  // namespace kinetree::oracle
