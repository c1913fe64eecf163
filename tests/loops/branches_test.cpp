// Branches of different ranks: each state is solved with the freedoms of its own branch, and none at a change point.
// Truth is the dense equations in 60 digits, which are told the number of freedoms.
#include "engine/model/branches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/model/closure.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/branching_mechanisms.hpp"
#include "loops/closed_oracle.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<Options> ways_to_solve() {
  std::vector<Options> ways;
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::cfa})
    for (const Loops loops : {Loops::embed, Loops::multipliers}) {
      ways.push_back(serial(algorithm));
      ways.back().loops = loops;
    }
  ways.push_back(serial(Algorithm::crb));
  return ways;
}

VectorXd drawn(Random& random, int size) {
  VectorXd x(size);
  for (double& value : x) value = random.uniform(-1, 1);
  return x;
}

/// A state in motion, and its accelerations.
struct Solved {
  VectorXd q, v, tau, a;
  double pivot, left;

  Solved(DenseClosedReference& dense, const VectorXd& q_, int freedoms, Random& random, int nv)
      : q(q_), tau(drawn(random, nv)) {
    dense.set(q, VectorXd::Zero(nv));
    dense.eliminate(freedoms);
    v = dense.allowed(drawn(random, nv));
    v /= std::max(1.0, v.cwiseAbs().maxCoeff());
    dense.set(q, v);
    dense.eliminate(freedoms);
    pivot = dense.pivot(), left = dense.left();
    a = dense.accelerations(tau);
  }
};

TEST(Branches, RegularRanksAreFoundWhenTheModelIsBuilt) {
  for (const BranchingMechanism& x : branching_mechanisms()) {
    const Model model = make_model(x.description);
    EXPECT_EQ(independent_velocities(model).size(), static_cast<std::size_t>(x.freedoms)) << x.name;
    int others = model.nv();
    for (const Aggregate& a : model.data().aggregates) others -= a.velocities;
    for (const BranchForm& branch : x.branches) {
      int known = 0;  // of one aggregate
      for (const RegularRank& r : model.data().aggregates[0].ranks)
        known += model.data().aggregates[0].velocities - r.rank + others == branch.freedoms;
      EXPECT_EQ(known, 1) << x.name << ", " << branch.name;
    }
  }
}

/// States in turn from each branch, one a column.
struct Batch {
  MatrixXd q, v, tau, a;

  Batch(const BranchingMechanism& x, const Model& model, int rounds) {
    DenseClosedReference dense(x.description, model);
    Random random(7);
    const auto columns = rounds * static_cast<Eigen::Index>(x.branches.size());
    q.resize(model.nq(), columns), v.resize(model.nv(), columns), tau = a = v;
    Eigen::Index c = 0;
    for (int k = 0; k < rounds; ++k)
      for (const BranchForm& branch : x.branches) {
        const Solved s(dense, branch.somewhere(random), branch.freedoms, random, model.nv());
        EXPECT_GE(s.pivot, 1e-4) << x.name << ", " << branch.name;
        EXPECT_LE(s.left, 1e-14) << x.name << ", " << branch.name;
        EXPECT_LE(largest_of(dense.error().cast<double>()), 1e-15) << x.name << ", " << branch.name;
        q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau, a.col(c++) = s.a;
      }
  }
};

