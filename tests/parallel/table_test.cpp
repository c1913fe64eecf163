// Every algorithm with every executor, scalar and option, on a tree and on a mechanism with loops: the answer is right,
// and the plan says what was run; or the combination has no effect, and is refused. A new enumerator that stands in no
// row fails to compile.
#include <gtest/gtest.h>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/enumerators.hpp"
#include "oracle/plans.hpp"
#include "parallel/executor.hpp"

namespace kinetree::oracle {
namespace {

constexpr Algorithm algorithms[]{Algorithm::automatic, Algorithm::ab, Algorithm::crb, Algorithm::cfa,
                                 Algorithm::modular};
constexpr Cuts cuttings[]{Cuts::paths, Cuts::main, Cuts::all};
constexpr Elimination eliminations[]{Elimination::cyclic, Elimination::leaves_first};
constexpr Formulation formulations[]{Formulation::direct, Formulation::literal};
constexpr Factorization factorizations[]{Factorization::sparse, Factorization::dense};
constexpr Loops loops[]{Loops::automatic, Loops::embed, Loops::multipliers};
constexpr std::uint64_t closed_seed = 63;
constexpr int refinements[]{-1, 0, 1, 2};

template <class Enum, std::size_t rows>
constexpr bool complete(const Enum (&)[rows]) {
  return enumerator_count<Enum>() == static_cast<int>(rows);
}
static_assert(complete(algorithms) && complete(executors) && complete(cuttings) && complete(eliminations) &&
              complete(formulations) && complete(factorizations) && complete(loops));

/// As README says it.
bool makes_sense(const Options& o) {
  const Options plain;
  const bool automatic = o.algorithm == Algorithm::automatic;
  const bool dial = o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular;
  if (!dial && (o.cuts != plain.cuts || o.elimination != plain.elimination || o.formulation != plain.formulation))
    return false;
  if (!dial && !automatic && o.refinements > 0) return false;
  if (o.algorithm != Algorithm::crb && o.factorization != plain.factorization) return false;
  return o.algorithm != Algorithm::crb || o.loops == plain.loops;
}

/// What is left open comes to its default where nothing is planned.
Options expected_plan(Options o, const Model& model) {
  if (o.algorithm == Algorithm::automatic) o.algorithm = Algorithm::ab;
  const bool dial = o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular;
  if (!dial) o.refinements = 0;
  if (dial && o.refinements < 0) o.refinements = 1;
  if (o.algorithm == Algorithm::cfa) o.grain = 1;
  if (model.data().aggregates.empty()) o.loops = Options().loops;
  return o;
}

void expect_same(const Plan& a, const Options& b) {
  EXPECT_EQ(a.algorithm, b.algorithm);
  EXPECT_EQ(a.executor, b.executor);
  EXPECT_EQ(a.grain, b.grain);
  EXPECT_EQ(a.cuts, b.cuts);
  EXPECT_EQ(a.refinements, b.refinements);
  EXPECT_EQ(a.elimination, b.elimination);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.factorization, b.factorization);
  EXPECT_EQ(a.loops, b.loops);
}

struct Truth {
  Model model;
  std::vector<TestState> states;
  Eigen::MatrixXd plain, external;  ///< the oracle's accelerations, one state per column

