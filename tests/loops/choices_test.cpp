// The same accelerations whatever is chosen: where a loop is cut, which coordinates are independent, how large an
// aggregate is, who runs it. And what is said where no choice is left.
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// A closed state near a start, velocities allowed.
TestState closed_state(const Model& model, const VectorXd& q, std::uint64_t seed) {
  TestState s = random_state(model, seed);
  s.q = q;
  Closure closure(model.data());
  for (const Aggregate& a : model.data().aggregates) {
    EXPECT_LE(closure.project(a, s.q.data()), 1e-13);
    closure.project_velocity(a, s.q.data(), s.v.data());
  }
  return s;
}

double difference(const VectorXd& a, const VectorXd& b) { return largest_of(a - b) / std::max(1.0, largest_of(b)); }

/// The four-bar cut at the coupler's end (terminal), or at the crank's end, the coupler then hanging from the rocker
/// (internal), or at the rocker's pivot on the ground.
TEST(LoopChoices, CutEdgesDoNotMatter) {
  const Description at_rocker = flat_four_bar();
  Description at_crank = at_rocker, at_ground = at_rocker;
  at_crank.bodies[1].parent = "rocker1";  // the coupler's own frame stays: its joint is now at its far end
  at_crank.bodies[1].joint.origin.xyz = {0.3, 0, 0};
  at_crank.bodies[1].inertial->frame.xyz = {-0.25, 0, 0};
  std::swap(at_crank.bodies[1], at_crank.bodies[2]);
  at_crank.loops[0].first = {"crank1", {{0.2, 0, 0}}}, at_crank.loops[0].second = {"coupler1", {{-0.5, 0, 0}}};
  at_ground.bodies[2].parent = "coupler1";
  at_ground.bodies[2].joint.origin.xyz = {0.5, 0, 0};
  at_ground.bodies[2].inertial->frame.xyz = {-0.15, 0, 0};
  at_ground.loops[0].first = {"world", {{0.4, 0, 0}}}, at_ground.loops[0].second = {"rocker1", {{-0.3, 0, 0}}};
  const Model a = make_model(at_rocker), b = make_model(at_crank), c = make_model(at_ground);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    // angles of crank, coupler and rocker about -y, in the world
    const TestState s = closed_state(a, VectorXd{{-1.0 - 0.02 * static_cast<double>(seed), 0.8, -1.6}}, seed);
    const auto solve = [&](const Model& m, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
      VectorXd acceleration(3);
      ForwardDynamics dynamics(m, serial(Algorithm::ab));
      const Status status = dynamics.solve(q, v, tau, acceleration);
      EXPECT_TRUE(status.ok()) << status.message(m);
      return acceleration;
    };
    // the same motion in the other trees' joints; forces at the crank alone act on the same angle in all of them
    VectorXd tau = VectorXd::Zero(3);
    tau[0] = s.tau[0];
    const auto other = [](const VectorXd& x, int tree) {  // x: crank, coupler on crank, rocker
      return tree == 1 ? VectorXd{{x[0], x[2], x[0] + x[1] - x[2]}} : VectorXd{{x[0], x[1], x[2] - x[0] - x[1]}};
    };
    // b is numbered crank, rocker, coupler; where the coupler hangs from the rocker's end both links point the other
    // way
    const VectorXd truth = solve(a, s.q, s.v, tau);
    EXPECT_LE(difference(solve(b, other(s.q, 1), other(s.v, 1), tau), other(truth, 1)), 1e-13) << seed;
    EXPECT_LE(difference(solve(c, other(s.q, 2), other(s.v, 2), tau), other(truth, 2)), 1e-13) << seed;
  }
}

TEST(LoopChoices, IndependentCoordinatesDoNotMatter) {
  int tried = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& free = m.model;
    ForwardDynamics reference(free, serial(Algorithm::ab));
    const VectorXd truth = accelerations(reference, m.state);
    // simple joints that determine the rest: a random order, taken while they add to the rank
    ClosedOracle oracle(m.description, m.tree);
    oracle.set(m.state.q, m.state.v);
    Random random(seed);
    for (int attempt = 0; attempt < 3; ++attempt) {
      Description d = m.description;
      for (int b = 0; b < m.tree.body_count(); ++b)
        if (free.data().aggregate_of[static_cast<std::size_t>(b)] >= 0 && random.uniform(0, 1) < 0.2)
          d.independent.push_back(std::string(m.tree.joint_name(b)));
      try {
        const Model model = make_model(d);
        ForwardDynamics dynamics(model, serial(Algorithm::ab));
        VectorXd a(model.nv());
        const Status status = dynamics.solve(m.state.q, m.state.v, m.state.tau, a);
        if (!status.ok()) {  // these joints may well fail in this configuration; then it is said
          EXPECT_EQ(status.code, StatusCode::singular_loop);
          ++refused;
          continue;
        }
        ++tried;
        EXPECT_LE(difference(a, truth), 1e-11) << seed;
      } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("independent"), std::string::npos) << e.what();
        ++refused;
      }
    }
  }
  std::printf("%d choices of coordinates solved, %d refused\n", tried, refused);
  EXPECT_GE(tried, 60);
}

