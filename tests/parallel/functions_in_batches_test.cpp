// Inverse dynamics, mass matrix and energy of several states a call: in lanes, on threads, in double and float.
#include <gtest/gtest.h>

#include <cstring>
#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/reference_solve.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using bench::StateSet;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::VectorXd;

std::vector<Model> function_models() {
  std::vector<Model> all{
      make_model("chain:7"),  make_model("random:40:seed=3:floating=1"),     make_model("random:25:seed=8"),
      make_model("geared:5"), make_model(geared_chain(4, Rotors::armature)), make_model("fourbars:3")};
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  for (const char* file : {"humanoid", "standing_biped", "five_bar", "geared_arm"})
    all.push_back(load_model(folder + file + ".yaml"));
  return all;
}

MatrixXd forces_on(const Model& model, Eigen::Index columns) {
  MatrixXd f(6 * model.body_count(), columns);
  for (Eigen::Index k = 0; k < f.size(); ++k) f.data()[k] = std::sin(1.0 + static_cast<double>(k));
  return f;
}

struct Answers {
  MatrixXd tau, pushed, H, energy;
};

template <class T>
Answers answers(const Model& model, const StateSet& s, const WorkspaceOptions& options) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Workspace w(model, options);
  const Eigen::Index n = static_cast<Eigen::Index>(independent_velocities(model).size()), count = s.q.cols();
  const Matrix q = s.q.cast<T>(), v = s.v.cast<T>(), a = s.tau.cast<T>(), f = forces_on(model, count).cast<T>();
  Matrix tau(model.nv(), count), pushed(model.nv(), count), H(n, n * count), energy_(2, count);
  EXPECT_TRUE(inverse_dynamics(model, w, q, v, a, tau).ok());
  EXPECT_TRUE(inverse_dynamics(model, w, q, v, a, f, pushed).ok());
  EXPECT_TRUE(energy(model, w, q, v, energy_).ok());
  EXPECT_EQ(w.statuses().size(), static_cast<std::size_t>(count));
  EXPECT_TRUE(mass_matrix(model, w, q, H).ok());
  return {tau.template cast<double>(), pushed.template cast<double>(), H.template cast<double>(),
          energy_.template cast<double>()};
}

bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}
bool same_bits(const Answers& a, const Answers& b) {
  return same_bits(a.tau, b.tau) && same_bits(a.pushed, b.pushed) && same_bits(a.H, b.H) &&
         same_bits(a.energy, b.energy);
}

double apart(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / b.norm(); }

/// Joint forces put into forward dynamics in 60 digits give the accelerations back; half vᵀ H v is the kinetic energy,
/// and H a the forces beyond those of no acceleration.
TEST(FunctionsInBatches, AgreeWithForwardDynamicsAndEachOther) {
  for (const Model& model : function_models())
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      const std::string where = model.name() + ", " + name_of(set);
      const StateSet states = bench::random_states(model, 2 * lane_width(set) + 1, 5);
      const bool tree = model.data().aggregates.empty();
      const Answers in_lanes = answers<double>(model, states, {});
      StateSet still = states;
      still.tau.setZero();
      const MatrixXd bias = answers<double>(model, still, {}).tau;
      const std::vector<int> independent = independent_velocities(model);
      const Eigen::Index n = static_cast<Eigen::Index>(independent.size());
      for (Eigen::Index c = 0; c < states.count(); ++c) {
        if (tree) {
          TestState s;
          s.q = states.q.col(c), s.v = states.v.col(c), s.f_ext = forces_on(model, states.count()).col(c);
          for (const bool forced : {false, true}) {
            s.tau = forced ? in_lanes.pushed.col(c) : in_lanes.tau.col(c);
            const std::vector<Reference> back = reference_accelerations(model, s, forced);
            VectorXd a(model.nv());
            for (Eigen::Index k = 0; k < a.size(); ++k) a[k] = static_cast<double>(back[static_cast<std::size_t>(k)]);
            EXPECT_LE(apart(a, states.tau.col(c)), 1e-8) << where;
          }
        }
        VectorXd v(n);
        for (Eigen::Index k = 0; k < n; ++k) v[k] = states.v(independent[static_cast<std::size_t>(k)], c);
        const MatrixXd H = in_lanes.H.middleCols(c * n, n);
        EXPECT_LE(apart(H, H.transpose()), tree ? 0 : 1e-12) << where;
        EXPECT_NEAR(0.5 * v.dot(H * v) / in_lanes.energy(0, c), 1, 1e-9) << where;
        if (tree) {
          EXPECT_LE(apart(H * states.tau.col(c), in_lanes.tau.col(c) - bias.col(c)), 1e-9) << where;
        }
      }
      const Answers in_float = answers<float>(model, states, {});
      EXPECT_LE(apart(in_float.tau, in_lanes.tau), 1e-4) << where;
      EXPECT_LE(apart(in_float.pushed, in_lanes.pushed), 1e-4) << where;
      EXPECT_LE(apart(in_float.H, in_lanes.H), 1e-4) << where;
      EXPECT_LE(apart(in_float.energy, in_lanes.energy), 1e-4) << where;
    }
}