  explicit Truth(Model m) : model(std::move(m)), plain(model.nv(), 3), external(model.nv(), 3) {}
};

Truth tree() {
  const char* family = "random:24:seed=5:special=1";
  Truth truth(make_model(family));
  DenseOracle<long double> oracle(make_description(family), truth.model);
  for (int c = 0; c < 3; ++c) {
    truth.states.push_back(random_state(truth.model, static_cast<std::uint64_t>(c) + 1));
    const TestState& s = truth.states.back();
    for (const bool pushed : {false, true}) {
      oracle.set(s.q, s.v, pushed ? s.f_ext : Eigen::VectorXd());
      const std::vector<long double> a = oracle.accelerations(s.tau);
      for (Eigen::Index i = 0; i < truth.model.nv(); ++i)
        (pushed ? truth.external : truth.plain)(i, c) = static_cast<double>(a[static_cast<std::size_t>(i)]);
    }
  }
  return truth;
}

/// Aggregates of both kinds: some are cheaper embedded, some by multipliers.
Truth with_loops() {
  const ClosedMechanism mechanism = random_closed_mechanism(closed_seed);
  Truth truth(mechanism.model);
  ClosedOracle oracle(mechanism.description, mechanism.tree);
  for (int c = 0; c < 3; ++c) {
    truth.states.push_back(mechanism.state);
    TestState& s = truth.states.back();
    const TestState other = random_state(mechanism.tree, static_cast<std::uint64_t>(c) + 1);
    s.v *= c, s.tau = other.tau, s.f_ext = other.f_ext;
    for (const bool pushed : {false, true}) {
      oracle.set(s.q, s.v, pushed ? s.f_ext : Eigen::VectorXd());
      (pushed ? truth.external : truth.plain).col(c) = oracle.accelerations(s.tau);
    }
  }
  return truth;
}

template <class S>
void solve_all(ForwardDynamics& dynamics, const Truth& truth, double tolerance) {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  for (const Eigen::Index columns : {1, 3}) {
    Matrix q(truth.model.nq(), columns), v(truth.model.nv(), columns), tau = v, a = v,
                                                                       f(6 * truth.model.body_count(), columns);
    for (Eigen::Index c = 0; c < columns; ++c) {
      const TestState& s = truth.states[static_cast<std::size_t>(c)];
      q.col(c) = s.q.template cast<S>(), v.col(c) = s.v.template cast<S>(), tau.col(c) = s.tau.template cast<S>();
      f.col(c) = s.f_ext.template cast<S>();
    }
    for (const bool pushed : {false, true}) {
      a.setConstant(S(-1));
      const Status status = pushed ? dynamics.solve(q, v, tau, f, a) : dynamics.solve(q, v, tau, a);
      EXPECT_TRUE(status.ok()) << status.message(truth.model);
      const auto& expected = pushed ? truth.external : truth.plain;
      for (Eigen::Index c = 0; c < columns; ++c) {
        const double difference = largest_of(a.col(c).template cast<double>() - expected.col(c));
        EXPECT_LE(difference, tolerance * largest_of(expected.col(c)))
            << (sizeof(S) == 4 ? "float" : "double") << ", column " << c << " of " << columns
            << (pushed ? ", f_ext" : "");
      }
    }
  }
}

/// False: it is refused, as it should be.
bool solve_with(const Truth& truth, const Options& o) {
  SCOPED_TRACE(std::string(name_of(o.executor)) + ", " + describe(o) +
               (o.factorization == Factorization::dense ? ", dense" : ", sparse") + ", loops " +
               std::to_string(static_cast<int>(o.loops)));
  if (!makes_sense(o)) {
    EXPECT_THROW(ForwardDynamics(truth.model, o), std::invalid_argument);
    return false;
  }
  ForwardDynamics dynamics(truth.model, o);
  expect_same(dynamics.plan(), expected_plan(o, truth.model));
  if (o.algorithm != Algorithm::automatic) {
    EXPECT_EQ(dynamics.plan().one_threads, threads_given(o.executor, o.threads));
    EXPECT_EQ(dynamics.plan().batch_threads, threads_given(o.executor, o.threads));
  }
  solve_all<double>(dynamics, truth, 1e-9);
  solve_all<float>(dynamics, truth, 2e-2);
  return true;
}

TEST(Table, EveryCombination) {
  const Truth truth = tree();
  int combinations = 0, solved = 0;
  for (const Algorithm algorithm : algorithms)
    for (const ExecutorKind executor : executors)
      for (const Cuts cuts : cuttings)
        for (const Elimination elimination : eliminations)
          for (const Formulation formulation : formulations)
            for (const Factorization factorization : factorizations)
              for (const int n : refinements) {
                Options o{.algorithm = algorithm,
                          .executor = executor,
                          .threads = executor == ExecutorKind::serial ? 1 : 2,
                          .cuts = cuts,
                          .refinements = n,
                          .elimination = elimination,
                          .formulation = formulation,
                          .factorization = factorization};
                o.grain = algorithm == Algorithm::modular ? 3 : 0;
                // of a model without loops they say nothing
                if (algorithm != Algorithm::crb) o.loops = loops[solved % 3];
                solved += solve_with(truth, o);
                ++combinations;
                if (testing::Test::HasFailure()) return;  // one story is enough
              }
  EXPECT_EQ(combinations, 5 * 4 * 3 * 2 * 2 * 2 * 4);
  // automatic by refinements, ab and crb without them, crb by factorization, cfa and modular by all that cut joints
  // know
  EXPECT_EQ(solved, 4 * (4 + 2 + 2 * 2 + 2 * (3 * 2 * 2 * 4)));
}

TEST(Table, EveryCombinationThatLoopsKnow) {
  const Truth truth = with_loops();
  int combinations = 0, solved = 0;
  for (const Algorithm algorithm : algorithms)
    for (const ExecutorKind executor : executors)
      for (const Cuts cuts : cuttings)
        for (const Formulation formulation : formulations)
          for (const Loops way : loops) {
            Options o{.algorithm = algorithm,
                      .executor = executor,
                      .threads = executor == ExecutorKind::serial ? 1 : 2,
                      .cuts = cuts,
                      .formulation = formulation,
                      .loops = way};
            o.grain = algorithm == Algorithm::modular ? 3 : 0;
            solved += solve_with(truth, o);
            ++combinations;
            if (testing::Test::HasFailure()) return;
          }
  EXPECT_EQ(combinations, 5 * 4 * 3 * 2 * 3);
  EXPECT_EQ(solved, 4 * (2 * 3 + 1 + 2 * (3 * 2 * 3)));
}

TEST(Table, LeftOpenIsChosenAndCanBeReplayed) {
  const Model model = make_model("chain:200");
  ForwardDynamics open(model, {.algorithm = Algorithm::modular, .executor = ExecutorKind::tbb, .threads = 0});
  EXPECT_GE(open.plan().one_threads, 1);
  EXPECT_GE(open.plan().grain, 1);
  EXPECT_EQ(open.plan().refinements, 1);
  ForwardDynamics again(model, open.plan());
  EXPECT_EQ(again.plan(), open.plan());
  const TestState s = random_state(model, 1);
  EXPECT_EQ(accelerations(open, s), accelerations(again, s));
}

TEST(Table, ConstraintForcesShowTheirModules) {
  ForwardDynamics chain(make_model("chain:37"), serial(Algorithm::cfa));
  ASSERT_NE(chain.modules(), nullptr);
  EXPECT_EQ(chain.modules()->modules.size(), 37u);
  EXPECT_EQ(chain.modules()->cuts.size(), 37u);
  ForwardDynamics ab(make_model("chain:37"), serial(Algorithm::ab));
  EXPECT_FALSE(ab.modules()->any_cut());
}

TEST(Table, AllRefusesAHubOfMoreThanSixteenCuts) {
  const Model hub = make_model("star:20x2", {.floating_base = true});
  Options options = serial(Algorithm::cfa);
  options.cuts = Cuts::all;
  EXPECT_THROW(ForwardDynamics(hub, options), TooManyCuts);
  options.cuts = Cuts::paths;
  EXPECT_NO_THROW(ForwardDynamics(hub, options));
}

}  // namespace
}  // namespace kinetree::oracle
