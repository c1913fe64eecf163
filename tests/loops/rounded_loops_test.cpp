// Loops whose redundant rows contradict each other, since the numbers of a file are rounded.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/closing.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <string>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/nearest_closure.hpp"
#include "loops/linkage_parts.hpp"
#include "loops/rounded_linkages.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/random_state.hpp"
#include "oracle/reference_solve.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

std::string messages(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += f.message + "\n";
  return text;
}
std::string messages(const Model& model) {
  return messages(std::vector<Finding>(model.findings().begin(), model.findings().end()));
}
bool has(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

/// Why a description is refused; empty where it is not.
std::string refusal(const Description& d) {
  try {
    make_model(d);
    return "";
  } catch (const InputError& error) {
    return messages(error.findings());
  }
}

/// The nearest positions and velocities that a model allows.
void allow(const Model& model, VectorXd& q, VectorXd& v) {
  Closure closure(model.data());
  for (const Aggregate& a : model.data().aggregates) {
    EXPECT_LE(closure.project(a, q.data()), 1e-11) << model.name();
    closure.project_velocity(a, q.data(), v.data());
  }
}

/// The largest singular value of what is held of K, without units, over the smallest.
double condition(const Model& model, const VectorXd& q) {
  const Aggregate& a = model.data().aggregates.front();
  Closure closure(model.data());
  NearestClosure nearest(model.data(), a, closure);
  nearest.look(closure, q.data(), a.velocities - a.freedoms);
  const VectorXd& s = nearest.singular_values();
  return s[0] / s[a.velocities - a.freedoms - 1];
}

/// What energy is lost of what moves, over half a second.
double energy_lost(const Model& model, const VectorXd& q, const VectorXd& v, Status& status) {
  Simulation simulation(model, {}, {.integrator = Integrator::adaptive, .tolerance = 1e-11});
  Workspace workspace(model);
  Energy before, after;
  status = simulation.reset(q, v);
  if (!status.ok()) return 0;
  EXPECT_TRUE(energy(model, workspace, simulation.q(), simulation.v(), before).ok());
  status = simulation.advance_to(0.5);
  if (!status.ok()) return 0;
  EXPECT_TRUE(energy(model, workspace, simulation.q(), simulation.v(), after).ok());
  const double sum = before.kinetic + before.potential;
  return std::abs(after.kinetic + after.potential - sum) / (1 + before.kinetic + after.kinetic);
}

/// The largest of the accelerations that loops have to turn: what the same forces give without loops, where 1 rad/s² is
/// little. Where forces balance the loops leave little of it, but what rounding turns is all of it.
double unheld_acceleration(Description d, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  d.loops.clear();
  VectorXd a(v.size());
  EXPECT_TRUE(ForwardDynamics(make_model(d), {}).solve(q, v, tau, a).ok()) << d.name;
  return 1 + a.cwiseAbs().maxCoeff();
}

/// 10^3 linkages from 92 seeds, angles with four to nine decimals. None of them closes; all load, and go as those with
/// all digits do.
void expect_held_as_far_as_rows_agree(int seeds) {
  int made = 0, refused = 0, stopped = 0;
  double worst = 0, worst_energy = 0, worst_far = 0;
  for (int seed = 0; seed < seeds; ++seed)
    for (int k = 0; k < linkage_count; ++k, ++made) {
      const auto kind = static_cast<Linkage>(k);
      const int decimals = 4 + seed % 6;
      const double rounding = 0.5 * std::pow(10.0, -decimals);
      SCOPED_TRACE(std::string(linkage_names[k]) + " " + std::to_string(seed));
      const Model exact = make_model(linkage(kind, seed, 17));
      const Description d = linkage(kind, seed, decimals);
      if (const std::string why = refusal(d); !why.empty()) {
        EXPECT_TRUE(has(why, "singular values")) << why;
        ++refused;
        continue;
      }
      const Model rounded = make_model(d), far = make_model(linkage(kind, seed, decimals, {800, -600, 50}));
      ASSERT_EQ(independent_joints(rounded).size(), independent_joints(exact).size());
      EXPECT_EQ(exact.findings().size(), 0u) << messages(exact);
      const int nv = exact.nv();
      VectorXd q(exact.nq()), v(nv), tau(nv), a(nv), b(nv);
      ASSERT_TRUE(random_state(exact, static_cast<std::uint64_t>(seed), q, v).ok());
      for (int i = 0; i < nv; ++i) tau[i] = std::cos(1.0 + i);
      ASSERT_TRUE(ForwardDynamics(exact, {}).solve(q, v, tau, a).ok());
      const double held = condition(exact, q), scale = 1 + a.cwiseAbs().maxCoeff();
      const double turned = std::max(scale, unheld_acceleration(linkage(kind, seed, 17), q, v, tau));
      allow(rounded, q, v);
      for (const Loops way : {Loops::embed, Loops::multipliers}) {
        const Status status = ForwardDynamics(rounded, {.algorithm = Algorithm::ab, .loops = way}).solve(q, v, tau, b);
        ASSERT_TRUE(status.ok()) << status.message(rounded);
        const double off = (a - b).cwiseAbs().maxCoeff() / turned / (rounding * held);
        EXPECT_LE(off, 20) << "condition " << held << ", accelerations to " << scale << ", without loops " << turned;
        worst = std::max(worst, off);
      }
      ASSERT_TRUE(ForwardDynamics(rounded, {}).solve(q, v, tau, b).ok());
      ASSERT_TRUE(ForwardDynamics(far, {}).solve(q, v, tau, a).ok());
      worst_far = std::max(worst_far, (a - b).cwiseAbs().maxCoeff() / scale);
      Status status;
      const double lost = energy_lost(rounded, q, v, status);
      if (status.ok()) {
        EXPECT_LE(lost, rounded.data().aggregates.front().rounding.nearest ? 10 * rounding : 1e-8);
        worst_energy = std::max(worst_energy, lost);
        continue;
      }
      ++stopped;
    }
  EXPECT_LE(refused, 0.02 * made);
  EXPECT_LE(stopped, 0.01 * made);  // at change points of platforms, about which steps of any model are tried too often
  EXPECT_LE(worst_far, 1e-9);
  std::cout << "worst: " << worst << " of rounding times condition; energy " << worst_energy << "; far " << worst_far
            << "; stopped " << stopped << "; refused " << refused << "\n";
}

TEST(RoundedLoops, LinkagesAreHeldAsFarAsTheirRowsAgree) { expect_held_as_far_as_rows_agree(4); }
TEST(RoundedLoopsLong, AThousandLinkagesAreHeldAsFarAsTheirRowsAgree) { expect_held_as_far_as_rows_agree(92); }

/// Forces of this one balance but for 1 %, so that rounding shows a hundred times as much in the accelerations that are
/// left. It is the numbers' own: 60 digits give the same for either model.
TEST(RoundedLoops, SixtyDigitsDifferAsMuchWhereForcesBalance) {
  const int seed = 88, decimals = 8;
  const Model exact = make_model(linkage(Linkage::rccc, seed, 17));
  const Model rounded = make_model(linkage(Linkage::rccc, seed, decimals));
  TestState s, near;
  // digit by digit: forces balance in this state, and a state drawn anew is another one for each compiler
  s.q.resize(5), s.v.resize(5), s.tau.resize(5);
  ASSERT_EQ(exact.nv(), 5);
  s.q << -0.70731350035266738, -2.1925838770273836, -0.73341919475574235, 4.3236038676605588, 0.015352473928742668;
  s.v << 0.32916700192359827, -0.52028108395107098, -0.013792667206509623, -0.10241039079328895, -0.023192057744263861;
  for (int i = 0; i < exact.nv(); ++i) s.tau[i] = std::cos(1.0 + i);
  near = s;
  allow(rounded, near.q, near.v);
  VectorXd a(exact.nv()), b(a);
  ASSERT_TRUE(ForwardDynamics(exact, {}).solve(s.q, s.v, s.tau, a).ok());
  ASSERT_TRUE(ForwardDynamics(rounded, {}).solve(near.q, near.v, near.tau, b).ok());
  const std::vector<Reference> right = reference_accelerations(exact, s),
                               right_near = reference_accelerations(rounded, near);
  EXPECT_LE(relative_difference(a, right), 1e-12);
  EXPECT_LE(relative_difference(b, right_near), 1e-12);
  double differ = 0;
  for (std::size_t k = 0; k < right.size(); ++k)
    differ = std::max(differ, std::abs(static_cast<double>(right[k] - right_near[k])));
  const double allowed = 0.5 * std::pow(10, -decimals) * condition(exact, s.q);
  EXPECT_GE(differ, 100 * allowed * (1 + a.cwiseAbs().maxCoeff()));
  EXPECT_LE(differ, 20 * allowed * unheld_acceleration(linkage(Linkage::rccc, seed, 17), s.q, s.v, s.tau));
}

/// Cranks of one length, side by side, with pivots that are no corners of it: a third one is redundant, along itself.
Description parallel_cranks(double error) {
  Description d;
  d.name = "parallel_cranks";
  const double along[]{0, 0.3, 0.5}, up[]{0, 0.1, -0.2}, r = 0.2;
  d.bodies = {turning("crank0", "world", {0, 0, 0}, r), turning("plate", "crank0", {r, 0, 0}, 0.5)};
  for (int k = 1; k < 3; ++k) {
    const std::string crank = "crank" + std::to_string(k);
    d.bodies.push_back(turning(crank, "world", {along[k], 0, up[k]}, r));
    d.loops.push_back(joined("loop" + std::to_string(k), "spherical", "plate",
                             {along[k] + (k == 2 ? error : 0), 0, up[k]}, crank, {r, 0, 0}));
  }
  return d;
}

/// Each crank has a plate of its own, and plates are welded: no row that is fixed in a plate serves all the way round.
Description welded_plates(double error) {
  Description d = parallel_cranks(0);
  d.name = "welded_plates";
  d.loops.clear();
  const double along[]{0, 0.3, 0.5}, up[]{0, 0.1, -0.2};
  for (int k = 1; k < 3; ++k) {
    const std::string crank = "crank" + std::to_string(k), plate = "plate" + std::to_string(k);
    d.bodies.push_back(turning(plate, crank, {0.2, 0, 0}, 0.3));
    d.loops.push_back(joined("weld" + std::to_string(k), "weld", "plate", {along[k] + (k == 2 ? error : 0), 0, up[k]},
                             plate, {0, 0, 0}));
  }
  return d;
}

/// Bennett linkages whose rows serve every configuration only as turned in the frame of the loop's other end.
TEST(RoundedLoops, RowsAreTurnedInTheFramesOfBothEnds) {
  for (const int seed : {54, 64, 78}) {
    const Model model = make_model(linkage(Linkage::bennett, seed, 4 + seed % 6));
    EXPECT_FALSE(model.data().aggregates.front().rounding.nearest) << seed;
  }
}

TEST(RoundedLoops, ClosingByLeastSquaresAllocatesNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model(welded_plates(1e-6));
  ASSERT_TRUE(model.data().aggregates.front().rounding.nearest);
  Workspace workspace(model);
  Closure closure(model.data());
  const VectorXd start = neutral(model);
  VectorXd q = start, v = VectorXd::Zero(model.nv());
  const auto call = [&](double by) {
    q = start, q.array() += by, v.setConstant(0.3);
    (void)close(model, workspace, q, v, std::vector<int>{});
    closure.project_velocity(model.data().aggregates.front(), q.data(), v.data());
    (void)closure.fault(q.data(), v.data());
    q = start, q[0] += by;
    (void)close(model, workspace, q, v);
  };
  call(0.01);
  start_counting();
  for (const double by : {0.02, -0.1, 0.3, 2.0}) call(by);
  EXPECT_EQ(stop_counting().ours, 0u);
}

TEST(RoundedLoops, WhereNoFixedRowsServeLeastSquaresClose) {
  const double error = 1e-6;
  const Model model = make_model(welded_plates(error)), exact = make_model(welded_plates(0));
  const Aggregate& a = model.data().aggregates.front();
  ASSERT_TRUE(a.rounding.nearest) << messages(model);
  EXPECT_EQ(independent_joints(model).size(), 1u);
  EXPECT_TRUE(has(messages(model), "least squares")) << messages(model);
  int moving = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    VectorXd q(model.nq()), v(model.nv()), tau = VectorXd::Constant(model.nv(), 0.1), got(model.nv()),
                                           right(model.nv());
    ASSERT_TRUE(random_state(exact, static_cast<std::uint64_t>(seed), q, v).ok());
    ASSERT_TRUE(ForwardDynamics(exact, {}).solve(q, v, tau, right).ok());
    allow(model, q, v);
    if (v.norm() < 1e-6) continue;  // closed another way, in which it is rigid
    Closure closure(model.data());
    EXPECT_TRUE(closure.violations(q.data(), v.data()).empty());
    EXPECT_LE(closure.open(a, q.data()), error);
    for (const Loops way : {Loops::embed, Loops::multipliers}) {
      const Status status = ForwardDynamics(model, {.algorithm = Algorithm::ab, .loops = way}).solve(q, v, tau, got);
      ASSERT_TRUE(status.ok()) << status.message(model);
      EXPECT_LE((got - right).cwiseAbs().maxCoeff(), 1000 * error * (1 + right.cwiseAbs().maxCoeff()));
    }
    if (++moving > 1) continue;  // singular values in every step take their time
    Status status;
    EXPECT_LE(energy_lost(model, q, v, status), 100 * error);
    EXPECT_TRUE(status.ok()) << status.message(model);
  }
  EXPECT_GE(moving, 3);
}

