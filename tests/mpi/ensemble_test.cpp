// Ensembles have the bits of one process.
#include <gtest/gtest.h>
#include <mpi.h>

#include <kinetree/mpi/ensemble.hpp>
#include <limits>
#include <optional>

#include "mpi/error_of.hpp"
#include "mpi/out_of_memory.hpp"
#include "mpi/states.hpp"

namespace kinetree::oracle {
namespace {

template <class S>
void expect_bits_of_one_process(const Model& model, const Options& options, int columns) {
  mpi::Ensemble ensemble(MPI_COMM_WORLD, model, columns, options);
  const States<S> s(model, columns);
  ForwardDynamics alone(model, ensemble.plan());
  const auto [first, count] = ensemble.shares().own();
  for (const bool external : {false, true}) {
    Matrix<S> expected = Matrix<S>::Zero(model.nv(), columns), own = Matrix<S>::Zero(model.nv(), count);
    Matrix<S> all = Matrix<S>::Zero(model.nv(), columns);
    const auto part = [&, first = first, count = count](const Matrix<S>& m) { return m.middleCols(first, count); };
    if (external) {
      ASSERT_TRUE(alone.solve(s.q, s.v, s.tau, s.f_ext, expected).ok());
      EXPECT_TRUE(ensemble.solve(part(s.q), part(s.v), part(s.tau), part(s.f_ext), own).ok());
    } else {
      ASSERT_TRUE(alone.solve(s.q, s.v, s.tau, expected).ok());
      EXPECT_TRUE(ensemble.solve(part(s.q), part(s.v), part(s.tau), own).ok());
    }
    EXPECT_TRUE(ensemble.first_failed().ok());
    EXPECT_EQ(ensemble.statuses().size(), static_cast<std::size_t>(count));
    ensemble.shares().gather_to_all(own, all);
    EXPECT_TRUE(same_bytes<S>(all, expected)) << model.name() << ", " << columns << " columns";
  }
}

class Ensembles : public testing::TestWithParam<const char*> {};

TEST_P(Ensembles, HaveTheBitsOfOneProcess) {
  const Model model = make_model(GetParam());
  for (const int columns : {0, 1, 2, 3, 5, 37})
    for (const int threads : {1, 2}) {
      Options options;
      options.threads = threads;
      if (threads > 1) options.algorithm = Algorithm::ab;  // `automatic` may take one
      expect_bits_of_one_process<double>(model, options, columns);
      expect_bits_of_one_process<float>(model, options, columns);
    }
}
INSTANTIATE_TEST_SUITE_P(Models, Ensembles,
                         testing::Values("chain:20", "tree:2x4", "random:30:seed=1:floating=1:special=1",
                                         "fourbars:3"));

TEST(Ensemble, GivesTheFirstFailedColumnToEveryRank) {
  const Model model = make_model("chain:4");
  constexpr int columns = 11;
  mpi::Ensemble ensemble(MPI_COMM_WORLD, model, columns);
  for (const int failed : {0, 5, 10}) {
    States<double> s(model, columns);
    s.tau(2, failed) = std::numeric_limits<double>::quiet_NaN();
    if (failed < 10) s.v(1, 10) = std::numeric_limits<double>::infinity();  // another one later
    const auto [first, count] = ensemble.shares().own();
    Eigen::MatrixXd a(model.nv(), count);
    const Status own =
        ensemble.solve(s.q.middleCols(first, count), s.v.middleCols(first, count), s.tau.middleCols(first, count), a);
    EXPECT_EQ(own.ok(), (failed < first || failed >= first + count) && !(failed < 10 && first + count == 11));
    const Status all = ensemble.first_failed();
    EXPECT_EQ(all.code, StatusCode::not_finite);
    EXPECT_EQ(all.column, failed);
    EXPECT_STREQ(all.argument, "tau");
    EXPECT_EQ(all.body, 2);
  }
}

TEST(Ensemble, RefusesWrongSizesWithoutWaiting) {
  const Model model = make_model("chain:4");
  mpi::Ensemble ensemble(MPI_COMM_WORLD, model, 4 * ranks_of_world());
  const States<double> s(model, 3);
  Eigen::MatrixXd a(model.nv(), 3);
  const Status status = ensemble.solve(s.q, s.v, s.tau, a);
  EXPECT_EQ(status.code, StatusCode::wrong_size);
  EXPECT_EQ(status.expected, 4);
  EXPECT_TRUE(status.columns);
  // one column each: in place is refused as in one process
  mpi::Ensemble ones(MPI_COMM_WORLD, model, std::max(2, ranks_of_world()));
  if (ones.shares().own().count == 1) {
    Eigen::MatrixXd q = s.q.leftCols(1), v = s.v.leftCols(1);
    EXPECT_EQ(ones.solve(q, v, v, v).code, StatusCode::shared_memory);
  }
}

TEST(Ensemble, SaysOnEveryRankWhoIsAtFault) {
  const int rank = rank_of_world(), last = ranks_of_world() - 1;
  const Model model = make_model("chain:40");
  Options bad;
  bad.threads = -1;
  auto [fault, text] = error_of([&] { const mpi::Ensemble ensemble(MPI_COMM_WORLD, model, 4, bad); });
  EXPECT_EQ(fault, 0);
  EXPECT_NE(text.find("threads"), std::string::npos) << text;
  {
    const std::optional<OutOfMemory> exhausted = rank == last ? std::make_optional<OutOfMemory>() : std::nullopt;
    std::tie(fault, text) = error_of([&] { const mpi::Ensemble ensemble(MPI_COMM_WORLD, model, 4); });
  }
  EXPECT_EQ(fault, last);
  EXPECT_NE(text.find("no memory left"), std::string::npos) << text;
  if (last == 0) return;
  const Model other = make_model("chain:41");
  std::tie(fault, text) =
      error_of([&] { const mpi::Ensemble ensemble(MPI_COMM_WORLD, rank == last ? other : model, 4); });
  EXPECT_EQ(fault, last);
  EXPECT_NE(text.find("of 41 bodies is not that of rank 0"), std::string::npos) << text;
  // a number of a link's, in its last bit
  Description heavier = make_description("chain:40");
  double& mass = heavier.bodies[7].inertial->mass;
  mass = std::nextafter(mass, 9);
  const Model almost = make_model(heavier);
  std::tie(fault, text) =
      error_of([&] { const mpi::Ensemble ensemble(MPI_COMM_WORLD, rank == last ? almost : model, 4); });
  EXPECT_EQ(fault, last);
  // what other ranks ask for is not read
  EXPECT_NO_THROW(mpi::Ensemble(MPI_COMM_WORLD, model, 4, rank == last ? bad : Options{}));
}

}  // namespace
}  // namespace kinetree::oracle
