// What functions of the configuration space refuse: bad numbers, quaternions that are no units, wrong sizes, shared
// memory.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/joint/advance.hpp"
#include "model/every_joint_type.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(ConfigurationRefusals, ABadNumberIsNamedAndSpoilsItsColumnAlone) {
  const Model model = make_model(every_type(1));
  MatrixXd q(model.nq(), 3), v(model.nv(), 3), out(model.nq(), 3), way(model.nv(), 3);
  ASSERT_TRUE(random_state(model, 1, q, v).ok());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (int k = 0; k < model.nq(); ++k) {
      MatrixXd wrong = q;
      wrong(k, 1) = bad;
      for (const Status& status : {integrate(model, wrong, v, out), difference(model, q, wrong, way),
                                   interpolate(model, wrong, q, 0.5, out), normalize(model, wrong)}) {
        EXPECT_EQ(status.code, StatusCode::not_finite) << k;
        EXPECT_EQ(status.column, 1);
        EXPECT_EQ(status.body, model.body_of_position(k));
        EXPECT_NE(status.message(model).find(model.joint_name(status.body)), std::string::npos);
      }
      EXPECT_TRUE(out.col(1).array().isNaN().all() && way.col(1).array().isNaN().all());
      EXPECT_TRUE(out.col(0).allFinite() && out.col(2).allFinite() && way.col(0).allFinite());
    }
    for (int k = 0; k < model.nv(); ++k) {
      MatrixXd wrong = v;
      wrong(k, 2) = bad;
      const Status status = integrate(model, q, wrong, out);
      EXPECT_EQ(status.code, StatusCode::not_finite);
      EXPECT_EQ(status.body, model.body_of_velocity(k));
      EXPECT_TRUE(out.col(2).array().isNaN().all());
    }
  }
}

/// Within the tolerance every function reads the unit quaternion; beyond, every one refuses.
template <class T>
void quaternions_within(double tolerance, double rounding) {
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Model model = make_model(every_type(1));
  Vector q(model.nq()), v(model.nv());
  ASSERT_TRUE(random_state(model, 1, q, v).ok());
  const auto everything = [&](const Vector& from) {
    Workspace w(model);
    Vector a(model.nv()), tau(model.nv()), next(model.nq()), x(model.nv()), momentum_(12);
    Matrix H(model.nv(), model.nv());
    std::vector<Status> said{ForwardDynamics(model).solve(from, v, v, a),
                             inverse_dynamics(model, w, from, v, v, tau),
                             mass_matrix(model, w, from, H),
                             momentum(model, w, from, v, momentum_),
                             integrate(model, from, v, next),
                             difference(model, from, q, x)};
    Vector all(a.size() + tau.size() + H.size() + 12 + next.size() + x.size());
    all << a, tau, H.reshaped(), momentum_, next, x;
    return std::pair(said, all);
  };
  const Vector exact = everything(q).second;
  for (const JointType type : with_quaternions) {
    const int body = model.body_of_joint("to_" + std::string(kinetree::name_of(type)));
    for (const double sign : {-1.0, 1.0}) {
      Vector longer = q;
      const auto scale = [&](double by) {
        longer = q;
        longer.segment(model.q_index(body) + quaternion_at(type), 4) *= static_cast<T>(1 + sign * by);
      };
      scale(0.9 * tolerance);
      const auto [passed, result] = everything(longer);
      for (const Status& status : passed) EXPECT_TRUE(status.ok()) << status.message(model);
      EXPECT_LE((result - exact).norm(), rounding * exact.norm());
      scale(1.2 * tolerance);
      const auto [refused, spoiled] = everything(longer);
      EXPECT_TRUE(spoiled.array().isNaN().all());
      for (const Status& status : refused) {
        EXPECT_EQ(status.code, StatusCode::not_normalized);
        EXPECT_EQ(status.body, body);
      }
      EXPECT_TRUE(normalize(model, longer).ok());
      EXPECT_LE((longer - q).norm(), rounding);
    }
  }
}

TEST(ConfigurationRefusals, QuaternionsWithinAMillionthInDouble) { quaternions_within<double>(1e-6, 1e-12); }
TEST(ConfigurationRefusals, QuaternionsWithinTenThousandthInFloat) { quaternions_within<float>(1e-4, 1e-4); }