TEST(RoundedLoops, StatesAreCheckedByWhatIsHeld) {
  const Model model = make_model(linkage(Linkage::four_bar, 1, 5));
  const Aggregate& a = model.data().aggregates.front();
  ASSERT_TRUE(a.rounding.any());
  VectorXd q(model.nq()), v(model.nv());
  ASSERT_TRUE(random_state(model, 1, q, v).ok());
  Closure closure(model.data());
  EXPECT_TRUE(closure.violations(q.data(), v.data()).empty());
  EXPECT_GT(closure.open(a, q.data()), 1e-8);
  VectorXd open = q, fast = v;
  open[1] += 1e-6, fast[1] += 1e-6;
  EXPECT_FALSE(closure.violations(open.data(), v.data()).empty());
  const std::vector<Violation> broken = closure.violations(q.data(), fast.data());
  ASSERT_FALSE(broken.empty());
  EXPECT_TRUE(broken.front().velocity);
}

/// Where joints of a rounded loop are locked, what is held tells whether it is closed.
TEST(RoundedLoops, JointsAreLockedWhereRoundingKeepsTheLoopOpen) {
  Description d = linkage(Linkage::four_bar, 1, 5);
  const Model model = make_model(d);
  const VectorXd q = neutral(model);
  d.bodies.push_back(turning("beside", "world", {0, 0, 0}, 0.1));  // something that moves
  std::vector<JointPositions> lock;
  for (int i = 0; i < 3; ++i) lock.push_back({"j" + std::to_string(i), {q[i]}});
  try {
    EXPECT_TRUE(has(messages(make_model(d, {.lock = lock})), "by rounding of the file's numbers"));
  } catch (const InputError& error) {
    ADD_FAILURE() << messages(error.findings());
  }
  lock[1].positions[0] += 1e-4;
  EXPECT_THROW(make_model(d, {.lock = lock}), InputError);
}

