// Closing with coordinates held: random linkages where a solution is known, held sets that contradict, other assembly
// modes, and what calls leave as it was.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace closing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The largest error of a closed state, rates over 1 + |v|.
double openness(const Model& model, Workspace& workspace, const VectorXd& q, const VectorXd& v) {
  const auto rows = static_cast<Eigen::Index>(constraint_rows(model).size());
  VectorXd errors(rows), rates(rows);
  if (!constraint_errors(model, workspace, q, v, errors, rates).ok()) return NAN;
  return rows == 0 ? 0 : std::max(largest_of(errors), largest_of(rates) / (1 + v.norm()));
}

/// Entries of v that are angles or displacements of tied joints without quaternions.
std::vector<int> tied_entries(const Model& model) {
  std::vector<int> entries;
  for (int i = 0; i < model.body_count(); ++i)
    if (aggregate_of(model.data(), i) >= 0 && quaternion_at(model.joint_type(i)) < 0)
      for (int k = 0; k < velocity_count(model.joint_type(i)); ++k) entries.push_back(model.v_index(i) + k);
  return entries;
}

struct Counts {
  int planted = 0, not_reached = 0, contradictions = 0, named = 0, others = 0;
  double worst = 0, seconds = 0, longest = 0;
  std::uint64_t allocations = 0;  ///< of calls after a model's first
};

/// A linkage that is closed at its state: what is not held is moved away, and is found again, or another place that
/// closes.
void close_again(const ClosedMechanism& m, const Model& model, Workspace& workspace, std::uint64_t seed, VectorXd& q,
                 VectorXd& v, Counts& counts) {
  Random random(seed + 5);
  const std::vector<int> held = independent_velocities(model);
  VectorXd away(model.nv());
  v = m.state.v;
  for (int k = 0; k < model.nv(); ++k)
    away[k] = std::binary_search(held.begin(), held.end(), k) ? 0 : 0.3 * random.uniform(-1, 1);
  ASSERT_TRUE(integrate(model, m.state.q, away, q).ok());
  for (int k = 0; k < model.nv(); ++k)
    if (away[k] != 0) v[k] += random.uniform(-1, 1);
  ++counts.planted;
  const VectorXd given = q;
  const bool counted = can_count_allocations() && seed % 20 > 0;
  if (counted) start_counting();
  const auto start = std::chrono::steady_clock::now();
  const Status status = close(model, workspace, q, v);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (counted) counts.allocations += stop_counting().ours;
  counts.seconds += took.count(), keep_worst(counts.longest, took.count());
  if (!status.ok()) {
    EXPECT_EQ(status.code, StatusCode::not_closed) << seed;
    EXPECT_EQ(q, given) << seed;
    ++counts.not_reached;
    return;
  }
  EXPECT_LE(openness(model, workspace, q, v), 1e-12) << seed;
  keep_worst(counts.worst, openness(model, workspace, q, v));
  for (const int k : held) {
    const int i = model.body_of_velocity(k), entry = model.q_index(i) + k - model.v_index(i);
    EXPECT_EQ(v[k], m.state.v[k]) << seed;
    if (quaternion_at(model.joint_type(i)) < 0) {
      EXPECT_EQ(q[entry], m.state.q[entry]) << seed;
    }
  }
}

