// Rollouts over ranks have the bits of one process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <kinetree/configuration.hpp>
#include <kinetree/mpi/rollouts.hpp>
#include <limits>

#include "mpi/states.hpp"

namespace kinetree::oracle {
namespace {

/// Forces that depend on the number of the column, its time and its state.
void pull(RolloutColumns& columns) {
  for (Eigen::Index k = 0; k < columns.q.cols(); ++k) {
    columns.tau.col(k) = -0.1 * columns.v.col(k) * (columns.first + k + 1);
    if (columns.f_ext.rows() > 0) columns.f_ext.col(k).setConstant(columns.time[k] + 0.01 * columns.v(0, k));
  }
}

TEST(MpiRollouts, HaveTheBitsOfOneProcess) {
  for (const char* family : {"chain:5", "random:12:seed=3:floating=1"}) {
    const Model model = make_model(family);
    for (const int columns : {1, 2, 3, 13})
      for (const bool external : {false, true}) {
        RolloutOptions how;
        how.integrator = external ? Integrator::rk4 : Integrator::semi_implicit_euler;
        how.external_forces = external;
        const States<double> s(model, columns);
        kinetree::Rollouts alone(model, columns, {}, how);
        mpi::Rollouts shared(MPI_COMM_WORLD, model, columns, {}, how);
        const auto [first, count] = shared.shares().own();
        ASSERT_TRUE(alone.reset(s.q, s.v, 0.5).ok());
        EXPECT_TRUE(shared.reset(s.q.middleCols(first, count), s.v.middleCols(first, count), 0.5).ok());
        ASSERT_TRUE(alone.step(1e-3, pull, 20).ok());
        EXPECT_TRUE(shared.step(1e-3, pull, 20).ok());
        ASSERT_TRUE(alone.step(1e-3).ok());
        EXPECT_TRUE(shared.step(1e-3).ok());
        EXPECT_TRUE(shared.first_failed().ok());
        Eigen::MatrixXd q(model.nq(), columns), v(model.nv(), columns);
        shared.shares().gather_to_all(shared.q(), q);
        shared.shares().gather_to_all(shared.v(), v);
        EXPECT_TRUE(same_bytes<double>(q, alone.q())) << family << ", " << columns;
        EXPECT_TRUE(same_bytes<double>(v, alone.v())) << family << ", " << columns;
        for (int k = 0; k < count; ++k) EXPECT_EQ(shared.time()[k], alone.time()[first + k]);
      }
  }
}

TEST(MpiRollouts, AColumnThatFailsIsKnownToAll) {
  const Model model = make_model("chain:3");
  constexpr int columns = 7;
  States<double> s(model, columns);
  s.q(1, 4) = std::numeric_limits<double>::quiet_NaN();
  mpi::Rollouts shared(MPI_COMM_WORLD, model, columns);
  const auto [first, count] = shared.shares().own();
  const Status own = shared.reset(s.q.middleCols(first, count), s.v.middleCols(first, count));
  EXPECT_EQ(own.ok(), 4 < first || 4 >= first + count);
  const Status all = shared.first_failed();
  EXPECT_EQ(all.code, StatusCode::not_finite);
  EXPECT_EQ(all.column, 4);
  EXPECT_STREQ(all.argument, "q");
}

TEST(MpiRollouts, AreRefusedOnEveryRank) {
  EXPECT_THROW(mpi::Rollouts(MPI_COMM_WORLD, make_model("chain:3"), 0), mpi::Error);
  EXPECT_THROW(mpi::Rollouts(MPI_COMM_WORLD, make_model("fourbars:2"), 3), mpi::Error);
}

}  // namespace
}  // namespace kinetree::oracle