/// The forces that hold a mechanism at rest are the gradient of its potential energy.
TEST(FunctionsInBatches, ForcesAtRestAreTheGradientOfThePotential) {
  for (const Model& model : {make_model("chain:7"), make_model("tree:2x4"), make_model("geared:5")})
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      const Eigen::Index n = model.nv();
      const VectorXd q = bench::random_states(model, 1, 5).q.col(0);
      constexpr double h = 1e-5;
      MatrixXd there(n, 2 * n), energies(2, 2 * n), holding(n, 2 * n);
      for (Eigen::Index k = 0; k < 2 * n; ++k) there.col(k) = q + (k % 2 ? -h : h) * VectorXd::Unit(n, k / 2);
      const MatrixXd still = MatrixXd::Zero(n, 2 * n);
      Workspace w(model);
      ASSERT_TRUE(energy(model, w, there, still, energies).ok());
      ASSERT_TRUE(inverse_dynamics(model, w, there, still, still, holding).ok());
      EXPECT_EQ(energies.row(0).norm(), 0) << "nothing moves";
      for (Eigen::Index k = 0; k < n; ++k)
        EXPECT_NEAR((energies(1, 2 * k) - energies(1, 2 * k + 1)) / (2 * h),
                    (holding(k, 2 * k) + holding(k, 2 * k + 1)) / 2, 1e-7 * holding.norm())
            << model.name() << ", " << name_of(set) << ", " << k;
    }
}

TEST(FunctionsInBatches, BitsDependOnNoNeighbourAndNoThread) {
  for (const Model& model : function_models())
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      const StateSet states = bench::random_states(model, 3 * lane_width(set) + 1, 5);
      const Answers expected = answers<double>(model, states, {});
      for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team})
        EXPECT_TRUE(same_bits(answers<double>(model, states, {.executor = executor, .threads = 2}), expected))
            << model.name() << ", " << name_of(set);
      const StateSet turned{states.q.rowwise().reverse(), states.v.rowwise().reverse(), states.tau.rowwise().reverse()};
      const Answers back = answers<double>(model, turned, {});
      EXPECT_TRUE(same_bits(back.tau.rowwise().reverse(), expected.tau)) << model.name();
      EXPECT_TRUE(same_bits(back.energy.rowwise().reverse(), expected.energy)) << model.name();
      const Eigen::Index n = expected.H.rows();
      for (Eigen::Index c = 0; c < states.count(); ++c)
        EXPECT_TRUE(same_bits(back.H.middleCols((states.count() - 1 - c) * n, n), expected.H.middleCols(c * n, n)))
            << model.name();
    }
}

