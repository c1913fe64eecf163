// Functions of independent coordinates, forces of constraints and joints, and derivatives, with parameters of each
// column against models built with these numbers.
#include <gtest/gtest.h>

#include <kinetree/closing.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/derivatives.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinetree.hpp>
#include <string>

#include "engine/model/loops.hpp"
#include "parallel/allocations.hpp"
#include "varying/columns.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;

constexpr double tolerance = 1e-12;

auto of(const MatrixXd& x, int first, int count) { return x.middleCols(first, count); }

void close_all(Case& c) {
  for (int k = 0; k < columns; ++k) c.q.col(k) = neutral(c.model) + 0.1 * (c.q.col(k) - neutral(c.model));
  Workspace workspace(c.model);
  ASSERT_TRUE(close(c.model, workspace, c.q, c.v).ok());
}

void independent_functions_are_models(Case& c) {
  const auto n = static_cast<Eigen::Index>(independent_velocities(c.model).size());
  expect_models(c, "independent mass matrix", n, n, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return independent_mass_matrix(m, w, of(c.q, k, n_k), result);
  });
  expect_models(c, "independent inverse dynamics", n, 1, tolerance,
                [&](auto& m, auto& w, int k, int n_k, auto& result) {
                  return independent_inverse_dynamics(m, w, of(c.q, k, n_k), of(c.v, k, n_k), of(c.a, k, n_k),
                                                      of(c.f_ext, k, n_k), result);
                });
  expect_models(c, "independent bias forces", n, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return independent_bias_forces(m, w, of(c.q, k, n_k), of(c.v, k, n_k), result);
  });
  expect_models(c, "independent gravity forces", n, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return independent_gravity_forces(m, w, of(c.q, k, n_k), result);
  });
  expect_models(c, "independent coriolis forces", n, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return independent_coriolis_forces(m, w, of(c.q, k, n_k), of(c.v, k, n_k), result);
  });
  expect_models(c, "spanning matrix", c.model.nv(), n, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return spanning_matrix(m, w, of(c.q, k, n_k), result);
  });
}

void forces_of_constraints_are_models(Case& c) {
  const auto loops = static_cast<Eigen::Index>(c.model.data().loops.size()),
             couplings = static_cast<Eigen::Index>(c.model.data().couplings.size());
  if (loops > 0)
    expect_models(c, "loop forces", 12 * loops, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
      return loop_forces(m, w, of(c.q, k, n_k), of(c.v, k, n_k), of(c.a, k, n_k), of(c.tau, k, n_k), Axes::world,
                         result);
    });
  if (couplings > 0)
    expect_models(c, "coupling forces", couplings, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
      return coupling_forces(m, w, of(c.q, k, n_k), of(c.v, k, n_k), of(c.a, k, n_k), of(c.tau, k, n_k), result);
    });
  expect_models(c, "joint reactions", 6 * static_cast<Eigen::Index>(c.model.body_count()), 1, tolerance,
                [&](auto& m, auto& w, int k, int n_k, auto& result) {
                  return joint_reactions(m, w, of(c.q, k, n_k), of(c.v, k, n_k), of(c.a, k, n_k), of(c.tau, k, n_k),
                                         of(c.f_ext, k, n_k), Axes::link, result);
                });
}

TEST(Varying, IndependentCoordinatesAndForcesOfConstraints) {
  for (const char* family : {"geared:3", "geared:2:rotors=armature", "fourbars:2", "random:7:seed=4:floating=1"}) {
    SCOPED_TRACE(family);
    Case c(make_description(family));
    if (std::string(family).starts_with("random") == false) close_all(c);
    Workspace workspace(c.varying);
    ForwardDynamics dynamics(c.varying, {.algorithm = Algorithm::ab});
    ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
    independent_functions_are_models(c);
    forces_of_constraints_are_models(c);
  }
}

