// Freedoms are counted near where a mechanism stands, not where it might stand: coupling rods, which elsewhere are
// rigid.
#include "engine/model/mobility.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_oracle.hpp"
#include "loops/coupling_rods.hpp"
#include "oracle/plans.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

std::vector<Options> all_ways() {
  std::vector<Options> ways{serial(Algorithm::ab), serial(Algorithm::ab), serial(Algorithm::crb),
                            serial(Algorithm::cfa)};
  ways[1].loops = Loops::multipliers;
  return ways;
}

std::string findings_of(const Model& model) {
  std::string text;
  for (const Finding& f : model.findings()) text += to_string(f) + "\n";
  return text;
}

/// A closed configuration in which no bar can move, and nothing else.
std::optional<VectorXd> rigid_configuration(const Model& model) {
  const ModelData& m = model.data();
  Closure closure(m);
  Random random(5);
  for (int attempt = 0; attempt < 200; ++attempt) {
    VectorXd q(model.nq());
    for (double& x : q) x = random.uniform(-3, 3);
    if (!(closure.project(m.aggregates[0], q.data()) <= 1e-14)) continue;
    if (const Rank rank = rank_at(m, closure, m.aggregates[0], q.data());
        rank.rank == m.aggregates[0].velocities && rank.margin > 1e-3)
      return q;
  }
  return {};
}

TEST(Mobility, CouplingRodsLoadAndSolve) {
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 192; ++seed) {
    const CouplingRod rod = random_coupling_rod(seed % 96, seed >= 96);
    const Description d = rod.description();
    const Model model = make_model(d);
    ASSERT_EQ(independent_velocities(model).size(), rod.pendulum ? 2u : 1u) << seed;
    ASSERT_EQ(model.data().aggregates[0].freedoms, 1) << seed;
    ClosedOracle oracle(d, model);
    Random random(seed);
    for (int state = 0; state < 4; ++state) {
      const double turn = random.uniform(-3, 3);
      const VectorXd q = rod.along(turn, random.uniform(-3, 3)), v = rod.along(random.uniform(-2, 2), 1.5);
      VectorXd tau(model.nv());
      for (double& x : tau) x = random.uniform(-1, 1);
      oracle.set(q, v);
      ASSERT_LE(largest_of(oracle.error()), 1e-14) << seed;
      ASSERT_EQ(oracle.freedoms(), rod.pendulum ? 2 : 1);
      const VectorXd truth = oracle.accelerations(tau);
      ASSERT_TRUE(truth.allFinite());
      for (const Options& way : all_ways()) {
        ForwardDynamics dynamics(model, way);
        VectorXd a(model.nv());
        const Status status = dynamics.solve(q, v, tau, a);
        ASSERT_TRUE(status.ok()) << seed << ", " << describe(way) << ": " << status.message(model);
        EXPECT_TRUE((a - truth).norm() <= 1e-11 * std::max(1.0, truth.norm())) << seed << ", " << describe(way);
        ++solved;
      }
    }
  }
  EXPECT_EQ(solved, 192 * 4 * 4);
}

/// Where all cranks lie along their line when the model is built: two motions seem possible there, one is.
TEST(Mobility, CouplingRodsThatLieFlatAtZero) {
  for (const double line : {0.0, 0.5, -2.0}) {
    CouplingRod rod;
    rod.line = rod.angle = line;
    const Model model = make_model(rod.description());
    EXPECT_EQ(model.data().aggregates[0].freedoms, 1) << line;
    ForwardDynamics dynamics(model, serial(Algorithm::ab));
    VectorXd a(4);
    const VectorXd zero = VectorXd::Zero(4);
    EXPECT_EQ(dynamics.solve(zero, zero, zero, a).code, StatusCode::singular_loop);
    EXPECT_TRUE(dynamics.solve(rod.along(0.3), rod.along(1), zero, a).ok());
  }
}