/// A state in which the Model's independent joints do not determine the others is named, and harms no other.
TEST(FunctionsInBatches, ALostRankIsNamedAndHarmsNoOther) {
  const Model model = make_model(flat_four_bar());
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    Workspace w(model);
    StateSet states = bench::random_states(model, 2 * lane_width(set), 5);
    MatrixXd expected(1, states.count()), H(1, states.count());
    ASSERT_TRUE(mass_matrix(model, w, states.q, expected).ok());
    states.q.col(1).setZero();
    const Status status = mass_matrix(model, w, states.q, H);
    EXPECT_EQ(status.code, StatusCode::singular_loop);
    EXPECT_EQ(status.column, 1);
    for (Eigen::Index c = 0; c < states.count(); ++c) {
      EXPECT_EQ(w.statuses()[static_cast<std::size_t>(c)].ok(), c != 1);
      if (c == 1)
        EXPECT_TRUE(std::isnan(H(0, c)));
      else
        EXPECT_EQ(H(0, c), expected(0, c));
    }
  }
}

TEST(FunctionsInBatches, MatricesMayStandInALargerOne) {
  const Model model = load_model(std::string(KINETREE_MODELS) + "/quadruped.yaml");
  const StateSet states = bench::random_states(model, 5, 5);
  const MatrixXd expected = answers<double>(model, states, {}).H;
  const Eigen::Index n = expected.rows();
  Workspace w(model);
  MatrixXd frame = MatrixXd::Constant(n + 3, expected.cols() + 2, -7);
  EXPECT_TRUE(mass_matrix(model, w, states.q, frame.block(2, 1, n, expected.cols())).ok());
  EXPECT_TRUE(same_bits(frame.block(2, 1, n, expected.cols()), expected));
  frame.block(2, 1, n, expected.cols()).setConstant(-7);
  EXPECT_TRUE((frame.array() == -7).all());
}

TEST(FunctionsInBatches, WrongSizesAreRefused) {
  const Model model = make_model("chain:4");
  Workspace w(model);
  const MatrixXd four = MatrixXd::Zero(4, 3), other = MatrixXd::Zero(4, 2);
  MatrixXd tau = MatrixXd::Constant(4, 3, -7), H = MatrixXd::Constant(4, 12, -7), energies(2, 2), narrow(4, 8);
  EXPECT_EQ(inverse_dynamics(model, w, four, other, four, tau).code, StatusCode::wrong_size);
  EXPECT_EQ(inverse_dynamics(model, w, four, four, four, other, tau).code, StatusCode::wrong_size);
  EXPECT_EQ(mass_matrix(model, w, four, narrow).code, StatusCode::wrong_size);
  EXPECT_EQ(energy(model, w, four, four, energies).code, StatusCode::wrong_size);
  EXPECT_EQ(inverse_dynamics(model, w, tau, four, four, tau).code, StatusCode::shared_memory);
  EXPECT_EQ(w.statuses().size(), 1u);
  EXPECT_EQ(w.statuses()[0].code, StatusCode::shared_memory);
  EXPECT_TRUE((tau.array() == -7).all() && (H.array() == -7).all());
  const MatrixXd none(4, 0);
  MatrixXd no_tau(4, 0);
  EXPECT_TRUE(inverse_dynamics(model, w, none, none, none, no_tau).ok());
  EXPECT_THROW(Workspace(model, {.lanes = 3}), OptionError);
  EXPECT_THROW(Workspace(model, {.threads = -2}), OptionError);
}

TEST(FunctionsInBatches, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (const char* name : {"humanoid", "standing_biped"}) {
    const Model model = load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml");
    for (const Eigen::Index columns : {1, 21}) {
      const StateSet s = bench::random_states(model, static_cast<int>(columns), 5);
      const MatrixXd f = forces_on(model, columns);
      const Eigen::Index n = static_cast<Eigen::Index>(independent_velocities(model).size());
      MatrixXd tau(model.nv(), columns), H(n, n * columns), energies(2, columns);
      Workspace w(model);
      for (const bool first : {true, false}) {
        if (!first) start_counting();
        const bool all = inverse_dynamics(model, w, s.q, s.v, s.tau, tau).ok() &&
                         inverse_dynamics(model, w, s.q, s.v, s.tau, f, tau).ok() &&
                         mass_matrix(model, w, s.q, H).ok() && energy(model, w, s.q, s.v, energies).ok();
        const Allocations seen = first ? Allocations{} : stop_counting();
        EXPECT_TRUE(all);
        EXPECT_EQ(seen.ours + seen.runtimes, 0u) << name << ", " << columns << " columns";
      }
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
