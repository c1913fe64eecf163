// One mechanism over ranks: the bits of the same modules in one process, and the numbers of articulated bodies.
#include <gtest/gtest.h>
#include <mpi.h>

#include <kinetree/load_model.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"
#include "mpi/error_of.hpp"
#include "mpi/rank_run.hpp"
#include "mpi/rank_solver.hpp"
#include "mpi/spread_plan.hpp"
#include "mpi/states.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

struct Case {
  const char* family;  ///< or a robot's file in configs/models
  Options options;

  Model model() const {
    const std::string name = family;
    if (!name.ends_with(".yaml")) return make_model(name);
    LoadOptions floating;
    floating.floating_base = !name.starts_with("arm");
    return load_model(std::string(KINETREE_MODELS) + "/" + name, floating);
  }
};

Options of(Algorithm algorithm, int grain = 0) {
  Options options;
  options.algorithm = algorithm;
  options.grain = grain;
  return options;
}

/// How many parts of a state go side by side here; 1: none, in a build without packs.
int widest() {
  const std::span<const int> widths = limb_widths(instruction_set());
  return widths.empty() ? 1 : widths.back();
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* family :
       {"chain:60", "tree:2x5", "comb:8", "random:80:seed=1", "random:70:seed=2:floating=1:special=1",
        "random:60:seed=3:joints=spherical", "fourbars:12", "geared:30"}) {
    all.push_back({family, of(Algorithm::automatic)});
    all.push_back({family, of(Algorithm::cfa)});
    all.push_back({family, of(Algorithm::modular, 4)});
  }
  for (const char* robot :
       {"arm7.yaml", "quadruped.yaml", "humanoid.yaml", "geared_humanoid.yaml", "humanoid_with_hands.yaml"}) {
    all.push_back({robot, of(Algorithm::automatic)});
    all.push_back({robot, of(Algorithm::modular, 2)});
  }
  for (const char* family : {"tree:2x8", "star:40x5", "random:300:seed=4", "fourbars:40", "geared:40"}) {
    all.push_back({family, of(Algorithm::automatic)});  // with limbs in lanes where there are some
    Options limbs = of(Algorithm::ab);
    limbs.limbs = 8;
    if (instruction_set() == InstructionSet::avx512) all.push_back({family, limbs});
  }
  for (const char* family : {"chain:900", "geared:200", "rope:200", "random:300:seed=6:floating=1", "star:2x150"}) {
    Options chains = of(Algorithm::modular);  // modules of end chains in lanes, where there are some
    chains.limbs = widest();
    all.push_back({family, chains});
    chains.grain = 25, chains.refinements = 0;  // several packs of a chain
    all.push_back({family, chains});
  }
  all.push_back({"chain:60", of(Algorithm::modular)});
  all.push_back({"tree:2x7", of(Algorithm::ab)});
  all.push_back({"star:20x6", of(Algorithm::ab)});
  all.push_back({"star:9x8", of(Algorithm::modular, 3)});
  Options held = of(Algorithm::modular, 6);
  held.loops = Loops::multipliers;
  all.push_back({"fourbars:12", held});
  Options twice = of(Algorithm::cfa);
  twice.refinements = 2, twice.cuts = Cuts::main;
  all.push_back({"comb:8", twice});
  twice.refinements = 0, twice.elimination = Elimination::leaves_first;
  all.push_back({"chain:60", twice});
  return all;
}

/// The same modules, swept by this process alone.
template <class S>
Matrix<S> alone(const Model& model, const Plan& plan, const States<S>& s, int c, bool external) {
  const int ranks = ranks_of_world();
  const auto solver =
      rank_solver<S>(ranks, model, plan, std::make_shared<const Modules>(spread_modules(model, plan, ranks).modules));
  Matrix<S> a(model.nv(), 1);
  const State<S> state{s.q.col(c).data(),   s.v.col(c).data(), external ? s.f_ext.col(c).data() : nullptr,
                       s.tau.col(c).data(), nullptr,           a.data()};
  solver->solve({&state, 1});
  return a;
}

/// Where there is an answer: some families come apart in fewer parts than there are ranks.
std::optional<mpi::ForwardDynamics> made(const Model& model, const Options& options) {
  try {
    return std::make_optional<mpi::ForwardDynamics>(MPI_COMM_WORLD, model, options);
  } catch (const mpi::Error& error) {
    EXPECT_NE(std::string(error.what()).find("comes apart in shares for"), std::string::npos) << error.what();
    return std::nullopt;
  }
}

