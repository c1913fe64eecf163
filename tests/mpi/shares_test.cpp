// Blocks of columns on their way to ranks and back.
#include <gtest/gtest.h>
#include <mpi.h>

#include <kinetree/mpi/shares.hpp>

#include "mpi/error_of.hpp"
#include "mpi/states.hpp"

namespace kinetree::oracle {
namespace {

TEST(Shares, AreContiguousAndDifferByOneAtMost) {
  for (const int columns : {0, 1, 2, 3, 7, 64, 1001}) {
    const mpi::Shares shares(MPI_COMM_WORLD, columns);
    int next = 0;
    for (int rank = 0; rank < shares.ranks(); ++rank) {
      EXPECT_EQ(shares.of(rank).first, next);
      next += shares.of(rank).count;
      EXPECT_LE(std::abs(shares.of(rank).count * shares.ranks() - columns), shares.ranks() - 1);
    }
    EXPECT_EQ(next, columns);
    EXPECT_EQ(shares.own().first, shares.of(rank_of_world()).first);
  }
}

template <class S>
void there_and_back(int columns, int root) {
  const mpi::Shares shares(MPI_COMM_WORLD, columns);
  Matrix<S> numbers(5, columns);
  for (Eigen::Index k = 0; k < numbers.size(); ++k) numbers(k) = static_cast<S>(k) / 3;
  const auto [first, count] = shares.own();
  // blocks of larger matrices: columns have gaps between them
  Matrix<S> large = Matrix<S>::Constant(9, columns, -1), own_large = Matrix<S>::Constant(7, count + 1, -2);
  if (shares.rank() == root) large.middleRows(2, 5) = numbers;
  shares.scatter(large.middleRows(2, 5), own_large.block(1, 0, 5, count), root);
  EXPECT_EQ(own_large.block(1, 0, 5, count), numbers.middleCols(first, count));
  EXPECT_TRUE((own_large.row(0).array() == -2).all() && (own_large.row(6).array() == -2).all());
  EXPECT_TRUE((own_large.col(count).array() == -2).all());

  large.setConstant(-1);
  shares.gather(own_large.block(1, 0, 5, count), large.middleRows(2, 5), root);
  if (shares.rank() == root) {
    EXPECT_EQ(large.middleRows(2, 5), numbers);
    EXPECT_TRUE((large.topRows(2).array() == -1).all() && (large.bottomRows(2).array() == -1).all());
  } else {
    EXPECT_TRUE((large.array() == -1).all());
  }
  shares.gather_to_all(own_large.block(1, 0, 5, count), large.middleRows(2, 5));
  EXPECT_EQ(large.middleRows(2, 5), numbers);
}

TEST(Shares, CarryColumnsThereAndBack) {
  for (const int columns : {1, 2, 3, 10, 37})
    for (const int root : {0, ranks_of_world() - 1}) {
      there_and_back<double>(columns, root);
      there_and_back<float>(columns, root);
    }
}

TEST(Shares, SayOnEveryRankWhoIsAtFault) {
  const int last = ranks_of_world() - 1, rank = rank_of_world();
  auto [fault, text] = error_of([&] { const mpi::Shares shares(MPI_COMM_WORLD, -3); });
  EXPECT_EQ(fault, 0);
  EXPECT_NE(text.find("the number of columns is -3; give 0 or more"), std::string::npos) << text;
  const mpi::Shares shares(MPI_COMM_WORLD, 8);
  Eigen::MatrixXd all(3, 8), own(3, shares.own().count);
  all.setZero();
  std::tie(fault, text) = error_of([&] { shares.scatter(all, own, 9); });
  EXPECT_EQ(fault, 0);
  EXPECT_NE(text.find("root is 9; give a rank from 0 to"), std::string::npos) << text;
  if (last == 0) return;
  std::tie(fault, text) = error_of([&] { const mpi::Shares differ(MPI_COMM_WORLD, rank == last ? 7 : 8); });
  EXPECT_EQ(fault, last);
  EXPECT_NE(text.find("the number of columns is 7, and on rank 0 8"), std::string::npos) << text;
  Eigen::MatrixXd wrong(rank == last ? 2 : 3, shares.own().count);
  wrong.setZero();
  std::tie(fault, text) = error_of([&] { shares.gather(wrong, all); });
  EXPECT_EQ(fault, last);
  EXPECT_NE(text.find("`own` is 2 x"), std::string::npos) << text;
  std::tie(fault, text) = error_of([&] { shares.gather(own, all.leftCols(rank == 0 ? 6 : 8)); });
  EXPECT_EQ(fault, 0);
  EXPECT_NE(text.find("`all` is 3 x 6 and should be 3 x 8"), std::string::npos) << text;
  std::tie(fault, text) = error_of([&] { shares.gather(all.middleCols(shares.own().first, shares.own().count), all); });
  EXPECT_EQ(fault, 0);
  EXPECT_NE(text.find("`own` and `all` share memory"), std::string::npos) << text;
  std::tie(fault, text) = error_of([&] {
    const Eigen::MatrixXf in_float = own.cast<float>();
    Eigen::MatrixXf all_in_float(3, 8);
    rank == last ? shares.gather(in_float, all_in_float) : shares.gather(own, all);
  });
  EXPECT_EQ(fault, last);
  EXPECT_NE(text.find("its numbers have 4 bytes, and rank 0's 8"), std::string::npos) << text;
}

TEST(Shares, WorkOnPartsOfTheWorld) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_of_world() % 2, -rank_of_world(), &half);
  {
    const mpi::Shares shares(half, 5);
    Eigen::MatrixXd own = Eigen::MatrixXd::Constant(1, shares.own().count, rank_of_world()), all(1, 5);
    shares.gather_to_all(own, all);
    EXPECT_TRUE((all.array() >= 0).all());
    EXPECT_EQ(all(0, 4), rank_of_world() % 2);  // ranks descend in it
  }
  MPI_Comm_free(&half);
}

}  // namespace
}  // namespace kinetree::oracle
