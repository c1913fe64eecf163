// Columns with parameters of their own against models built with these numbers, and their bits at any place of a batch.
#include <gtest/gtest.h>

#include <array>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <string>
#include <vector>

#include "parallel/allocations.hpp"
#include "varying/columns.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void functions_are_models(Case& c, double tolerance) {
  const int nv = c.model.nv();
  const auto n = static_cast<Eigen::Index>(independent_velocities(c.model).size());
  const auto columns_of = [](const MatrixXd& x, int first, int count) { return x.middleCols(first, count); };
  expect_models(c, "inverse dynamics", nv, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return inverse_dynamics(m, w, columns_of(c.q, k, n_k), columns_of(c.v, k, n_k), columns_of(c.tau, k, n_k),
                            columns_of(c.f_ext, k, n_k), result);
  });
  expect_models(c, "coriolis forces", nv, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return coriolis_forces(m, w, columns_of(c.q, k, n_k), columns_of(c.v, k, n_k), result);
  });
  expect_models(c, "mass matrix", n, n, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return mass_matrix(m, w, columns_of(c.q, k, n_k), result);
  });
  expect_models(c, "energy", 2, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return energy(m, w, columns_of(c.q, k, n_k), columns_of(c.v, k, n_k), result);
  });
  expect_models(c, "momentum", 12, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    return momentum(m, w, columns_of(c.q, k, n_k), columns_of(c.v, k, n_k), result);
  });
  expect_models(c, "compliance", 6, 6, 10 * tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    const std::array<int, 1> last{m.frame_count() - 1};
    return operational_space_compliance(m, w, columns_of(c.q, k, n_k), last, result);
  });
  expect_models(c, "point kinematics", 24, 1, tolerance, [&](auto& m, auto& w, int k, int n_k, auto& result) {
    const std::array<int, 1> last{m.frame_count() - 1};
    return point_kinematics(m, w, columns_of(c.q, k, n_k), columns_of(c.v, k, n_k), columns_of(c.tau, k, n_k), last,
                            Axes::world, result.topRows(12), result.middleRows(12, 6), result.bottomRows(6));
  });
}

void accelerations_are_models(Case& c, const Options& options, double tolerance, bool external) {
  ForwardDynamics dynamics(c.varying, options);
  const Status status = external ? dynamics.with(c.P).solve(c.q, c.v, c.tau, c.f_ext, c.a)
                                 : dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a);
  ASSERT_TRUE(status.ok()) << status.message(c.model);
  VectorXd a(c.model.nv()), alone = a;
  for (int k = 0; k < columns; ++k) {
    ForwardDynamics plain(c.models[static_cast<std::size_t>(k)], options);
    ASSERT_TRUE((external ? plain.solve(c.q.col(k), c.v.col(k), c.tau.col(k), c.f_ext.col(k), a)
                          : plain.solve(c.q.col(k), c.v.col(k), c.tau.col(k), a))
                    .ok());
    EXPECT_LE(relative(c.a.col(k), a), tolerance) << c.model.name() << ", column " << k;
    ASSERT_TRUE((external ? dynamics.with(c.P.col(k)).solve(c.q.col(k), c.v.col(k), c.tau.col(k), c.f_ext.col(k), alone)
                          : dynamics.with(c.P.col(k)).solve(c.q.col(k), c.v.col(k), c.tau.col(k), alone))
                    .ok());
    EXPECT_LE(relative(alone, a), tolerance) << c.model.name() << ", column " << k << " alone";
  }
}

TEST(Varying, ColumnsAreTheModelsOfTheirNumbers) {
  for (int seed = 1; seed <= 30; ++seed) {
    const std::string floating = seed % 3 == 0 ? ":floating=1" : "";
    Case c(make_description("random:" + std::to_string(1 + seed % 12) + ":seed=" + std::to_string(seed) + floating));
    accelerations_are_models(c, {.algorithm = Algorithm::ab}, 1e-11, seed % 2 == 0);
    accelerations_are_models(c, {.algorithm = Algorithm::crb}, 1e-10, seed % 2 == 0);
    functions_are_models(c, 1e-12);
  }
}

TEST(Varying, GearsAndLoops) {
  for (const char* family : {"geared:3", "geared:2:rotors=armature", "fourbars:2"}) {
    Case c(make_description(family));
    c.q.setZero(), c.v.setZero();  // where gears and loops are closed
    accelerations_are_models(c, {.algorithm = Algorithm::ab}, 1e-11, false);
    functions_are_models(c, 1e-12);
  }
}

/// Each column's bits are its own: whatever stands beside it, on any thread, and of a model built with its numbers.
TEST(Varying, BitsAreTheColumns) {
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb}) {
    Case c(make_description("random:9:seed=5:floating=1"));
    ForwardDynamics dynamics(c.varying, {.algorithm = algorithm});
    ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
    const int many = 5 * columns;
    MatrixXd P(c.P.rows(), many), q(c.q.rows(), many), v(c.v.rows(), many), tau = v, a = v;
    std::vector<int> from;
    for (int k = 0; k < many; ++k) {
      from.push_back((7 * k + k / columns) % columns);
      P.col(k) = c.P.col(from.back()), q.col(k) = c.q.col(from.back()), v.col(k) = c.v.col(from.back());
      tau.col(k) = c.tau.col(from.back());
    }
    for (const int threads : {1, 2, 3}) {
      ForwardDynamics shared(c.varying, {.algorithm = algorithm, .threads = threads});
      ASSERT_TRUE(shared.with(P).solve(q, v, tau, a).ok());
      for (int k = 0; k < many; ++k)
        EXPECT_EQ(a.col(k), c.a.col(from[static_cast<std::size_t>(k)])) << threads << " threads, column " << k;
    }
    for (int k = 0; k < columns; ++k) {  // the same declaration of a model with these numbers
      ForwardDynamics rebuilt(all_of(c.models[static_cast<std::size_t>(k)]), {.algorithm = algorithm});
      MatrixXd own(c.model.nv(), 2);
      ASSERT_TRUE(
          rebuilt.solve(c.q.col(k).replicate(1, 2), c.v.col(k).replicate(1, 2), c.tau.col(k).replicate(1, 2), own)
              .ok());
      EXPECT_EQ(own.col(1), c.a.col(k)) << "column " << k;
    }
  }
}