TEST(Mobility, BranchesOfAnotherRankAreSaidAndSolved) {
  int found = 0, solved = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const CouplingRod rod = random_coupling_rod(seed);
    const Model model = make_model(rod.description());
    const std::optional<VectorXd> rigid = rigid_configuration(model);
    if (!rigid) continue;
    ++found;
    for (const Options& way : all_ways()) {
      ForwardDynamics dynamics(model, way);
      VectorXd a(4);
      const VectorXd zero = VectorXd::Zero(4);
      const Status status = dynamics.solve(*rigid, zero, zero, a);
      const std::string message = status.message(model);
      if (model.data().aggregates[0].branches()) {  // found when the model was built
        ASSERT_TRUE(status.ok()) << seed << ", " << describe(way) << ": " << message;
        EXPECT_LE(largest_of(a), 1e-12);
        ++solved;
        continue;
      }
      ASSERT_EQ(status.code, StatusCode::singular_loop) << seed << ", " << describe(way);
      EXPECT_TRUE(a.array().isNaN().all());
      for (const char* word : {"pin2", "pin3", "contradict", "1 freedom", "assembled"})
        EXPECT_NE(message.find(word), std::string::npos) << message;
    }
    // not in independent coordinates
    Workspace workspace(model);
    Eigen::MatrixXd H(1, 1);
    EXPECT_EQ(mass_matrix(model, workspace, *rigid, H).code,
              model.data().aggregates[0].branches() ? StatusCode::other_branch : StatusCode::singular_loop)
        << seed;
  }
  EXPECT_GE(found, 12);
  EXPECT_GE(solved, 20);
  int said = 0;
  for (std::uint64_t seed = 0; seed < 96; ++seed) {
    const std::string text = findings_of(make_model(random_coupling_rod(seed).description()));
    if (text.find("notice") == std::string::npos) continue;
    ++said;
    for (const char* word :
         {"pin2", "leaves 1 freedom near crank1_joint 0,", "0 near", "solved with those of its branch", "assembled"})
      EXPECT_NE(text.find(word), std::string::npos) << text;
  }
  std::printf("%d of 96 coupling rods close elsewhere, where they are rigid\n", said);
  EXPECT_GE(said, 48);
  EXPECT_EQ(findings_of(make_model(four_bars(3))), "");
  EXPECT_EQ(findings_of(make_model(flat_four_bar())), "");
}

/// Velocities that break a redundant constraint ask for accelerations that no motion has.
TEST(Mobility, VelocitiesThatContradictAreRefused) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const CouplingRod rod = random_coupling_rod(seed);
    const Model model = make_model(rod.description());
    VectorXd v = rod.along(1), a(4);
    v[3] = 2;
    for (const Options& way : all_ways()) {
      ForwardDynamics dynamics(model, way);
      ASSERT_TRUE(dynamics.solve(rod.along(0.2), rod.along(1), VectorXd::Zero(4), a).ok());
      const Status status = dynamics.solve(rod.along(0.2), v, VectorXd::Zero(4), a);
      ASSERT_EQ(status.code, StatusCode::singular_loop) << seed << ", " << describe(way);
      EXPECT_NE(status.message(model).find("velocities break a constraint"), std::string::npos)
          << status.message(model);
      EXPECT_TRUE(a.array().isNaN().all());
    }
  }
}

/// What the user gives counts, though it is rigid and other configurations are not.
TEST(Mobility, TheConfigurationThatIsGivenCounts) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Description d = random_coupling_rod(seed, true).description();
    const Model model = make_model(d);
    const Description alone = random_coupling_rod(seed).description();
    const std::optional<VectorXd> rigid = rigid_configuration(make_model(alone));
    if (!rigid) continue;
    const char* joints[] = {"crank1_joint", "rod_joint", "crank2_joint", "crank3_joint"};
    for (int k = 0; k < 4; ++k) d.assembled.push_back({joints[k], {(*rigid)[k] + 1e-3}});
    const Model truss = make_model(d);
    EXPECT_EQ(truss.data().aggregates[0].freedoms, 0) << seed;
    EXPECT_NE(findings_of(truss).find("leaves 0 freedoms near"), std::string::npos) << findings_of(truss);
    // and it stands where loops are closed
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(truss.data().assembled[static_cast<std::size_t>(k)], (*rigid)[k], 1e-9);
    VectorXd q(5), a(5);
    q << *rigid, 0.4;
    const VectorXd zero = VectorXd::Zero(5);
    ForwardDynamics dynamics(truss, serial(Algorithm::ab));
    ASSERT_TRUE(dynamics.solve(q, zero, zero, a).ok());
    EXPECT_TRUE(a.head(4).norm() <= 1e-12);
    EXPECT_GE(std::abs(a[4]), 0.1);
    return;
  }
  FAIL() << "no rigid configuration was found";
}