/// Redundant joints that tie two aggregates into one change no acceleration.
TEST(LoopChoices, LargerAggregatesDoNotMatter) {
  const Model apart = make_model(four_bars(4)), together = make_model(four_bars(4, true));
  EXPECT_EQ(apart.data().aggregates.size(), 4u);
  EXPECT_EQ(together.data().aggregates.size(), 1u);
  const TestState s = closed_state(apart, VectorXd::LinSpaced(12, -0.3, 0.4), 3);
  for (const Options& options : {serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::cfa)}) {
    ForwardDynamics a(apart, options), b(together, options);
    EXPECT_LE(difference(accelerations(b, s), accelerations(a, s)), 1e-13) << describe(options);
  }
}

TEST(LoopChoices, MassMatrixIsThatOfTheIndependentJoints) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    ClosedOracle oracle(m.description, m.tree);
    oracle.set(m.state.q, m.state.v);
    const std::vector<int> independent = independent_velocities(model);
    const auto n = static_cast<Eigen::Index>(independent.size());
    ASSERT_EQ(n, oracle.freedoms());
    ASSERT_EQ(independent_joints(model).size(), independent.size());
    Eigen::MatrixXd H(n, n);
    Workspace workspace(model);
    const Status status = mass_matrix(model, workspace, m.state.q, H);
    if (!status.ok()) {  // the model's own joints may fail in this configuration
      EXPECT_EQ(status.code, StatusCode::singular_loop);
      continue;
    }
    // X_S by the oracle: what K allows, one independent velocity at a time
    Eigen::MatrixXd A(oracle.K().rows() + n, model.nv()), B = Eigen::MatrixXd::Zero(A.rows(), n);
    A.topRows(oracle.K().rows()) = oracle.K();
    A.bottomRows(n).setZero();
    for (Eigen::Index r = 0; r < n; ++r)
      A(oracle.K().rows() + r, independent[static_cast<std::size_t>(r)]) = B(oracle.K().rows() + r, r) = 1;
    const Eigen::MatrixXd X = A.completeOrthogonalDecomposition().solve(B);
    const Eigen::MatrixXd expected = X.transpose() * oracle.mass_matrix() * X;
    EXPECT_LE(largest_of(H - expected), 1e-11 * largest_of(expected)) << seed;
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

/// A parallelogram folds at zero: two motions are possible there, and that is said; beside it all is well.
TEST(LoopChoices, ChangePointsAreSaid) {
  const Description d = flat_four_bar(0.3, 0.4, 0.3);
  const Model model = make_model(d);
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
    ForwardDynamics dynamics(model, serial(algorithm));
    VectorXd a(3);
    const VectorXd zero = VectorXd::Zero(3);
    const Status folded = dynamics.solve(zero, zero, zero, a);
    EXPECT_EQ(folded.code, StatusCode::singular_loop);
    EXPECT_TRUE(a.array().isNaN().all());
    const std::string message = folded.message(model);
    EXPECT_NE(message.find("loop1"), std::string::npos) << message;
    EXPECT_NE(message.find("lose rank"), std::string::npos) << message;
    for (const double angle : {1e-3, 0.3, -1.0}) {
      EXPECT_TRUE(dynamics.solve(VectorXd{{angle, -angle, angle}}, zero, zero, a).ok()) << angle;
      EXPECT_NEAR(a[0] + a[1], 0, 1e-11 * largest_of(a));
      EXPECT_NEAR(a[0], a[2], 1e-11 * largest_of(a));
    }
  }
}

TEST(LoopChoices, ExecutorsByteForByte) {
  std::vector<std::pair<Model, TestState>> cases;
  for (const unsigned seed : {3u, 10u, 17u}) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    cases.emplace_back(m.model, m.state);
  }
  Description forest = four_bars(60);  // many tasks
  for (int k = 0; k < 40; ++k) {
    Description more = geared_chain(12, Rotors::bodies);
    for (BodyDescription& b : more.bodies) {
      b.name += "_" + std::to_string(k), b.joint.name += "_" + std::to_string(k);
      b.parent = b.parent == "world" ? "coupler" + std::to_string(k + 1) : b.parent + "_" + std::to_string(k);
      forest.bodies.push_back(b);
    }
    for (CouplingDescription& c : more.couplings) {
      c.name += "_" + std::to_string(k);
      for (auto& term : c.terms) term.joint += "_" + std::to_string(k);
      forest.couplings.push_back(c);
    }
  }
  const Model large = make_model(forest);
  cases.emplace_back(large, closed_state(large, VectorXd::LinSpaced(large.nq(), -0.3, 0.3), 1));
  for (const auto& [model, state] : cases)
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::cfa, Algorithm::modular}) {
      Options o = serial(algorithm);
      if (algorithm == Algorithm::modular) o.grain = 5;
      ForwardDynamics alone(model, o);
      const VectorXd expected = accelerations(alone, state);
      EXPECT_TRUE(expected.allFinite());
      for (const ExecutorKind executor : threaded_executors)
        for (const int threads : {2, 3}) {
          o.executor = executor, o.threads = threads;
          ForwardDynamics dynamics(model, o);
          EXPECT_EQ(accelerations(dynamics, state), expected) << model.name() << ", " << describe(o) << ", " << threads;
        }
    }
}

}  // namespace
}  // namespace kinetree::oracle
