// What of Eigen may stand in a call: views where numbers are contiguous, copies of rows and expressions, and no output
// but where it is written in place (what is refused when compiling: tests/consumer/refused.cpp).
#include <gtest/gtest.h>

#include "oracle/plans.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::Dynamic;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;

class Boundary : public testing::Test {
 protected:
  Model model = make_model("random:9:seed=4:floating=1");
  TestState s = random_state(model, 1);
  VectorXd a = random_state(model, 2).v, expected{model.nv()}, got{model.nv()};
  Workspace workspace{model};
  ForwardDynamics dynamics{model, serial(Algorithm::ab)};

  void SetUp() override {
    ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, s.f_ext, expected).ok());
    ASSERT_GT(expected.norm(), 0);
  }

  /// Both faces take the arguments in this form.
  template <class Q, class V, class A, class F>
  void expect_taken(const char* what, const Q& q, const V& v, const A& in, const F& f) {
    got.setZero();
    EXPECT_TRUE(inverse_dynamics(model, workspace, q, v, in, f, got).ok()) << what;
    EXPECT_EQ(got, expected) << what;
    VectorXd plain(model.nv());
    ASSERT_TRUE(dynamics.solve(s.q, s.v, a, s.f_ext, plain).ok());
    got.setZero();
    EXPECT_TRUE(dynamics.solve(q, v, in, f, got).ok()) << what;
    EXPECT_EQ(got, plain) << what;
    MatrixXd H(model.nv(), model.nv()), same(model.nv(), model.nv());
    EXPECT_TRUE(mass_matrix(model, workspace, s.q, H).ok());
    EXPECT_TRUE(mass_matrix(model, workspace, q, same).ok()) << what;
    EXPECT_EQ(H, same) << what;
  }
};

TEST_F(Boundary, InputsOfManyForms) {
  const auto in_rows = [](const VectorXd& x) -> MatrixXd { return x.transpose().colwise().replicate(3); };
  const MatrixXd q = in_rows(s.q), v = in_rows(s.v), in = in_rows(a), f = in_rows(s.f_ext);
  expect_taken("rows of matrices", q.row(1), v.row(1), in.row(1), f.row(1));
  const RowMajor qr = q, vr = v, ar = in, fr = f;
  expect_taken("rows of row-major matrices", qr.row(1), vr.row(1), ar.row(1), fr.row(1));
  expect_taken("row-major columns", RowMajor(s.q), RowMajor(s.v), RowMajor(a), RowMajor(s.f_ext));
  expect_taken("matrices of one column", MatrixXd(s.q), MatrixXd(s.v), MatrixXd(a), MatrixXd(s.f_ext));
  expect_taken("expressions", 1 * s.q, 2 * s.v - s.v, -(-a), s.f_ext + 0 * s.f_ext);
  expect_taken("expressions in matrices", 1 * MatrixXd(s.q), 1 * MatrixXd(s.v), 1 * MatrixXd(a), 1 * MatrixXd(s.f_ext));
  expect_taken("arrays", s.q.array(), s.v.array() + 0, a.array().eval(), s.f_ext.array() * 1);
  const Eigen::RowVectorXd lying = s.q.transpose();
  expect_taken("vectors that lie", lying, s.v.transpose(), a.transpose().eval(), s.f_ext.transpose());
  std::vector<double> spaced(static_cast<std::size_t>(2 * model.nv()));
  Eigen::Map<VectorXd, 0, Eigen::InnerStride<>> every_other(spaced.data(), model.nv(), Eigen::InnerStride<>(2));
  every_other = s.v;
  expect_taken("a map with an inner stride", s.q, every_other, a, s.f_ext);
}

