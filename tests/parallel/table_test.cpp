// Every algorithm with every executor, scalar and option, on one tree: the answer is right, and the plan says what was
// run. A new enumerator that stands in no row fails to compile.
#include <gtest/gtest.h>

#include "oracle/dense_oracle.hpp"
#include "oracle/enumerators.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

constexpr Algorithm algorithms[]{Algorithm::automatic, Algorithm::ab, Algorithm::crb, Algorithm::cfa,
                                 Algorithm::modular};
constexpr ExecutorKind executors[]{ExecutorKind::serial, ExecutorKind::tbb, ExecutorKind::openmp};
constexpr Cuts cuttings[]{Cuts::paths, Cuts::main, Cuts::all};
constexpr Elimination eliminations[]{Elimination::cyclic, Elimination::leaves_first};
constexpr Formulation formulations[]{Formulation::direct, Formulation::literal};
constexpr Factorization factorizations[]{Factorization::sparse, Factorization::dense};
constexpr int corrections[]{-1, 0, 1, 2};

template <class Enum, std::size_t rows>
constexpr bool complete(const Enum (&)[rows]) {
  return enumerator_count<Enum>() == static_cast<int>(rows);
}
static_assert(complete(algorithms) && complete(executors) && complete(cuttings) && complete(eliminations) &&
              complete(formulations) && complete(factorizations));

/// Options that an algorithm has no use for are put back to their defaults, and the plan shows it: these are the
/// combinations that do not exist.
Options expected_plan(Options o, const Model& model) {
  const Options defaults;
  if (o.algorithm == Algorithm::automatic) o.algorithm = Algorithm::ab;
  const bool dial = o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular;
  if (!dial) {
    o.cuts = defaults.cuts, o.elimination = defaults.elimination, o.formulation = defaults.formulation;
    o.corrections = 0;
  }
  if (dial && o.corrections < 0) o.corrections = 1;
  if (o.algorithm != Algorithm::crb) o.factorization = defaults.factorization;
  if (o.algorithm == Algorithm::cfa) o.grain = 1;
  if (!dial) o.grain = 0;
  if (o.executor == ExecutorKind::serial) o.threads = 1;
  (void)model;
  return o;
}

void expect_same(const Options& a, const Options& b) {
  EXPECT_EQ(a.algorithm, b.algorithm);
  EXPECT_EQ(a.executor, b.executor);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.grain, b.grain);
  EXPECT_EQ(a.cuts, b.cuts);
  EXPECT_EQ(a.corrections, b.corrections);
  EXPECT_EQ(a.elimination, b.elimination);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.factorization, b.factorization);
}

struct Truth {
  Model model = make_model("random:24:seed=5:special=1");
  std::vector<TestState> states;
  Eigen::MatrixXd plain, external;  ///< the oracle's accelerations, one state per column

  Truth() {
    DenseOracle<long double> oracle(make_description("random:24:seed=5:special=1"), model);
    plain.resize(model.nv(), 3);
    external.resize(model.nv(), 3);
    for (int c = 0; c < 3; ++c) {
      states.push_back(random_state(model, static_cast<std::uint64_t>(c) + 1));
      const TestState& s = states.back();
      for (const bool pushed : {false, true}) {
        oracle.set(s.q, s.v, pushed ? s.f_ext : Eigen::VectorXd());
        const std::vector<long double> a = oracle.accelerations(s.tau);
        for (Eigen::Index i = 0; i < model.nv(); ++i)
          (pushed ? external : plain)(i, c) = static_cast<double>(a[static_cast<std::size_t>(i)]);
      }
    }
  }
};

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
        const double difference = (a.col(c).template cast<double>() - expected.col(c)).cwiseAbs().maxCoeff();
        EXPECT_LE(difference, tolerance * expected.col(c).cwiseAbs().maxCoeff())
            << (sizeof(S) == 4 ? "float" : "double") << ", column " << c << " of " << columns
            << (pushed ? ", f_ext" : "");
      }
    }
  }
}

TEST(Table, EveryCombination) {
  const Truth truth;
  int combinations = 0;
  for (const Algorithm algorithm : algorithms)
    for (const ExecutorKind executor : executors)
      for (const Cuts cuts : cuttings)
        for (const Elimination elimination : eliminations)
          for (const Formulation formulation : formulations)
            for (const Factorization factorization : factorizations)
              for (const int n : corrections) {
                Options o{.algorithm = algorithm,
                          .executor = executor,
                          .threads = 2,
                          .cuts = cuts,
                          .corrections = n,
                          .elimination = elimination,
                          .formulation = formulation,
                          .factorization = factorization};
                o.grain = algorithm == Algorithm::modular ? 3 : 0;
                SCOPED_TRACE(std::string(name_of(executor)) + ", " + describe(o) +
                             (factorization == Factorization::dense ? ", dense" : ", sparse"));
                ForwardDynamics dynamics(truth.model, o);
                expect_same(dynamics.plan(), expected_plan(o, truth.model));
                solve_all<double>(dynamics, truth, 1e-9);
                solve_all<float>(dynamics, truth, 2e-2);
                ++combinations;
                if (testing::Test::HasFailure()) return;  // one story is enough
              }
  EXPECT_EQ(combinations, 5 * 3 * 3 * 2 * 2 * 2 * 4);
}

TEST(Table, LeftOpenIsChosenAndCanBeReplayed) {
  const Model model = make_model("chain:200");
  ForwardDynamics open(model, {.algorithm = Algorithm::modular, .executor = ExecutorKind::tbb, .threads = 0});
  EXPECT_GE(open.plan().threads, 1);
  EXPECT_GE(open.plan().grain, 1);
  EXPECT_EQ(open.plan().corrections, 1);
  ForwardDynamics again(model, open.plan());
  expect_same(again.plan(), open.plan());
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