/// By every algorithm, alone and in a batch beside states of other branches, where each column has the bits that it has
/// alone.
TEST(Branches, EachIsSolvedWithItsOwnFreedoms) {
  int solved = 0;
  double worst = 0;
  for (const BranchingMechanism& x : branching_mechanisms()) {
    const Model model = make_model(x.description);
    const Batch of(x, model, 6);
    for (const Options& way : ways_to_solve()) {
      ForwardDynamics dynamics(model, way);
      MatrixXd together = of.a;
      const Status all = dynamics.solve(of.q, of.v, of.tau, together);
      ASSERT_TRUE(all.ok()) << x.name << ", " << describe(way) << ": " << all.message(model);
      for (Eigen::Index c = 0; c < of.a.cols(); ++c) {
        const VectorXd truth = of.a.col(c);
        VectorXd a(model.nv());
        ASSERT_TRUE(dynamics.solve(of.q.col(c), of.v.col(c), of.tau.col(c), a).ok()) << x.name;
        const double scale = std::max(1.0, truth.norm()), error = (a - truth).norm() / scale;
        EXPECT_TRUE(error <= 1e-9) << x.name << ", " << describe(way) << ", column " << c << ": " << error;
        EXPECT_TRUE((together.col(c) - truth).norm() <= 1e-9 * scale) << x.name << ", column " << c;
        worst = std::max(worst, error), ++solved;
      }
      if (way.algorithm != Algorithm::ab) continue;
      // neighbours of one's own branch or of others: equal bits
      MatrixXd reversed = together;
      const auto from_behind = [](const MatrixXd& x) { return x.rowwise().reverse().eval(); };
      ASSERT_TRUE(dynamics.solve(from_behind(of.q), from_behind(of.v), from_behind(of.tau), reversed).ok());
      EXPECT_TRUE(from_behind(reversed) == together) << x.name;
    }
  }
  std::printf("%d states solved, off by at most %.1e\n", solved, worst);
  EXPECT_GE(solved, 500);
}

TEST(Branches, ThreadsGiveTheSameBitsAndFloatAgrees) {
  double worst = 0;
  for (const BranchingMechanism& x : branching_mechanisms()) {
    const Model model = make_model(x.description);
    const Batch of(x, model, 6);
    for (Options way : ways_to_solve()) {
      ForwardDynamics alone(model, way);
      MatrixXd a = of.a;
      ASSERT_TRUE(alone.solve(of.q, of.v, of.tau, a).ok()) << x.name;
      Eigen::MatrixXf in_float(a.rows(), a.cols());
      const Eigen::MatrixXf q = of.q.cast<float>(), v = of.v.cast<float>(), tau = of.tau.cast<float>();
      const Status status = alone.solve(q, v, tau, in_float);
      ASSERT_TRUE(status.ok()) << x.name << ", " << describe(way) << ": " << status.message(model);
      for (Eigen::Index c = 0; c < a.cols(); ++c) {
        const VectorXd truth = of.a.col(c);
        const double error = (in_float.col(c).cast<double>() - truth).norm() / std::max(1.0, truth.norm());
        EXPECT_TRUE(error <= 1e-2) << x.name << ", " << describe(way) << ", column " << c << ": " << error;
        worst = std::max(worst, error);
      }
      for (const ExecutorKind executor : threaded_executors) {
        way.executor = executor, way.threads = 3;
        ForwardDynamics dynamics(model, way);
        MatrixXd shared = of.a;
        ASSERT_TRUE(dynamics.solve(of.q, of.v, of.tau, shared).ok()) << x.name;
        EXPECT_TRUE(shared == a) << x.name << ", " << describe(way) << ", " << name_of(executor);
      }
    }
  }
  std::printf("in float off by at most %.1e\n", worst);
}

/// Down to 1e-12 and at 0, where a rank that another branch has, by a clear gap, must not be taken for regular.
TEST(Branches, NoAnswerAtAChangePoint) {
  int refused = 0, answered = 0;
  for (const BranchingMechanism& x : branching_mechanisms()) {
    const Model model = make_model(x.description);
    for (const WayToChangePoint& way_there : x.ways)
      for (const Options& way : ways_to_solve()) {
        ForwardDynamics dynamics(model, way);
        for (const double distance :
             {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 0.})
          for (const double side : {1., -1.}) {
            VectorXd a(model.nv());
            const VectorXd q = way_there.at(side * distance), rest = VectorXd::Zero(model.nv());
            const Status status = dynamics.solve(q, rest, rest, a);
            if (status.ok()) {
              EXPECT_GT(distance, 1e-11) << x.name << ", " << way_there.name << ", " << describe(way) << side;
              ++answered;
              continue;
            }
            EXPECT_EQ(status.code, StatusCode::singular_loop) << x.name;
            EXPECT_TRUE(a.array().isNaN().all());
            EXPECT_LE(distance, 1e-2) << x.name << ", " << way_there.name << ", " << describe(way);
            ++refused;
          }
      }
  }
  std::printf("%d states refused, %d answered\n", refused, answered);
  EXPECT_GE(refused, 200);
  EXPECT_GE(answered, 100);
}