/// The same from several places; then one coordinate more is held, off its place.
void close_and_contradict(std::uint64_t seed, Counts& counts) {
  const ClosedMechanism m = random_closed_mechanism(seed);
  const Model& model = m.model;
  Workspace workspace(model);
  std::vector<int> held = independent_velocities(model);
  VectorXd q(model.nq()), v(model.nv());
  for (std::uint64_t k = 0; k < 20; ++k) close_again(m, model, workspace, 20 * seed + k, q, v, counts);
  if (!workspace.statuses()[0].ok()) return;
  // one more, off
  const std::vector<int> tied = tied_entries(model);
  int other = -1;
  for (const int k : tied)
    if (!std::binary_search(held.begin(), held.end(), k)) other = k;
  if (other < 0) return;
  held.insert(std::upper_bound(held.begin(), held.end(), other), other);
  const int body = model.body_of_velocity(other);
  q[model.q_index(body) + other - model.v_index(body)] += 0.3;
  const VectorXd before = q;
  const Status refused = close(model, workspace, q, v, held);
  if (refused.ok()) {  // there is another place that closes, or the other held coordinates moved nothing
    EXPECT_LE(openness(model, workspace, q, v), 1e-12) << seed;
    EXPECT_EQ(q[model.q_index(body) + other - model.v_index(body)],
              before[model.q_index(body) + other - model.v_index(body)]);
    ++counts.others;
    return;
  }
  EXPECT_EQ(refused.code, StatusCode::not_closed);
  EXPECT_EQ(q, before) << seed;
  if (std::string(refused.argument) == "v") return;
  EXPECT_GT(refused.value, 1e-10) << seed;
  if (std::string(refused.argument) != "held") return;
  ++counts.contradictions;
  const auto named = contradicting(workspace);
  EXPECT_FALSE(named.empty());
  bool has_other = false;
  for (const int k : named) has_other = has_other || k == other || model.body_of_velocity(k) == body;
  counts.named += has_other;
  for (const int k : named)
    EXPECT_TRUE(std::binary_search(held.begin(), held.end(), k) ||
                quaternion_at(model.joint_type(model.body_of_velocity(k))) >= 0);
}

void close_random_linkages(std::uint64_t count) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < count; ++seed) close_and_contradict(seed, counts);
  std::printf(
      "%d linkages in %.1f us each, %.2f ms at most, %d not reached, worst %.1e; one more held: %d contradict "
      "(%d by it), %d close elsewhere\n",
      counts.planted, 1e6 * counts.seconds / counts.planted, 1e3 * counts.longest, counts.not_reached, counts.worst,
      counts.contradictions, counts.named, counts.others);
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_LE(counts.not_reached, counts.planted / 100);
  EXPECT_GT(counts.contradictions, counts.planted / 80);
  EXPECT_EQ(counts.named, counts.contradictions);
}

TEST(Closing, RandomLinkagesAreClosedOrContradict) { close_random_linkages(few_mechanisms / 4); }
TEST(ClosingLong, RandomLinkagesAreClosedOrContradict) { close_random_linkages(mechanism_count); }

TEST(Closing, ACouplingWhoseJointsAreAllHeldIsAContradictionThatNamesThem) {
  Description d;
  d.name = "gears";
  for (const char* name : {"a", "b", "free"}) d.bodies.push_back(rod(name, "world", 0, 0.1));
  d.couplings = {{"gear", {{"a_joint", 3}, {"b_joint", 1}}, 0}};
  const Model model = make_model(d);
  Workspace workspace(model);
  const std::vector<int> both = velocities_of(model, {"a_joint", "b_joint"});
  VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  q[0] += 0.1;
  const Status status = close(model, workspace, q, v, both);
  ASSERT_EQ(status.code, StatusCode::not_closed);
  EXPECT_STREQ(status.argument, "held");
  EXPECT_EQ(contradicting(workspace).size(), 2u);
  const std::string message = status.message(model);
  EXPECT_NE(message.find("held"), std::string::npos) << message;
  EXPECT_NE(message.find("a_joint"), std::string::npos) << message;
  q = neutral(model);  // held as they stand closed, all is well
  EXPECT_TRUE(close(model, workspace, q, v, both).ok());
  v[0] = 1;
  const Status moving = close(model, workspace, q, v, both);
  EXPECT_EQ(moving.code, StatusCode::not_closed);
  EXPECT_STREQ(moving.argument, "v");
}