/// A hint from which Newton's method does not close is not left out silently.
TEST(Mobility, AHintThatDoesNotCloseIsSaid) {
  Description d = flat_four_bar(0.15, 0.4, 0.3);
  EXPECT_EQ(findings_of(make_model(d)), "");
  d.assembled = {
      {"crank1_joint", {0}}, {"coupler1_joint", {0}}, {"rocker1_joint", {0}}};  // flat: the way on is square to all
  const std::string text = findings_of(make_model(d));
  for (const char* word : {"warning", "loop1", "assembled", "crank1_joint"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

/// The model stands where it was found to close, and lengths do not matter.
TEST(Mobility, TheModelStandsClosed) {
  for (const double size : {1e-4, 1.0, 100.0}) {
    Description d = flat_four_bar(0.15, 0.4, 0.3);
    for (BodyDescription& b : d.bodies)
      for (double& x : b.joint.origin.xyz) x *= size;
    for (LoopDescription::End* end : {&d.loops[0].first, &d.loops[0].second})
      for (double& x : end->frame.xyz) x *= size;
    const Model model = make_model(d);
    Closure closure(model.data());
    const std::vector<double>& q = model.data().assembled;
    for (const double e : closure.errors(model.data().aggregates[0], q.data())) EXPECT_LE(std::abs(e), 1e-9);
    EXPECT_EQ(model.data().aggregates[0].freedoms, 1) << size;
    EXPECT_GE(margin_at(model.data(), closure, model.data().aggregates[0], q.data()), 1e-3) << size;
  }
  for (const double size : {1e-4, 1e-2, 1.0, 100.0}) {
    CouplingRod rod = random_coupling_rod(3);
    rod.crank *= size;
    for (double& x : rod.pivots) x *= size;
    EXPECT_EQ(make_model(rod.description()).data().aggregates[0].freedoms, 1) << size;
  }
}

/// Factorizations pass over a NaN, whose rows then count as redundant; where it stands, nothing is known.
TEST(Mobility, OfNoConfigurationIsNone) {
  int seen = 0;
  for (const char* family : {"fourbars:1", "fourbars:3"}) {
    const Model model = make_model(family);
    const ModelData& m = model.data();
    Closure closure(m);
    for (const Aggregate& a : m.aggregates)
      for (const int body : a.bodies)
        for (const double none : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
          std::vector<double> q = m.assembled;
          q[at(m.q_index[at(body)])] = none;
          const std::vector<double>& K = closure.rows(a, q.data()).K;
          // the last joint before a loop turns about an axis that its own angle does not move
          if (std::ranges::all_of(K, [](double x) { return std::isfinite(x); })) continue;
          ++seen;
          const Rank rank = rank_at(m, closure, a, q.data());
          EXPECT_EQ(rank.rank, 0) << family << ", body " << body;
          EXPECT_EQ(rank.margin, 0);
          EXPECT_EQ(margin_at(m, closure, a, q.data()), 0);
          const std::vector<Branch> branches = branches_near(m, closure, a, q);
          EXPECT_EQ(branches.size(), 1u);
          EXPECT_EQ(branches[0].rank.rank, 0) << "no closed configuration is beside it";
        }
  }
  EXPECT_GT(seen, 8);
}

}  // namespace
}  // namespace kinetree::oracle
