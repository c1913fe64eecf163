#pragma once
// For tests of Featherstone & Fijany 1999: random matrices, and mechanisms with what judges them.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/sko/change_of_basis.hpp>
#include <kinetree/sko/constraint_force_matrices.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/rigid_body.hpp>

#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::sko {

using MatrixXd = Matrix<double>;

inline MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return random.uniform(-1, 1); });
}
/// Singular values from 1 to `condition`.
inline MatrixXd random_regular(Random& random, Eigen::Index n, double condition) {
  const MatrixXd A = Eigen::HouseholderQR<MatrixXd>(random_matrix(random, n, n)).householderQ();
  const MatrixXd B = Eigen::HouseholderQR<MatrixXd>(random_matrix(random, n, n)).householderQ();
  Eigen::VectorXd values(n);
  for (Eigen::Index i = 0; i < n; ++i) values(i) = std::pow(condition, random.uniform(0, 1));
  if (n > 1) values(0) = 1, values(n - 1) = condition;
  return A * values.asDiagonal() * B;
}
inline MatrixXd random_positive(Random& random, Eigen::Index n, double condition = 100) {
  const MatrixXd A = random_regular(random, n, std::sqrt(condition));
  return A.transpose() * A;
}
inline double difference(const MatrixXd& A, const MatrixXd& B) {
  EXPECT_EQ(A.rows(), B.rows());
  EXPECT_EQ(A.cols(), B.cols());
  if (A.size() == 0) return 0;
  return largest_of(A - B) / std::max(largest_of(B), 1e-300);
}
struct Mechanism {
  Description description;
  Model model;
  oracle::TestState state;
  RigidBody<double> body;
  ConstraintBases<double> bases;
};

inline Mechanism mechanism(const std::string& family, std::uint64_t seed) {
  Description description = make_description(family);
  Model model = make_model(description);
  oracle::TestState state = oracle::random_state(model, seed);
  RigidBody<double> body = rigid_body(model, state.q.data(), state.v.data());
  ConstraintBases<double> bases = constraint_bases(model, state.q.data());
  return {std::move(description), std::move(model), std::move(state), std::move(body), std::move(bases)};
}
/// Mixed joints; every other one floats.
inline Mechanism random_mechanism(int number, const std::string& joints = "mixed") {
  const int bodies = 1 + 37 * number % 20;
  return mechanism("random:" + std::to_string(bodies) + ":seed=" + std::to_string(number) + ":joints=" + joints +
                       (number % 2 ? ":floating=1" : ""),
                   static_cast<std::uint64_t>(number));
}

/// For each joint row, its place in the Model's v.
inline std::vector<int> places(const Mechanism& m) {
  Eigen::VectorXd index = Eigen::VectorXd::LinSpaced(m.model.nv(), 0, m.model.nv() - 1);
  const Stacked<double> rows = joint_rows(m.body, m.model, index.data());
  std::vector<int> result;
  for (const double x : rows.value) result.push_back(static_cast<int>(std::lround(x)));
  return result;
}

/// The inverse of the mass matrix of an oracle that shares nothing with the library, joint rows.
inline MatrixXd oracle_inverse(const Mechanism& m) {
  oracle::DenseOracle<long double> oracle(m.description, m.model);
  oracle.set(m.state.q, m.state.v);
  const std::vector<int> place = places(m);
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> H(m.model.nv(), m.model.nv());
  for (Eigen::Index r = 0; r < H.rows(); ++r)
    for (Eigen::Index c = 0; c < H.cols(); ++c)
      H(r, c) = oracle.mass(place[static_cast<std::size_t>(r)], place[static_cast<std::size_t>(c)]);
  return H.inverse().cast<double>();
}

/// Eq. 51 of Jain 2011, column by column.
inline MatrixXd inverse_by_innovations(const SkoModel<double>& model) {
  const Riccati<double> r = riccati(model);
  MatrixXd result(model.freedoms(), model.freedoms());
  auto unit = Stacked<double>::zero(model.space, Kind::joint);
  for (Eigen::Index c = 0; c < result.cols(); ++c) {
    unit.value.setZero();
    unit.value(c) = 1;
    result.col(c) = inverse_mass_matrix_times(model, r, unit).value;
  }
  return result;
}

inline MatrixXd by_constraint_forces(const SkoModel<double>& model, const ConstraintBases<double>& bases) {
  return inverse_by_constraint_forces(model, joint_force_space(model), bases).matrix;
}

/// Random symmetric positive definite blocks.
inline BlockDiagonal<double> random_positive_blocks(Random& random, const SpaceRef& space) {
  BlockDiagonal<double> X{space, Kind::node, Kind::node, {}};
  for (int k = 0; k < space->nodes(); ++k) X.block.push_back(random_positive(random, space->size(Kind::node, k), 30));
  return X;
}
inline BlockDiagonal<double> random_regular_blocks(Random& random, const SpaceRef& space, Kind kind) {
  BlockDiagonal<double> X{space, kind, kind, {}};
  for (int k = 0; k < space->nodes(); ++k) X.block.push_back(random_regular(random, space->size(kind, k), 10));
  return X;
}

}  // namespace kinetree::sko
