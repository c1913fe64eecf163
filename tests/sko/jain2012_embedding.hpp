#pragma once
// Constrained mechanisms for tests of Jain 2012, graph transformations II.

#include <kinetree/sko/constrained_body.hpp>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/products.hpp>

#include "loops/closed_mechanisms.hpp"
#include "sko/dense.hpp"

namespace kinetree::sko {

using Eigen::VectorXd;

/// A random mechanism with loops and couplings, its model with them, and its operators.
struct Closed {
  oracle::ClosedMechanism mechanism;
  Model model;
  VectorXd f_ext;  ///< empty for two of three
  ConstrainedBody<double> body;
};
inline Closed closed_mechanism(std::uint64_t seed) {
  oracle::ClosedMechanism m = oracle::random_closed_mechanism(seed);
  Model model = m.model;
  VectorXd f_ext = seed % 3 == 0 ? m.state.f_ext : VectorXd();
  ConstrainedBody<double> body =
      constrained_body(model, m.state.q.data(), m.state.v.data(), f_ext.size() > 0 ? f_ext.data() : nullptr);
  return {std::move(m), std::move(model), std::move(f_ext), std::move(body)};
}

/// Joint rows of the spanning tree in the Model's order.
inline VectorXd in_model(const Model& model, const Stacked<double>& rows) {
  const std::vector<double> v = model_order(model, rows);
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
/// X_S with rows in the Model's order.
inline MatrixXd map_in_model(const Model& model, const ConstrainedBody<double>& body) {
  MatrixXd X = spanning_map(body.embedded);
  for (Eigen::Index c = 0; c < X.cols(); ++c)
    X.col(c) = in_model(model, {body.tree.model.space, Kind::joint, VectorXd(X.col(c))});
  return X;
}
/// X_S-dot v_R with rows in the Model's order.
inline VectorXd drift_in_model(const Model& model, const ConstrainedBody<double>& body) {
  return in_model(model, in_original_order(body.embedded.aggregated, body.embedded.g));
}

/// The same rows over another space: what Lemmas 5 and 6 say is between two models of one aggregated tree.
template <class S>
Stacked<S> moved(const SpaceRef& space, const Stacked<S>& x) {
  EXPECT_EQ(space->total(x.kind), x.value.size());
  return {space, x.kind, x.value};
}

/// The matrix of a map of joint rows, column by column.
template <class Map>
MatrixXd matrix_of(const SkoModel<double>& model, Map&& map) {
  auto unit = Stacked<double>::zero(model.space, Kind::joint);
  MatrixXd X(model.freedoms(), model.freedoms());
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    unit.value.setZero();
    unit.value(c) = 1;
    X.col(c) = map(unit).value;
  }
  return X;
}

/// Lemma 9, Eq. 52: factorization, inverses and determinant against the mass matrix given.
inline void expect_factorized(const SkoModel<double>& model, const MatrixXd& mass) {
  using X = Stacked<double>;
  const Riccati<double> r = riccati(model);
  const auto of = [&](auto map) { return matrix_of(model, map); };
  const MatrixXd L = of([&](const X& x) { return innovations_times(model, r, x); });
  const MatrixXd L_inverse = of([&](const X& x) { return innovations_inverse_times(model, r, x); });
  EXPECT_TRUE(same(of([&](const X& x) { return mass_matrix_times(model, x); }), mass));
  EXPECT_TRUE(same(L * placed(r.D) * L.transpose(), mass));
  EXPECT_TRUE(same(L * L_inverse, one(mass.rows())));
  EXPECT_TRUE(same(of([&](const X& x) { return innovations_transpose_times(model, r, x); }), L.transpose()));
  const MatrixXd back = of([&](const X& x) { return innovations_inverse_transpose_times(model, r, x); });
  EXPECT_TRUE(same(back, L_inverse.transpose()));
  const MatrixXd inverse = of([&](const X& x) { return inverse_mass_matrix_times(model, r, x); });
  EXPECT_TRUE(same_within(1e-11, mass * inverse, one(mass.rows())));
  if (mass.size() == 0) return;
  const double dense = mass.ldlt().vectorD().array().log().sum();
  EXPECT_NEAR(log_determinant(r), dense, 1e-12 * (1 + std::abs(dense)));
  EXPECT_NEAR(determinant(r) / mass.determinant(), 1, 1e-11);
}

}  // namespace kinetree::sko