template <class S>
void expect_bits(const Case& of, ExecutorKind executor, int threads) {
  const Model model = of.model();
  Options options = of.options;
  options.executor = executor, options.threads = threads;
  std::optional<mpi::ForwardDynamics> shared = made(model, options);
  if (!shared) return;
  const States<S> s(model, 3);
  for (const bool external : {false, true, false})
    for (int c = 0; c < 3; ++c) {  // states differ: numbers of the one before are wrong
      Matrix<S> a = Matrix<S>::Constant(model.nv(), 1, 7);
      const Status status = external ? shared->solve(s.q.col(c), s.v.col(c), s.tau.col(c), s.f_ext.col(c), a)
                                     : shared->solve(s.q.col(c), s.v.col(c), s.tau.col(c), a);
      EXPECT_TRUE(status.ok()) << of.family << ": " << status.message(model);
      EXPECT_TRUE(same_bytes<S>(a, alone(model, shared->plan(), s, c, external)))
          << of.family << ", grain " << shared->plan().grain << ", external " << external;
    }
}

TEST(SharedMechanism, HasTheBitsOfItsModulesInOneProcess) {
  for (const Case& of : cases()) {
    expect_bits<double>(of, ExecutorKind::serial, 1);
    expect_bits<float>(of, ExecutorKind::serial, 1);
  }
}

TEST(SharedMechanism, HasTheSameBitsOnThreads) {
  if (ranks_of_world() > 2) GTEST_SKIP() << "ranks and threads would outnumber this machine's cores too far";
  const std::vector<Case> all = cases();
  int number = 0;  // each executor has its share of the cases: ranks and threads outnumber this machine's cores
  for (const Case& of : all) expect_bits<double>(of, threaded_executors[static_cast<std::size_t>(number++ % 3)], 2);
}

/// Of state number c, by articulated bodies in 60 digits.
Eigen::VectorXd truth_of(const Model& model, int c) {
  const std::vector<Reference> a = reference_accelerations(model, random_state(model, States<double>::seed(c)), true);
  Eigen::VectorXd truth(model.nv());
  for (int k = 0; k < model.nv(); ++k) truth[k] = a[at(k)].convert_to<double>();
  return truth;
}

/// Against 60 digits: the largest errors over a few states, of one process by articulated bodies and of all ranks.
TEST(SharedMechanism, IsAboutAsAccurateAsArticulatedBodies) {
  constexpr int states = 4;
  std::map<std::string, std::vector<Eigen::VectorXd>> truths;
  for (const Case& of : cases()) {
    if (of.options.refinements == 0) continue;
    const Model model = of.model();
    std::optional<mpi::ForwardDynamics> shared = made(model, of.options);
    if (!shared) continue;
    Options ab;
    ab.algorithm = Algorithm::ab;
    kinetree::ForwardDynamics dynamics(model, ab);
    const States<double> s(model, states);
    std::vector<Eigen::VectorXd>& truth = truths[of.family];
    for (int c = static_cast<int>(truth.size()); c < states; ++c) truth.push_back(truth_of(model, c));
    double of_ab = 0, of_ranks = 0;
    for (int c = 0; c < states; ++c) {
      Eigen::VectorXd alone(model.nv()), a(model.nv());
      const double size = truth[at(c)].norm();
      ASSERT_TRUE(dynamics.solve(s.q.col(c), s.v.col(c), s.tau.col(c), s.f_ext.col(c), alone).ok());
      ASSERT_TRUE(shared->solve(s.q.col(c), s.v.col(c), s.tau.col(c), s.f_ext.col(c), a).ok());
      of_ab = std::max(of_ab, (alone - truth[at(c)]).norm() / size);
      keep_worst(of_ranks, (a - truth[at(c)]).norm() / size);
    }
    EXPECT_TRUE(of_ranks <= 4 * of_ab + 1e-15)
        << of.family << ", grain " << shared->plan().grain << ", " << shared->plan().end_chains
        << " side by side: " << of_ranks << ", articulated bodies " << of_ab;
  }
}