TEST(Varying, Derivatives) {
  for (const char* family : {"random:7:seed=4:floating=1", "geared:3"}) {
    SCOPED_TRACE(family);
    Case c(make_description(family));
    if (std::string(family) == "geared:3") close_all(c);
    const int nv = c.model.nv();
    expect_models(c, "derivatives of inverse dynamics", nv, 2 * nv, tolerance,
                  [&](auto& m, auto& w, int k, int n_k, auto& result) {
                    MatrixXd dq(nv, nv * n_k), dv = dq;
                    const Status status =
                        inverse_dynamics_derivatives(m, w, of(c.q, k, n_k), of(c.v, k, n_k), of(c.tau, k, n_k), dq, dv);
                    for (int j = 0; j < n_k; ++j)
                      result.middleCols(2 * nv * j, 2 * nv) << dq.middleCols(nv * j, nv), dv.middleCols(nv * j, nv);
                    return status;
                  });
    const auto n = static_cast<Eigen::Index>(independent_velocities(c.model).size());
    if (n != nv) continue;
    expect_models(c, "derivatives of forward dynamics", nv, 3 * nv, 100 * tolerance,
                  [&](auto& m, auto& w, int k, int n_k, auto& result) {
                    MatrixXd dq(nv, nv * n_k), dv = dq, dtau = dq;
                    const Status status = forward_dynamics_derivatives(m, w, of(c.q, k, n_k), of(c.v, k, n_k),
                                                                       of(c.tau, k, n_k), dq, dv, dtau);
                    for (int j = 0; j < n_k; ++j)
                      result.middleCols(3 * nv * j, 3 * nv) << dq.middleCols(nv * j, nv), dv.middleCols(nv * j, nv),
                          dtau.middleCols(nv * j, nv);
                    return status;
                  });
  }
}

/// A wrong column has a status and is NaN, calls without parameters have the model's numbers, and none allocates.
TEST(Varying, WrongColumnsOfFunctionsOfConstraints) {
  Case c(make_description("geared:3"));
  close_all(c);
  const auto n = static_cast<Eigen::Index>(independent_velocities(c.model).size());
  Workspace workspace(c.varying), plain(c.model);
  MatrixXd right(n, columns), tau(n, columns), reactions(6 * c.model.body_count(), columns);
  ASSERT_TRUE(independent_inverse_dynamics(c.model, workspace.with(c.P), c.q, c.v, c.tau, right).ok());
  ASSERT_TRUE(joint_reactions(c.model, workspace.with(c.P), c.q, c.v, c.tau, c.tau, Axes::link, reactions).ok());
  MatrixXd P = c.P;
  P(0, 4) = -1;
  if (can_count_allocations()) start_counting();
  const Status inverse = independent_inverse_dynamics(c.model, workspace.with(P), c.q, c.v, c.tau, tau);
  const Status of_joints = joint_reactions(c.model, workspace.with(P), c.q, c.v, c.tau, c.tau, Axes::link, reactions);
  if (can_count_allocations()) {
    EXPECT_EQ(stop_counting().ours, 0u);
  }
  for (const Status& status : {inverse, of_joints}) {
    EXPECT_EQ(status.code, StatusCode::not_rigid);
    EXPECT_EQ(status.column, 4);
  }
  for (int k = 0; k < columns; ++k)
    EXPECT_TRUE(k == 4 ? tau.col(k).array().isNaN().all() : tau.col(k) == right.col(k)) << "column " << k;
  EXPECT_TRUE(reactions.col(4).array().isNaN().all());
  EXPECT_TRUE(reactions.col(5).array().isFinite().all());
  EXPECT_EQ(independent_inverse_dynamics(c.model, workspace.with(P.topRows(3)), c.q, c.v, c.tau, tau).code,
            StatusCode::wrong_size);
  EXPECT_EQ(joint_reactions(c.model, plain.with(P), c.q, c.v, c.tau, c.tau, Axes::link, reactions).code,
            StatusCode::wrong_size);
  ASSERT_TRUE(independent_inverse_dynamics(c.model, workspace, c.q, c.v, c.tau, tau).ok());
  ASSERT_TRUE(independent_inverse_dynamics(c.model, plain, c.q, c.v, c.tau, right).ok());
  EXPECT_LE(relative(tau, right), tolerance);
}

}  // namespace
}  // namespace kinetree::oracle
