// The worst so far keeps a NaN, wherever it comes: what std::max and maxCoeff() lose.
#include "engine/scalar/worst.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <kinetree/scalar/reference.hpp>
#include <limits>

namespace kinetree {
namespace {

template <class S>
class Worst : public testing::Test {};
using Numbers = testing::Types<float, double, long double, Reference>;
TYPED_TEST_SUITE(Worst, Numbers);

TYPED_TEST(Worst, KeepsANaNThatComesFirstLastOrBetween) {
  using S = TypeParam;
  const S none = std::numeric_limits<S>::quiet_NaN();
  for (int place = 0; place < 3; ++place) {
    S worst(0);
    for (int k = 0; k < 3; ++k) keep_worst(worst, k == place ? none : S(k + 1));
    EXPECT_TRUE(worst != worst) << place;
  }
  S worst(0);
  for (const int k : {1, 3, 2}) keep_worst(worst, S(k));
  EXPECT_EQ(worst, S(3));
}

TYPED_TEST(Worst, OfAMatrixIsItsLargestSizeOrNaN) {
  using S = TypeParam;
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix A = Matrix::Constant(5, 7, S(1));
  A(2, 3) = S(-4);
  EXPECT_EQ(largest_of(A), S(4));
  EXPECT_EQ(largest_of(A - Matrix::Constant(5, 7, S(1))), S(5)) << "an expression";
  EXPECT_EQ(largest_of(Matrix(A * A.transpose())), S(22)) << "a product";
  EXPECT_EQ(largest_of(Matrix(0, 3)), S(0)) << "nothing";
  for (Eigen::Index k = 0; k < A.size(); ++k) {
    Matrix B = A;
    B.data()[k] = std::numeric_limits<S>::quiet_NaN();
    const S worst = largest_of(B);
    EXPECT_TRUE(worst != worst) << k;
  }
}

}  // namespace
}  // namespace kinetree