TEST(SharedMechanism, TakesAsManyRoundsAsAChainAsks) {
  const int ranks = ranks_of_world();
  int rounds = 0;
  while (1 << rounds < ranks) ++rounds;
  for (const int grain : {1, 3, 16, 0}) {
    const mpi::ForwardDynamics shared(MPI_COMM_WORLD, make_model("chain:256"), of(Algorithm::modular, grain));
    const mpi::Spread& spread = shared.spread();
    EXPECT_LE(spread.rounds, rounds) << grain;  // of three ranks, one has messages of two at a time
    EXPECT_EQ(spread.rounds > 0, ranks > 1);
    int all = 0;
    for (const int bodies : spread.bodies) {
      EXPECT_GT(bodies, 0);
      all += bodies;
    }
    EXPECT_EQ(all, 256);
    // each border: up in compose, articulate and correct, down in hand_down and twice in accelerate, across to close
    // twice and back once; a tip has no map to hand up
    int messages = 0;
    MPI_Allreduce(&spread.messages, &messages, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_LE(messages, 9 * (ranks - 1)) << grain;
    if (ranks == 2) {
      EXPECT_EQ(messages, 8) << grain;
    }
  }
}

TEST(SharedMechanism, PacksOfAChainTakeAsManyRounds) {
  Options side_by_side = of(Algorithm::modular);
  side_by_side.limbs = widest();
  if (side_by_side.limbs < 4) GTEST_SKIP() << "two modules side by side never pay";
  const int ranks = ranks_of_world();
  const mpi::ForwardDynamics shared(MPI_COMM_WORLD, make_model("chain:2000"), side_by_side);
  ASSERT_EQ(shared.plan().end_chains, side_by_side.limbs);
  int rounds = 0;
  while (1 << rounds < ranks) ++rounds;
  EXPECT_LE(shared.spread().rounds, rounds);
  for (const int bodies : shared.spread().bodies) EXPECT_NEAR(bodies, 2000 / ranks, 200);
  int messages = 0;
  MPI_Allreduce(&shared.spread().messages, &messages, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_LE(messages, 9 * (ranks - 1));
}

TEST(SharedMechanism, LeavesResultsWhereTheyAre) {
  const Model model = make_model("tree:2x6");
  mpi::ForwardDynamics everywhere(MPI_COMM_WORLD, model), own(MPI_COMM_WORLD, model, {}, mpi::Results::own_bodies);
  const States<double> s(model, 1);
  Eigen::VectorXd all(model.nv()), a = Eigen::VectorXd::Constant(model.nv(), 7);
  ASSERT_TRUE(everywhere.solve(s.q, s.v, s.tau, all).ok());
  ASSERT_TRUE(own.solve(s.q, s.v, s.tau, a).ok());
  std::vector<int> rank_of(static_cast<std::size_t>(model.nv()), -1);
  for (int rank = 0; rank < ranks_of_world(); ++rank)
    for (const mpi::Rows& rows : own.rows_of(rank))
      for (int k = rows.begin; k < rows.end; ++k) {
        EXPECT_EQ(rank_of[static_cast<std::size_t>(k)], -1);
        rank_of[static_cast<std::size_t>(k)] = rank;
      }
  for (int k = 0; k < model.nv(); ++k)
    EXPECT_EQ(a[k], rank_of[static_cast<std::size_t>(k)] == rank_of_world() ? all[k] : 7);
}

TEST(SharedMechanism, FailsOnEveryRankAlike) {
  const Model model = make_model("chain:40");
  mpi::ForwardDynamics shared(MPI_COMM_WORLD, model);
  States<double> s(model, 1);
  s.tau(37) = std::numeric_limits<double>::quiet_NaN();  // of a body that one rank has
  Eigen::VectorXd a(model.nv());
  const Status status = shared.solve(s.q, s.v, s.tau, a);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_STREQ(status.argument, "tau");
  EXPECT_EQ(status.body, 37);
  EXPECT_TRUE(a.array().isNaN().all());
  // one rank's size is wrong
  Eigen::VectorXd shorter = s.v.col(0).head(rank_of_world() == ranks_of_world() - 1 ? 39 : 40);
  const Status wrong = shared.solve(s.q, shorter, s.v, a);
  EXPECT_EQ(wrong.code, StatusCode::wrong_size);
  EXPECT_STREQ(wrong.argument, "v");
  EXPECT_EQ(wrong.expected, 40);
  s.tau(37) = 0;
  EXPECT_TRUE(shared.solve(s.q, s.v, s.tau, a).ok());
}

/// At the last tip a massless turntable with a point mass on a slide: where that stands on the turntable's axis, its
/// numbers are no longer finite on the way to other ranks, which have no fault of their own.
TEST(SharedMechanism, NamesTheCauseOnEveryRank) {
  Description description = make_description("tree:2x6");
  for (const char* name : {"turntable", "slider"}) {
    BodyDescription body;
    body.name = name;
    body.parent = description.bodies.back().name;
    body.joint.name = std::string("to_") + name;
    body.joint.type = "revolute";
    body.joint.axis = {0, 0, 1};
    description.bodies.push_back(body);
  }
  BodyDescription& slider = description.bodies.back();
  slider.joint.origin.xyz = {1, 0, 0};
  slider.joint.type = "prismatic";
  slider.joint.axis = {1, 0, 0};
  slider.inertial = InertialDescription{1, {}, {}, 0};
  const Model model = make_model(description);
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::modular}) {
    const Options options = of(algorithm, algorithm == Algorithm::modular ? 8 : 0);
    std::optional<mpi::ForwardDynamics> shared = made(model, options);
    if (!shared) continue;
    kinetree::ForwardDynamics alone(model, options);
    States<double> s(model, 1);
    s.q(model.q_index("to_slider"), 0) = -1;
    Eigen::VectorXd a(model.nv());
    const Status expected = alone.solve(s.q, s.v, s.tau, a), status = shared->solve(s.q, s.v, s.tau, a);
    EXPECT_EQ(expected.code, StatusCode::singular);
    EXPECT_EQ(status.code, expected.code);
    EXPECT_EQ(status.body, expected.body);
  }
}