TEST(RoundedLoops, LengthsAreRoundedToo) {
  Description d = make_description("fourbars:1");
  d.loops.front().first.frame.xyz[1] += 1e-7;  // across the plane
  const Model model = make_model(d);
  EXPECT_EQ(independent_joints(model).size(), 1u);
  EXPECT_TRUE(has(messages(model), "1e-07 m")) << messages(model);
}

TEST(RoundedLoops, ModelsWithAllDigitsHoldAllRows) {
  for (const char* family : {"fourbars:4", "geared:4", "rope:4"}) {
    SCOPED_TRACE(family);
    try {
      const Model model = make_model(family);
      for (const Aggregate& a : model.data().aggregates) EXPECT_FALSE(a.rounding.any());
      for (const Loop& l : model.data().loops) EXPECT_FALSE(l.rounded);
    } catch (const InputError& error) {
      ADD_FAILURE() << messages(error.findings());
    }
  }
}

/// Couplings that are equal but for a digit: one decision, told, for solving and for motion.
TEST(RoundedLoops, CouplingsThatAreAlmostEqualAreOne) {
  Description d;
  d.bodies = {turning("a", "world", {0, 0, 0}, 0.4), turning("b", "world", {1, 0, 0}, 0.2)};
  d.couplings = {{"one", {{"a_joint", 1}, {"b_joint", 1}}, 0}, {"two", {{"a_joint", 1}, {"b_joint", 1.0000001}}, 0}};
  const Model model = make_model(d);
  EXPECT_TRUE(has(messages(model), "coupling \"two\"")) << messages(model);
  EXPECT_EQ(independent_joints(model).size(), 1u);
  VectorXd q = VectorXd::Zero(2), v = q, tau = q, a(2);
  ASSERT_TRUE(ForwardDynamics(model, {}).solve(q, v, tau, a).ok());
  Simulation simulation(model, {}, {.integrator = Integrator::rk4});
  ASSERT_TRUE(simulation.reset(q, v).ok());
  ASSERT_TRUE(simulation.step(1e-3).ok());
  EXPECT_NEAR(simulation.v()[0], 1e-3 * a[0], 1e-5 * std::abs(a[0]));
  EXPECT_GT(std::abs(a[0]), 1);
}