TEST(ConfigurationRefusals, NormalizeTakesAnyLengthButZero) {
  const Model model = make_model("random:9:seed=2:joints=spherical");
  const VectorXd unit = random_configuration(model, 1);
  for (const double size : {1e-310, 1e-200, 1e-3, 7.0, 1e200, 1e307}) {
    VectorXd q = size * unit;
    ASSERT_TRUE(normalize(model, q).ok()) << size;
    EXPECT_LE((q - unit).norm(), size < 1e-300 ? 1e-1 : 1e-15) << size;
    for (Eigen::Index k = 0; k < q.size(); k += 4) EXPECT_NEAR(q.segment<4>(k).norm(), 1, 1e-15);
  }
  VectorXd q = 3 * unit;
  q.segment<4>(8).setZero();
  const VectorXd before = q;
  const Status status = normalize(model, q);
  EXPECT_EQ(status.code, StatusCode::not_normalized);
  EXPECT_EQ(status.body, 2);
  EXPECT_EQ(q, before);
}

TEST(ConfigurationRefusals, WrongSizesNameTheArgument) {
  const Model model = make_model(every_type(1));
  const VectorXd q = random_configuration(model, 1), v = VectorXd::Zero(model.nv());
  VectorXd out = VectorXd::Zero(model.nq()), x(model.nv());
  const auto expect = [&](const Status& status, const std::string& name, Eigen::Index has, Eigen::Index wants,
                          const std::string& of = " rows") {
    EXPECT_EQ(status.code, StatusCode::wrong_size);
    EXPECT_EQ(status.message(model).find(name + " has " + std::to_string(has) + of), 0u) << status.message(model);
    EXPECT_NE(status.message(model).find(std::to_string(wants)), std::string::npos) << status.message(model);
  };
  expect(integrate(model, v, v, out), "q", model.nv(), model.nq());
  expect(integrate(model, q, q, out), "x", model.nq(), model.nv());
  expect(integrate(model, q, v, x), "result", model.nv(), model.nq());
  expect(integrate(model, q, v.replicate(1, 2), out), "x", 2, 1, " columns");
  expect(difference(model, q, v, x), "to", model.nv(), model.nq());
  expect(interpolate(model, q, q, 0.5, x), "result", model.nv(), model.nq());
  expect(normalize(model, x), "q", model.nv(), model.nq());
  expect(random_state(model, 1, out, out), "v", model.nq(), model.nv());
  EXPECT_EQ(out, VectorXd::Zero(model.nq()));
  Workspace w(model);
  expect(inverse_dynamics(model, w, q, v, q, x), "a", model.nq(), model.nv());
  expect(ForwardDynamics(model).solve(q, v, q, x), "tau", model.nq(), model.nv());
  expect(momentum(model, w, q, v, out), "result", model.nq(), 12);
}

TEST(ConfigurationRefusals, MemoryIsSharedInPlaceOnly) {
  const Model model = make_model("chain:4");
  MatrixXd q = MatrixXd::Zero(4, 3), x = MatrixXd::Ones(4, 3);
  EXPECT_EQ(integrate(model, q.leftCols(2), x.leftCols(2), q.rightCols(2)).code, StatusCode::shared_memory);
  EXPECT_TRUE(integrate(model, q, x, x).ok()) << "in the place of x";
  EXPECT_EQ(x, MatrixXd::Ones(4, 3));
  EXPECT_EQ(random_state(model, 1, q, q).code, StatusCode::shared_memory);
}

/// The memory of an input in other columns is not its place.
TEST(ConfigurationRefusals, ColumnsOfAnotherStrideAreNotInPlace) {
  const Model model = make_model("chain:3");
  VectorXd numbers = VectorXd::LinSpaced(7, 0.1, 0.7);
  const VectorXd before = numbers;
  const MatrixXd x = MatrixXd::Ones(3, 2);
  const Eigen::Map<const MatrixXd> q(numbers.data(), 3, 2);
  const Eigen::Map<MatrixXd, 0, Eigen::OuterStride<>> result(numbers.data(), 3, 2, Eigen::OuterStride<>(4));
  EXPECT_EQ(integrate(model, q, x, result).code, StatusCode::shared_memory);
  EXPECT_EQ(numbers, before) << "nothing is written";
}

TEST(ConfigurationRefusals, OfSeveralBadColumnsTheFirstIsNamed) {
  const Model model = make_model("chain:3");
  MatrixXd q = MatrixXd::Zero(3, 5), result = q;
  q(2, 1) = std::nan(""), q(0, 3) = std::nan("");
  const Status status = integrate(model, q, q.array().isNaN().select(0, q).matrix(), result);
  EXPECT_EQ(status.column, 1);
  EXPECT_EQ(status.body, 2);
  for (int c = 0; c < 5; ++c) EXPECT_EQ(result.col(c).array().isNaN().all(), c == 1 || c == 3) << c;
}

}  // namespace
}  // namespace kinetree::oracle