TEST(Closing, AnyJointOfAFourBarMayLead) {
  const Model model = make_model("fourbars:1");
  Workspace workspace(model);
  for (const char* joint : {"crank1_joint", "coupler1_joint", "rocker1_joint"}) {
    VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
    const std::vector<int> held = velocities_of(model, {joint});
    const int entry = model.q_index(joint);
    q[entry] += 0.02, v[held[0]] = 0.7;
    const double wanted = q[entry];
    const Status status = close(model, workspace, q, v, held);
    ASSERT_TRUE(status.ok()) << joint << ": " << status.message(model);
    EXPECT_EQ(q[entry], wanted);
    EXPECT_EQ(v[held[0]], 0.7);
    EXPECT_LE(openness(model, workspace, q, v), 1e-14);
  }
  EXPECT_THROW(velocities_of(model, {"crank"}), std::invalid_argument);
}

TEST(Closing, AFourBarHasTwoAssemblyModes) {
  const Model model = make_model("fourbars:1");
  const MatrixXd modes = assembly_modes(model, neutral(model), velocities_of(model, {"crank1_joint"}), 10);
  ASSERT_EQ(modes.cols(), 2);
  Workspace workspace(model);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(modes(model.q_index("crank1_joint"), k), neutral(model)[model.q_index("crank1_joint")]);
    EXPECT_LE(openness(model, workspace, modes.col(k), VectorXd::Zero(model.nv())), 1e-12);
  }
  EXPECT_GT((modes.col(0) - modes.col(1)).norm(), 0.1);
}

TEST(Closing, ColumnsAreByThemselvesAndFloatIsRoundedOnce) {
  const Model model = make_model("fourbars:2");
  Workspace workspace(model);
  MatrixXd q = neutral(model).replicate(1, 3), v = MatrixXd::Zero(model.nv(), 3);
  q(model.q_index("crank1_joint"), 0) += 0.03;
  q(0, 1) = NAN;
  q(model.q_index("crank2_joint"), 2) -= 0.05;
  const Eigen::MatrixXf given = q.cast<float>();
  Eigen::MatrixXf q_float = given, v_float = v.cast<float>();
  const std::vector<int> cranks = velocities_of(model, {"crank1_joint", "crank2_joint"});
  EXPECT_EQ(close(model, workspace, q, v, cranks).code, StatusCode::not_finite);
  EXPECT_EQ(workspace.statuses().size(), 3u);
  EXPECT_TRUE(workspace.statuses()[0].ok());
  EXPECT_TRUE(workspace.statuses()[2].ok());
  EXPECT_LE(openness(model, workspace, q.col(0), v.col(0)), 1e-14);
  EXPECT_LE(openness(model, workspace, q.col(2), v.col(2)), 1e-14);
  EXPECT_EQ(close(model, workspace, q_float, v_float, cranks).code, StatusCode::not_finite);
  EXPECT_LE((q_float.col(2).cast<double>() - q.col(2)).cwiseAbs().maxCoeff(), 1e-6);
  // refusals
  EXPECT_EQ(close(model, workspace, q, v, std::vector<int>{99}).code, StatusCode::no_such_column);
  EXPECT_EQ(close(make_model("fourbars:2"), workspace, q, v, cranks).code, StatusCode::other_model);
  MatrixXd small(1, 3);
  EXPECT_EQ(close(model, workspace, small, v, cranks).code, StatusCode::wrong_size);
}