TEST(SharedMechanism, TakesRankZerosWord) {
  const Model model = make_model("tree:2x6");
  const States<double> s(model, 1);
  mpi::ForwardDynamics shared(MPI_COMM_WORLD, model, {},
                              rank_of_world() == 0 ? mpi::Results::everywhere : mpi::Results::own_bodies);
  Eigen::VectorXd a = Eigen::VectorXd::Constant(model.nv(), 7);
  ASSERT_TRUE(shared.solve(s.q, s.v, s.tau, a).ok());
  EXPECT_TRUE((a.array() != 7).all());
  Options refined = of(Algorithm::automatic);
  refined.refinements = 2;
  EXPECT_NO_THROW(mpi::ForwardDynamics(MPI_COMM_WORLD, model, refined));
}

TEST(SharedMechanism, SaysOnEveryRankWhatIsNotThere) {
  const Model model = make_model("chain:40");
  const auto error = [&](const Model& of_model, const Options& options) {
    return error_of([&] { const mpi::ForwardDynamics shared(MPI_COMM_WORLD, of_model, options); }).second;
  };
  const auto expect_text = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect_text(error(model, of(Algorithm::crb)), "algorithm crb is not known over ranks");
  Options literal = of(Algorithm::cfa);
  literal.formulation = Formulation::literal;
  expect_text(error(model, literal), "formulation literal is not known over ranks");
  Options senseless;
  senseless.threads = -7;
  expect_text(error(model, senseless), "threads");
  if (ranks_of_world() == 1) return;
  expect_text(error(make_model("chain:1"), {}), "comes apart in shares for 1 of");
  mpi::ForwardDynamics shared(MPI_COMM_WORLD, model);
  const States<double> s(model, 1);
  Eigen::VectorXd a(model.nv());
  expect_text(error_of([&] {
                static_cast<void>(rank_of_world() == 0 ? shared.solve(s.q, s.v, s.tau, a)
                                                       : shared.solve(s.q, s.v, s.tau, s.f_ext, a));
              }).second,
              "some ranks have f_ext and some have not");
  const States<float> in_float(model, 1);
  Eigen::VectorXf b(model.nv());
  expect_text(error_of([&] {
                static_cast<void>(rank_of_world() == 0 ? shared.solve(s.q, s.v, s.tau, a)
                                                       : shared.solve(in_float.q, in_float.v, in_float.tau, b));
              }).second,
              "its numbers are not of rank 0's scalar type");
}

}  // namespace
}  // namespace kinetree::oracle
