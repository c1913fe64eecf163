// States of a model with loops in lanes: each chooses independent velocities by its own numbers, as if it were alone.
#include <gtest/gtest.h>

#include <cstring>
#include <kinetree/load_model.hpp>
#include <set>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/loops.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_at_zero.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

using bench::StateSet;
using Eigen::MatrixXd;

std::vector<Model> mechanisms() {
  std::vector<Model> all{make_model("fourbars:1"), make_model("fourbars:5"), make_model(four_bars(3, true))};
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  for (const char* file : {"five_bar", "four_bar", "gripper", "standing_biped", "biped"})
    all.push_back(load_model(folder + file + ".yaml"));
  return all;
}

Options plan_of(Algorithm algorithm, int lanes) {
  Options o = serial(algorithm);
  o.lanes = lanes;
  if (algorithm == Algorithm::modular) o.grain = 2;
  return o;
}

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
Matrix<T> solve(ForwardDynamics& dynamics, const StateSet& s, Status* status = nullptr) {
  const Matrix<T> q = s.q.cast<T>(), v = s.v.cast<T>(), tau = s.tau.cast<T>();
  Matrix<T> a(v.rows(), v.cols());
  const Status said = dynamics.solve(q, v, tau, a);
  if (status != nullptr)
    *status = said;
  else
    EXPECT_TRUE(said.ok()) << said.message(dynamics.model());
  return a;
}

template <class T>
double worst_apart(const Matrix<T>& a, const Matrix<T>& b) {
  double worst = 0;
  for (Eigen::Index c = 0; c < a.cols(); ++c)
    keep_worst(worst, static_cast<double>((a.col(c) - b.col(c)).norm() / b.col(c).norm()));
  return worst;
}

/// The sets of dependent velocities that the states of an aggregate choose.
std::set<std::vector<int>> choices(const ModelData& m, const Aggregate& a, const MatrixXd& q) {
  Closure closure(m);
  std::set<std::vector<int>> all;
  for (Eigen::Index c = 0; c < q.cols(); ++c) {
    const Eigen::VectorXd own = q.col(c);
    CoordinateMap<double> map(a);
    choose_coordinates(a, {}, closure.rows(a, own.data()), map);
    all.insert(map.dependent);
  }
  return all;
}

/// In 60 digits, on the very numbers.
MatrixXd exact(const Model& model, const StateSet& s) {
  MatrixXd a(s.v.rows(), s.v.cols());
  for (Eigen::Index c = 0; c < a.cols(); ++c) {
    TestState state;
    state.q = s.q.col(c), state.v = s.v.col(c), state.tau = s.tau.col(c);
    const std::vector<Reference> own = reference_accelerations(model, state);
    for (std::size_t k = 0; k < own.size(); ++k) a(static_cast<Eigen::Index>(k), c) = static_cast<double>(own[k]);
  }
  return a;
}

/// The states that keep ten digits alone. Nearer to a change point (standing_biped has such a state, with accelerations
/// of 3e7) the digits that are left hang on the pivots: 8 of them alone, 7 in lanes.
std::vector<Eigen::Index> regular(const MatrixXd& alone, const MatrixXd& truth) {
  std::vector<Eigen::Index> columns;
  for (Eigen::Index c = 0; c < truth.cols(); ++c)
    if (worst_apart<double>(alone.col(c), truth.col(c)) <= 1e-10) columns.push_back(c);
  return columns;
}

/// In lanes no less accurate than alone.
TEST(LanesOfLoops, AsAccurateAsAloneForEveryInstructionSet) {
  std::size_t most = 0;
  for (const Model& model : mechanisms()) {
    const StateSet states = bench::random_states(model, 35, 3);
    for (const Aggregate& a : model.data().aggregates) most = std::max(most, choices(model.data(), a, states.q).size());
    const MatrixXd truth = exact(model, states);
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::cfa, Algorithm::modular})
      for (const InstructionSet set : sets()) {
        const Environment limited(name_of(set));
        ForwardDynamics alone(model, plan_of(algorithm, 1)), side_by_side(model, plan_of(algorithm, lane_width(set)));
        ASSERT_EQ(side_by_side.plan().lanes, lane_width(set));
        const std::string where = model.name() + ", " + name_of(algorithm) + ", " + name_of(set);
        const MatrixXd one_by_one = solve<double>(alone, states), together = solve<double>(side_by_side, states);
        const std::vector<Eigen::Index> kept = regular(one_by_one, truth);
        EXPECT_GE(static_cast<Eigen::Index>(kept.size()), states.count() - 1) << where;
        EXPECT_LE(worst_apart<double>(together, truth), 1e-6) << where;
        const MatrixXd exactly = truth(Eigen::all, kept);
        const double error = worst_apart<double>(together(Eigen::all, kept), exactly);
        EXPECT_LE(error, 4 * worst_apart<double>(one_by_one(Eigen::all, kept), exactly) + 1e-13) << where;
        if (static_cast<Eigen::Index>(kept.size()) < states.count()) continue;
        if (error > 1e-11) continue;  // nearly singular: too much so for floats
        EXPECT_LE(worst_apart<float>(solve<float>(side_by_side, states), solve<float>(alone, states)), 3e-2) << where;
      }
  }
  EXPECT_GE(most, 3u) << "states side by side do not choose alike";
}