TEST(Closing, ColumnsOnThreadsAreThoseOfOneThread) {
  const Model model = make_model("fourbars:2");
  const std::vector<int> held = velocities_of(model, {"crank1_joint", "rocker1_joint", "crank2_joint"});
  const int columns = 40;
  MatrixXd given_q = neutral(model).replicate(1, columns), given_v = MatrixXd::Zero(model.nv(), columns);
  Random random(4);
  for (int c = 0; c < columns; ++c) {
    given_q(model.q_index("crank2_joint"), c) += random.uniform(-0.3, 0.3), given_v(held[0], c) = random.uniform(-1, 1);
    if (c % 3 == 0) given_q(model.q_index("crank1_joint"), c) += 0.1 * (1 + c % 2);  // the rocker does not follow
    if (c == 17) given_q(0, c) = NAN;
  }
  Workspace one(model), several(model, {.threads = 3});
  MatrixXd q = neutral(model).replicate(1, columns), v = MatrixXd::Zero(model.nv(), columns), q_s, v_s;
  EXPECT_TRUE(close(model, one, q, v, held).ok());  // nothing to do; the first call that has makes no memory
  q = given_q, v = given_v;
  const bool can_count = can_count_allocations();
  if (can_count) start_counting();
  const Status status = close(model, one, q, v, held);
  EXPECT_EQ(can_count ? stop_counting().ours : 0, 0u);
  EXPECT_EQ(status.code, StatusCode::not_closed);
  std::size_t least = 1000;  // a call whose threads are late with the one before takes new ones from the pool
  for (int again = 0; again < 4; ++again) {
    q_s = given_q, v_s = given_v;
    if (can_count) start_counting();
    const Status same = close(model, several, q_s, v_s, held);
    least = std::min(least, can_count ? stop_counting().ours : 0);
    EXPECT_EQ(same.column, status.column);
    for (int c = 0; c < columns; ++c) {
      const Status &got = several.statuses()[at(c)], &wanted = one.statuses()[at(c)];
      EXPECT_EQ(got.code, wanted.code) << c;
      EXPECT_STREQ(got.argument, wanted.argument) << c;
      if (c == 17) continue;  // not a number
      EXPECT_EQ(got.value, wanted.value) << c;
      EXPECT_EQ(q_s.col(c), q.col(c)) << c;
      EXPECT_EQ(v_s.col(c), v.col(c)) << c;
    }
    const auto named = contradicting(several), wanted = contradicting(one);
    EXPECT_TRUE(!named.empty() && std::ranges::equal(named, wanted));
  }
  EXPECT_EQ(least, 0u);
}

TEST(Closing, AStateIsClosedWithinOneInATrillion) {
  const Model model = make_model("fourbars:1");
  const Aggregate& a = model.data().aggregates.front();
  Closure closure(model.data());
  (void)closure.errors(a, neutral(model).data());
  EXPECT_TRUE(closure.closed(a, 0.9e-12));
  EXPECT_FALSE(closure.closed(a, 1.1e-12));
}

TEST(Closing, RowsHaveNames) {
  const Model model = make_model("fourbars:1");
  const std::vector<ConstraintRow> rows = constraint_rows(model);
  ASSERT_FALSE(rows.empty());
  Workspace workspace(model);
  VectorXd errors(static_cast<Eigen::Index>(rows.size())), q = neutral(model);
  ASSERT_TRUE(constraint_errors(model, workspace, q, errors).ok());
  EXPECT_LE(largest_of(errors), 1e-12);
  q[2] += 1e-3;
  ASSERT_TRUE(constraint_errors(model, workspace, q, errors).ok());
  for (std::size_t r = 0; r < rows.size(); ++r)  // a planar linkage opens in its plane alone
    EXPECT_EQ(std::abs(errors[static_cast<Eigen::Index>(r)]) > 1e-9,
              rows[r].length && (rows[r].what == "its distance along x" || rows[r].what == "its distance along y"))
        << rows[r].what;
}

TEST(Closing, NothingIsAllocatedAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model("fourbars:2");
  Workspace workspace(model);
  const std::vector<int> held = velocities_of(model, {"crank1_joint", "crank2_joint"});
  const VectorXd start = neutral(model);
  VectorXd q = start, v = VectorXd::Zero(model.nv()), errors(static_cast<Eigen::Index>(constraint_rows(model).size()));
  const auto call = [&](double by) {
    q = start, q[model.q_index("crank1_joint")] += by, v.setZero();
    (void)close(model, workspace, q, v, held);
    (void)constraint_errors(model, workspace, q, errors);
  };
  call(0.1), call(3);
  start_counting();
  for (const double by : {0.05, 0.2, 3.1}) call(by);  // the last is far from any closed configuration
  EXPECT_EQ(stop_counting().ours, 0u);
}

}  // namespace closing
}  // namespace kinetree::oracle
