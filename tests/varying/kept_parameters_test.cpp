// Parameters kept from call to call: the bits of calls that convert them, in every object; what becomes of wrong ones.
#include <gtest/gtest.h>

#include <kinetree/constraint_forces.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <span>
#include <string>

#include "parallel/allocations.hpp"
#include "varying/columns.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::MatrixXf;

/// The mass matrix comes first, which reads no gravity; later functions do.
TEST(KeptParameters, HaveTheBitsOfThoseThatAreConverted) {
  Case c(make_description("random:9:seed=5:floating=1"));
  KeptParameters kept(c.P);
  const int nv = c.model.nv();
  Workspace workspace(c.varying);
  for (const int threads : {1, 3}) {
    ForwardDynamics dynamics(c.varying, {.algorithm = Algorithm::ab, .threads = threads});
    for (int call = 0; call < 3; ++call) {
      MatrixXd M(nv, nv * columns), M_kept = M, a = c.a, tau = c.a;
      ASSERT_TRUE(mass_matrix(c.model, workspace.with(kept), c.q, M_kept).ok());
      ASSERT_TRUE(mass_matrix(c.model, workspace.with(c.P), c.q, M).ok());
      EXPECT_EQ(M, M_kept);
      ASSERT_TRUE(dynamics.with(kept).solve(c.q, c.v, c.tau, a).ok());
      ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
      EXPECT_EQ(a, c.a);
      ASSERT_TRUE(inverse_dynamics(c.model, workspace.with(kept), c.q, c.v, c.a, a).ok());
      ASSERT_TRUE(inverse_dynamics(c.model, workspace.with(c.P), c.q, c.v, c.a, tau).ok());
      EXPECT_EQ(a, tau);
      EXPECT_LE(relative(tau, c.tau), 1e-10);
      ASSERT_TRUE(dynamics.solve(c.q, c.v, c.tau, tau).ok());  // the model's own in between
      EXPECT_GT(relative(tau, c.a), 1e-3);
    }
  }
}

/// An object of another declaration, and one with other lanes, convert them for themselves.
TEST(KeptParameters, ServeObjectsThatDiffer) {
  Case c(make_description("random:6:seed=2"));
  KeptParameters kept(c.P);
  const Varying other = all_of(c.models[0]);
  ForwardDynamics dynamics(c.varying), others(other), alone(c.varying, {.lanes = 1});
  MatrixXd expected = c.a;
  ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, expected).ok());
  for (ForwardDynamics* one : {&dynamics, &others, &alone, &dynamics}) {
    ASSERT_TRUE(one->with(kept).solve(c.q, c.v, c.tau, c.a).ok());
    EXPECT_LE(relative(c.a, expected), 1e-11);
  }
  EXPECT_EQ(c.a, expected);
  EXPECT_EQ(dynamics.with(kept).solve(c.q.leftCols(3), c.v.leftCols(3), c.tau.leftCols(3), c.a.leftCols(3)).code,
            StatusCode::wrong_size);
  MatrixXf in_float(c.a.rows(), columns);
  EXPECT_EQ(dynamics.with(kept).solve(c.q.cast<float>(), c.v.cast<float>(), c.tau.cast<float>(), in_float).code,
            StatusCode::wrong_size);
}

TEST(KeptParameters, WrongColumnsHaveAStatusInEveryCall) {
  Case c(make_description("random:9:seed=5"));
  ForwardDynamics dynamics(c.varying);
  MatrixXd right = c.a;
  ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, right).ok());
  c.P(0, 6) = -1;
  KeptParameters kept(c.P);
  ASSERT_FALSE(dynamics.with(kept).solve(c.q, c.v, c.tau, c.a).ok());
  if (can_count_allocations()) start_counting();
  const Status status = dynamics.with(kept).solve(c.q, c.v, c.tau, c.a);
  if (can_count_allocations()) {
    EXPECT_EQ(stop_counting().ours, 0u);
  }
  EXPECT_EQ(status.code, StatusCode::not_rigid);
  EXPECT_EQ(status.column, 6);
  for (int k = 0; k < columns; ++k)
    EXPECT_TRUE(k == 6 ? c.a.col(k).array().isNaN().all() : c.a.col(k) == right.col(k)) << "column " << k;
}