/// Where the third rod changes all the rank is lost that the first two lose where they rest, and the closer these are
/// to that the less a small motion beside the state tells one from the other.
TEST(Branches, NoAnswerAtAChangePointCloseToAnother) {
  const Model model = make_model(sliding_rods(true, false).description);
  const VectorXd rest = VectorXd::Zero(model.nv());
  for (const Options& way : ways_to_solve()) {
    ForwardDynamics dynamics(model, way);
    for (const double from_rest : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
      const double a = M_PI / 2 - from_rest;
      VectorXd out(model.nv());
      const Status status = dynamics.solve(VectorXd{{a, -2 * a, a, -2 * a, M_PI / 2, -M_PI}}, rest, rest, out);
      EXPECT_EQ(status.code, StatusCode::singular_loop) << describe(way) << ", " << from_rest;
    }
  }
}

/// What is answered near a change point is right to the digits that the smallest pivot leaves; multipliers, which solve
/// with K H⁻¹ Kᵀ, leave half as many.
TEST(Branches, AnswersNearChangePointsAreThoseOfTheBranch) {
  std::printf("errors of ab and cfa, each by embedding and by multipliers, and of crb");
  for (const BranchingMechanism& x : branching_mechanisms()) {
    const Model model = make_model(x.description);
    DenseClosedReference dense(x.description, model);
    Random random(3);
    for (const WayToChangePoint& way_there : x.ways)
      for (const double distance : {1e-1, 1e-2, 1e-3, 1e-4}) {
        const Solved s(dense, way_there.at(distance), way_there.freedoms, random, model.nv());
        std::printf("\n%s, %s, %.0e, pivot %.1e:", x.name.c_str(), way_there.name.c_str(), distance, s.pivot);
        for (const Options& way : ways_to_solve()) {
          VectorXd a(model.nv());
          if (!ForwardDynamics(model, way).solve(s.q, s.v, s.tau, a).ok()) {
            std::printf(" refused");
            continue;
          }
          const double error = (a - s.a).norm() / std::max(1.0, s.a.norm());
          const bool squared = way.loops == Loops::multipliers && way.algorithm != Algorithm::crb;
          EXPECT_TRUE(error <= 1e-14 / (squared ? s.pivot * s.pivot : s.pivot)) << describe(way);
          std::printf(" %.1e", error);
        }
      }
  }
  std::printf("\n");
}

TEST(Branches, StatusesNameLoopAndPivot) {
  const BranchingMechanism x = sliding_rods(true, false);
  const Model model = make_model(x.description);
  ForwardDynamics dynamics(model, serial(Algorithm::ab));
  VectorXd a(model.nv());
  const VectorXd rest = VectorXd::Zero(model.nv());
  const std::string lost = dynamics.solve(x.ways[0].at(0), rest, rest, a).message(model);
  for (const char* word : {"line1", "line2", "alike", "pivot", "2 or 3 freedoms", "branches"})
    EXPECT_NE(lost.find(word), std::string::npos) << lost;
  // in independent coordinates: those of the branch of `assembled`
  Workspace workspace(model);
  MatrixXd H(x.freedoms, x.freedoms);
  Random random(1);
  EXPECT_TRUE(mass_matrix(model, workspace, x.branches[0].somewhere(random), H).ok());
  const Status other = mass_matrix(model, workspace, x.branches[1].somewhere(random), H);
  EXPECT_EQ(other.code, StatusCode::other_branch);
  EXPECT_TRUE(H.array().isNaN().all());
  const std::string message = other.message(model);
  for (const char* word : {"line1", "3 freedoms", "assembled 2", "name this branch"})
    EXPECT_NE(message.find(word), std::string::npos) << message;
  EXPECT_EQ(mass_matrix(model, workspace, x.ways[2].at(0), H).code, StatusCode::singular_loop);
}