TEST_F(Boundary, ContiguousInputsAreNotCopied) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  MatrixXd wide = MatrixXd::Zero(6 * model.body_count() + 5, 7);
  const auto placed = [&](const VectorXd& x, Eigen::Index column) {
    auto block = wide.block(3, column, x.size(), 1);
    block = x;
    return block;
  };
  const auto q = placed(s.q, 1), v = placed(s.v, 2), in = placed(a, 3), f = placed(s.f_ext, 4);
  const Eigen::RowVectorXd lying = s.v.transpose();
  const Eigen::ArrayXd array = a.array();
  const Eigen::Map<const VectorXd> map(s.f_ext.data(), s.f_ext.size());
  MatrixXd H(model.nv(), model.nv());
  const auto call = [&] {
    bool good = inverse_dynamics(model, workspace, q, v, in, f, got).ok();
    good = inverse_dynamics(model, workspace, s.q, lying, array, map, got).ok() && good;
    good = mass_matrix(model, workspace, q, H).ok() && good;
    good = dynamics.solve(q, v, in, f, got).ok() && good;
    good = dynamics.solve(wide.middleCols(1, 1).middleRows(3, s.q.size()), lying, array, map, got).ok() && good;
    return good;
  };
  ASSERT_TRUE(call());
  start_counting();
  const bool good = call();
  const Allocations seen = stop_counting();
  EXPECT_TRUE(good);
  EXPECT_EQ(seen.ours, 0u);
}

TEST_F(Boundary, OutputsAreWrittenInPlace) {
  MatrixXd wide = MatrixXd::Zero(model.nv() + 4, 3);
  EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, s.f_ext, wide.block(2, 1, model.nv(), 1)).ok());
  EXPECT_EQ(VectorXd(wide.block(2, 1, model.nv(), 1)), expected);
  EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, s.f_ext, wide.col(0).head(model.nv())).ok());
  EXPECT_EQ(VectorXd(wide.col(0).head(model.nv())), expected);
  RowMajor rows = RowMajor::Zero(3, model.nv());
  EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, s.f_ext, rows.row(1)).ok());
  EXPECT_EQ(VectorXd(rows.row(1)), expected);
  rows.row(1).setZero(), wide.block(2, 1, model.nv(), 1).setZero(), wide.col(0).head(model.nv()).setZero();
  EXPECT_EQ(rows.norm() + wide.norm(), 0) << "nothing beside the outputs was written";

  const int n = model.nv();
  MatrixXd H(n, n), within = MatrixXd::Zero(n + 3, n + 2);
  RowMajor row_major_within = RowMajor::Zero(n + 3, n + 2);
  EXPECT_TRUE(mass_matrix(model, workspace, s.q, H).ok());
  EXPECT_TRUE(mass_matrix(model, workspace, s.q, within.block(1, 1, n, n)).ok());
  EXPECT_TRUE(mass_matrix(model, workspace, s.q, row_major_within.block(1, 1, n, n)).ok());
  EXPECT_EQ(H, within.block(1, 1, n, n));
  EXPECT_EQ(H, row_major_within.block(1, 1, n, n));
  within.block(1, 1, n, n).setZero(), row_major_within.block(1, 1, n, n).setZero();
  EXPECT_EQ(within.norm() + row_major_within.norm(), 0);
}

TEST_F(Boundary, WhatDoesNotFitIsRefused) {
  const auto code = [&](const auto& q, const auto& v, const auto& in, const auto& f) {
    return inverse_dynamics(model, workspace, q, v, in, f, got).code;
  };
  EXPECT_EQ(code(s.q, s.v, a, s.f_ext), StatusCode::ok);
  EXPECT_EQ(code(s.v, s.v, a, s.f_ext), StatusCode::wrong_size);
  EXPECT_EQ(code(s.q, s.q, a, s.f_ext), StatusCode::wrong_size);
  EXPECT_EQ(code(s.q, s.v, s.q, s.f_ext), StatusCode::wrong_size);
  EXPECT_EQ(code(s.q, s.v, a, s.v), StatusCode::wrong_size);
  EXPECT_EQ(code(s.q, s.v, a, VectorXd()), StatusCode::wrong_size);
  EXPECT_EQ(dynamics.solve(s.q, s.v, a, VectorXd(), got).code, StatusCode::wrong_size);
  // as many numbers, in the wrong shape
  EXPECT_EQ(code(s.q, s.v, a, MatrixXd(6, model.body_count())), StatusCode::wrong_size);
  MatrixXd H(model.nv(), model.nv() + 1);
  EXPECT_EQ(mass_matrix(model, workspace, s.q, H).code, StatusCode::wrong_size);
  const Model other = make_model("random:9:seed=4:floating=1");
  const Status status = inverse_dynamics(other, workspace, s.q, s.v, a, got);
  EXPECT_EQ(status.code, StatusCode::other_model);
  EXPECT_NE(status.message(other).find("another model"), std::string::npos);
}

}  // namespace
}  // namespace kinetree::oracle