/// Rollouts keep theirs; one column's other numbers count from the next step on.
TEST(KeptParameters, RolloutsReadTheLastThatWereSet) {
  Case c(make_description("random:7:seed=9:floating=1"));
  constexpr int n = 67;  // several ranges, the last longer
  const auto wide = [](const MatrixXd& x) { return x.replicate(1, 7).leftCols(n).eval(); };
  const MatrixXd P = wide(c.P), q = wide(c.q), v = wide(c.v);
  Rollouts rollouts(c.varying, n, {.threads = 2});
  ASSERT_TRUE(rollouts.reset(q, v).ok());
  ASSERT_TRUE(rollouts.step(1e-3).ok());  // with the model's own
  const MatrixXd q_own = rollouts.q(), v_own = rollouts.v();
  ASSERT_TRUE(rollouts.set_parameters(P).ok());
  for (const int k : {0, 5, 66}) ASSERT_TRUE(rollouts.set_parameters(k, P.col(1)).ok());
  ASSERT_TRUE(rollouts.step(1e-3, {}, 3).ok());
  for (const int k : {0, 1, 5, 64, 66}) {
    const auto own = static_cast<std::size_t>(k == 0 || k == 5 || k == 66 ? 1 : k % columns);
    Rollouts plain(c.models[own], 2);
    ASSERT_TRUE(plain.reset(q_own.col(k).replicate(1, 2), v_own.col(k).replicate(1, 2)).ok());
    ASSERT_TRUE(plain.step(1e-3, {}, 3).ok());
    EXPECT_LE(relative(rollouts.v().col(k), plain.v().col(0)), 1e-10) << "column " << k;
  }
  if (!can_count_allocations()) return;
  start_counting();
  const bool set = rollouts.set_parameters(P).ok() && rollouts.step(1e-3).ok();
  EXPECT_EQ(stop_counting().ours, 0u);
  EXPECT_TRUE(set);
}

TEST(Varying, AListOfModelsIsAMatrix) {
  Case c(make_description("random:6:seed=2"));
  EXPECT_EQ(c.varying.numbers_of(std::span<const Model>(c.models)), c.P);
  c.models[3] = make_model("chain:3");
  try {
    (void)c.varying.numbers_of(std::span<const Model>(c.models));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("\"" + c.models[3].name() + "\", number 3 of the list, has other joints"), std::string::npos)
        << words;
  }
}

/// Functions of independent coordinates and of constraints, in float.
TEST(Varying, FunctionsOfConstraintsInFloat) {
  Case c(make_description("geared:3"));
  c.q.setZero(), c.v.setZero();
  const auto n = static_cast<Eigen::Index>(independent_velocities(c.model).size());
  Workspace workspace(c.varying);
  const MatrixXf P = c.P.cast<float>(), q = c.q.cast<float>(), v = c.v.cast<float>(), a = 0 * v,
                 tau = c.tau.cast<float>();
  MatrixXf bias(n, columns), reactions(6 * c.model.body_count(), columns);
  ASSERT_TRUE(independent_gravity_forces(c.model, workspace.with(P), q, bias).ok());
  ASSERT_TRUE(joint_reactions(c.model, workspace.with(P), q, v, a, tau, Axes::link, reactions).ok());
  MatrixXd bias_k(n, 1), reactions_k(6 * c.model.body_count(), 1);
  for (int k = 0; k < columns; ++k) {
    const Model& model = c.models[static_cast<std::size_t>(k)];
    Workspace plain(model);
    ASSERT_TRUE(independent_gravity_forces(model, plain, c.q.col(k), bias_k).ok());
    ASSERT_TRUE(
        joint_reactions(model, plain, c.q.col(k), c.v.col(k), 0 * c.v.col(k), c.tau.col(k), Axes::link, reactions_k)
            .ok());
    EXPECT_LE(relative(bias.col(k).cast<double>(), bias_k), 1e-5) << "column " << k;
    EXPECT_LE(relative(reactions.col(k).cast<double>(), reactions_k), 1e-5) << "column " << k;
  }
  EXPECT_EQ(independent_gravity_forces(c.model, workspace.with(c.P), q, bias).code, StatusCode::wrong_size);
}

/// The algorithms that cut, in float.
TEST(Varying, AlgorithmsThatCutInFloat) {
  const Description d = make_description("random:12:seed=6");
  const Model model = make_model(d);
  Varying varying(model);
  varying.add(Parameter::inertia, model.body_name(model.body_count() - 1)).add(Parameter::gravity);
  for (const Algorithm algorithm : {Algorithm::cfa, Algorithm::modular}) {
    Case c(d);
    MatrixXd P = varying.nominal().replicate(1, columns);
    for (int k = 0; k < columns; ++k) P.col(k) *= 1 + 0.1 * k;
    ForwardDynamics in_float(varying, {.algorithm = algorithm}), in_double(varying, {.algorithm = Algorithm::ab});
    MatrixXf a(model.nv(), columns);
    const MatrixXf P_float = P.cast<float>();
    ASSERT_TRUE(in_double.with(P).solve(c.q, c.v, c.tau, c.a).ok());
    ASSERT_TRUE(in_float.with(P_float).solve(c.q.cast<float>(), c.v.cast<float>(), c.tau.cast<float>(), a).ok());
    EXPECT_LE(relative(a.cast<double>(), c.a), 1e-2);
  }
}

}  // namespace
}  // namespace kinetree::oracle