TEST(Varying, InFloat) {
  Case c(make_description("random:9:seed=5"));
  ForwardDynamics dynamics(c.varying), in_double(c.varying);
  Eigen::MatrixXf a(c.model.nv(), columns);
  const Eigen::MatrixXf P = c.P.cast<float>();
  ASSERT_TRUE(dynamics.with(P).solve(c.q.cast<float>(), c.v.cast<float>(), c.tau.cast<float>(), a).ok());
  ASSERT_TRUE(in_double.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
  EXPECT_LE(relative(a.cast<double>(), c.a), 1e-3);
  EXPECT_EQ(dynamics.with(c.P).solve(c.q.cast<float>(), c.v.cast<float>(), c.tau.cast<float>(), a).code,
            StatusCode::wrong_size);
}

/// A call without parameters has the model's own, also after one with.
TEST(Varying, WithoutParameters) {
  Case c(make_description("random:6:seed=2"));
  ForwardDynamics dynamics(c.varying), plain(c.model);
  MatrixXd a = c.a, nominal = c.a;
  ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
  ASSERT_TRUE(dynamics.solve(c.q, c.v, c.tau, a).ok());
  ASSERT_TRUE(dynamics.with(c.varying.nominal().replicate(1, columns)).solve(c.q, c.v, c.tau, nominal).ok());
  EXPECT_EQ(a, nominal);
  ASSERT_TRUE(plain.solve(c.q, c.v, c.tau, nominal).ok());
  EXPECT_LE(relative(a, nominal), 1e-11);
  EXPECT_GT(relative(a, c.a), 1e-3);
}

TEST(Varying, PassiveForcesAreTheColumns) {
  Case c(make_description("random:8:seed=3"));
  ASSERT_TRUE(add_passive_forces(c.varying, c.P, c.q, c.v, c.tau).ok());
  for (int k = 0; k < columns; ++k) {
    VectorXd tau = random_state(c.model, static_cast<std::uint64_t>(k) + 1).tau;
    ASSERT_TRUE(add_passive_forces(c.models[static_cast<std::size_t>(k)], c.q.col(k), c.v.col(k), tau).ok());
    EXPECT_EQ(tau, c.tau.col(k));
  }
  c.P(c.varying.row(Parameter::damping, c.model.joint_name(0)), 2) = -1;
  const Status status = add_passive_forces(c.varying, c.P, c.q, c.v, c.tau);
  EXPECT_EQ(status.code, StatusCode::out_of_bounds);
  EXPECT_EQ(status.column, 2);
}

/// Also where a floating body's centre of mass, by which it moves, is the column's own.
TEST(Varying, RolloutsAreThoseOfTheModels) {
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4}) {
    Case c(make_description("random:7:seed=9:floating=1"));
    Rollouts rollouts(c.varying, columns, {.threads = 2}, {.integrator = integrator});
    ASSERT_TRUE(rollouts.set_parameters(c.P).ok());
    ASSERT_TRUE(rollouts.set_parameters(3, c.P.col(3)).ok());
    ASSERT_TRUE(rollouts.reset(c.q, c.v).ok());
    ASSERT_TRUE(rollouts.step(1e-3, {}, 20).ok());
    for (int k = 0; k < columns; ++k) {
      Rollouts plain(c.models[static_cast<std::size_t>(k)], 2, {}, {.integrator = integrator});
      ASSERT_TRUE(plain.reset(c.q.col(k).replicate(1, 2), c.v.col(k).replicate(1, 2)).ok());
      ASSERT_TRUE(plain.step(1e-3, {}, 20).ok());
      EXPECT_LE(relative(rollouts.q().col(k), plain.q().col(0)), 1e-11) << "column " << k;
      EXPECT_LE(relative(rollouts.v().col(k), plain.v().col(0)), 1e-10) << "column " << k;
    }
    c.P(0, 5) = -1;
    ASSERT_TRUE(rollouts.set_parameters(c.P).ok());
    EXPECT_EQ(rollouts.step(1e-3).code, StatusCode::not_rigid);
    EXPECT_EQ(rollouts.statuses()[5].code, StatusCode::not_rigid);
    EXPECT_TRUE(rollouts.statuses()[4].ok());
    EXPECT_EQ(rollouts.set_parameters(c.P.topRows(2)).code, StatusCode::wrong_size);
    EXPECT_EQ(rollouts.set_parameters(columns, c.P.col(0)).code, StatusCode::no_such_column);
  }
}

TEST(Varying, AllocatesNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  Case c(make_description("random:9:seed=5"));
  ForwardDynamics dynamics(c.varying);
  Workspace workspace(c.varying);
  MatrixXd tau = c.a;
  const auto call = [&] {
    Status status = dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a);
    if (status.ok()) status = inverse_dynamics(c.model, workspace.with(c.P), c.q, c.v, c.a, tau);
    return status;
  };
  ASSERT_TRUE(call().ok());
  c.P(0, 3) = -1;  // a column that fails, too
  start_counting();
  const Status status = call();
  EXPECT_EQ(stop_counting().ours, 0u);
  EXPECT_EQ(status.code, StatusCode::not_rigid);
}

}  // namespace
}  // namespace kinetree::oracle