TEST(RoundedLoops, WhatIsTooFarToBeRoundingIsRefusedByLeastSquares) {
  Description d;  // bars that fall short of each other by 0.05 m, in a line
  d.bodies = {turning("crank", "world", {0, 0, 0}, 0.15), turning("coupler", "crank", {0.15, 0, 0}, 0.1),
              turning("rocker", "world", {0.4, 0, 0}, 0.1)};
  d.loops = {joined("loop", "revolute", "coupler", {0.1, 0, 0}, "rocker", {0.1, 0, 0})};
  const std::string why = refusal(d);
  EXPECT_TRUE(has(why, "can't close")) << why;
  const double off = std::stod(why.substr(why.find("off by ") + 7));  // the larger of two components
  EXPECT_GE(off, 0.05 / std::sqrt(2) - 1e-6) << why;
  EXPECT_LE(off, 0.05 + 1e-6) << why;
}

/// Near a change point no model is assembled, unless its user says that it stands there.
TEST(RoundedLoops, LoadingLeavesConfigurationsThatLoseRank) {
  Description d = flat_four_bar();
  d.bodies[2].joint.origin.quaternion = quaternion_from_rpy({0, 5e-4, 0});  // zero is not closed
  const Model model = make_model(d);
  EXPECT_TRUE(has(messages(model), "is not closed at zero")) << messages(model);
  EXPECT_TRUE(has(messages(model), "taken is crank1_joint")) << messages(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  VectorXd a(model.nv());
  EXPECT_TRUE(ForwardDynamics(model, {}).solve(q, v, v, a).ok());
  EXPECT_GT(std::abs(std::sin(q[1])), 0.01);
}

}  // namespace
}  // namespace kinetree::oracle