/// Where K allows more motions than there are on a whole branch loading says so; states are solved by its rank.
TEST(Branches, ShakyLinkagesAreSaid) {
  for (const int legs : {5, 6, 8}) {
    const BranchingMechanism x = wren_platform(legs);
    const Model model = make_model(x.description);
    std::string said;
    for (const Finding& finding : model.findings()) said += to_string(finding) + "\n";
    for (const char* word : {"shaky", "3 freedoms", "first order"})
      EXPECT_NE(said.find(word), std::string::npos) << said;
    DenseClosedReference dense(x.description, model);
    Random random(4);
    const VectorXd rest = VectorXd::Zero(model.nv()), tau = drawn(random, model.nv());
    for (const Options& way : ways_to_solve()) {
      ForwardDynamics dynamics(model, way);
      for (const BranchForm& branch : x.branches) {
        const VectorXd q = branch.somewhere(random);
        dense.set(q, rest);
        dense.eliminate(3);
        const VectorXd truth = dense.accelerations(tau);
        VectorXd a(model.nv());
        const Status status = dynamics.solve(q, rest, tau, a);
        ASSERT_TRUE(status.ok()) << x.name << ", " << describe(way) << ": " << status.message(model);
        EXPECT_TRUE((a - truth).norm() <= 1e-9 * truth.norm())
            << x.name << ", " << branch.name << ", " << describe(way);
      }
    }
  }
}

/// Near a change point a state of the branch with more freedoms can't be told from the other's: where its smallest
/// pivot is below 1e-4 of the largest it is a change point, above it is solved. Pivots are Eigen's, of K without units.
TEST(Branches, StatesAstrideTheLeastPivotOfALowerRank) {
  int astride = 0;
  for (const bool third : {false, true}) {
    const BranchingMechanism x = sliding_rods(third, false);
    const Model model = make_model(x.description);
    const Aggregate& a = model.data().aggregates[0];
    Closure closure(model.data());
    const auto K = [&](const double* q) {
      return ConstraintUnits::Matrix(
          Eigen::Map<const ConstraintUnits::Matrix>(closure.rows(a, q).K.data(), a.rows, a.velocities));
    };
    const ConstraintUnits units(model.data(), a, K(model.data().assembled.data()));
    for (const WayToChangePoint& way : x.ways) {
      if (way.name != "resting to running") continue;
      const int rank = model.nv() - way.freedoms;
      const auto pivot = [&](double distance) {
        const Eigen::FullPivLU<MatrixXd> lu(units.of(K(way.at(distance).data())));
        return std::abs(lu.matrixLU()(rank - 1, rank - 1)) / lu.maxPivot();
      };
      double low = 1e-9, high = 1e-1;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = std::sqrt(low * high);
        (pivot(middle) < 1e-4 ? low : high) = middle;
      }
      Branches branches(model.data(), a);
      for (const double part : {0.98, 1.02}) {
        const VectorXd q = way.at(part * low);
        EXPECT_NEAR(pivot(part * low), part * 1e-4, 1e-8) << x.name;
        branches.set(q.data());
        EXPECT_EQ(branches.find().ok(), part > 1) << x.name << ", " << part;
        ++astride;
      }
    }
  }
  EXPECT_EQ(astride, 4);
}

/// The numbers of branches do not depend on where a model is assembled.
TEST(Branches, AreTheSameWhereverItIsAssembled) {
  for (const bool third : {false, true}) {
    const Model running = make_model(sliding_rods(third, false).description);
    const Model resting = make_model(sliding_rods(third, true).description);
    const auto ranks = [](const Model& m) {
      std::vector<int> list;
      for (const RegularRank& r : m.data().aggregates[0].ranks) list.push_back(r.rank);
      return list;
    };
    EXPECT_EQ(ranks(running), ranks(resting));
    EXPECT_NE(running.data().aggregates[0].freedoms, resting.data().aggregates[0].freedoms);
  }
}

}  // namespace
}  // namespace kinetree::oracle