TEST(LanesOfLoops, AStatesBitsDependOnNoNeighbour) {
  for (const Model& model : mechanisms())
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      ForwardDynamics dynamics(model, serial(Algorithm::ab));
      const StateSet states = bench::random_states(model, 3 * lane_width(set) + 1, 8);
      const MatrixXd expected = solve<double>(dynamics, states);
      StateSet turned{states.q.rowwise().reverse(), states.v.rowwise().reverse(), states.tau.rowwise().reverse()};
      const MatrixXd a = solve<double>(dynamics, turned).rowwise().reverse();
      EXPECT_EQ(std::memcmp(a.data(), expected.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0)
          << model.name() << ", " << name_of(set);
    }
}

/// A state that stands at a change point, or that is no number, is named; its neighbours keep their bits.
TEST(LanesOfLoops, AStateThatFailsIsNamedAndHarmsNoOther) {
  const Model model = make_model(closed_at_zero::parallelogram());  // flat at zero: there it may also fold
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    ForwardDynamics dynamics(model, serial(Algorithm::ab));
    StateSet states = bench::random_states(model, 2 * lane_width(set), 5);
    const MatrixXd expected = solve<double>(dynamics, states);
    const Eigen::Index folded = 1, none = lane_width(set);
    states.q.col(folded).setZero(), states.v.col(folded).setZero();
    states.q(0, none) = std::nan("");
    Status status;
    const MatrixXd a = solve<double>(dynamics, states, &status);
    const std::vector<Status> said(dynamics.statuses().begin(), dynamics.statuses().end());
    for (Eigen::Index c = 0; c < a.cols(); ++c) {
      const StatusCode code = said[static_cast<std::size_t>(c)].code;
      if (c == none) {
        EXPECT_EQ(code, StatusCode::not_finite);
      } else if (c == folded) {
        Status alone;
        ForwardDynamics one(model, plan_of(Algorithm::ab, 1));
        solve<double>(one, {states.q.col(c), states.v.col(c), states.tau.col(c)}, &alone);
        EXPECT_EQ(alone.code, StatusCode::singular_loop);
        EXPECT_EQ(code, alone.code) << "as alone";
      } else {
        EXPECT_EQ(code, StatusCode::ok);
        EXPECT_TRUE(a.col(c) == expected.col(c)) << name_of(set) << ", column " << c;
      }
    }
  }
}

/// Where loops are left open one state may go by multipliers, and several by embedding side by side.
TEST(LanesOfLoops, EmbeddedWhereThatBeatsMultipliersOneByOne) {
  const Model model = load_model(std::string(KINETREE_MODELS) + "/standing_biped.yaml");
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    Options open = serial(Algorithm::ab), embed = open, multipliers = open;
    open.loops = Loops::automatic, embed.loops = Loops::embed, multipliers.loops = Loops::multipliers;
    ForwardDynamics planned(model, open), embedded(model, embed), held(model, multipliers);
    EXPECT_EQ(planned.plan().loops, Loops::multipliers);
    EXPECT_EQ(planned.plan().lanes, lane_width(set));
    EXPECT_EQ(held.plan().lanes, 1);
    multipliers.lanes = lane_width(set);
    EXPECT_THROW(ForwardDynamics(model, multipliers), OptionError);
    const StateSet many = bench::random_states(model, 2 * lane_width(set) + 1, 3),
                   one = bench::random_states(model, 1, 3);
    ForwardDynamics again(model, planned.plan());
    for (ForwardDynamics* dynamics : {&planned, &again}) {
      EXPECT_TRUE(solve<double>(*dynamics, many) == solve<double>(embedded, many)) << name_of(set);
      EXPECT_TRUE(solve<double>(*dynamics, one) == solve<double>(held, one)) << name_of(set);
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
