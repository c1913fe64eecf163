// The operator layer from the installed package: the example of docs/using.md, and whether what it says is so.
#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <kinetree/model.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/operational_space.hpp>
#include <kinetree/sko/rigid_body.hpp>

namespace {

int faults = 0;

void expect(const char* what, double error) {
  std::printf("%s: %.1e\n", what, error);
  if (!(error <= 1e-12)) ++faults;
}

}  // namespace

int main() {
  namespace sko = kinetree::sko;
  const kinetree::Model robot = kinetree::make_model("star:2x6", {.floating_base = true});
  Eigen::VectorXd q = Eigen::VectorXd::Constant(robot.nq(), 0.4), v = Eigen::VectorXd::Zero(robot.nv()),
                  tau = Eigen::VectorXd::LinSpaced(robot.nv(), -1, 1);
  q.head(7) << 0, 0, 1, 0, 0, 0, 1;

  const sko::RigidBody<double> body = sko::rigid_body(robot, q.data(), v.data());
  const sko::SkoModel<double>& model = body.model;             // H, A, M and the tree
  const sko::Riccati<double> r = sko::riccati(model);          // articulated inertias, psi, K: Lemmas 7, 8
  const auto T = sko::joint_rows(body, robot, tau.data());     // tips first, as the papers have it
  const auto x = sko::inverse_mass_matrix_times(model, r, T);  // M⁻¹ tau at O(N): Eq. 51
  const double log_det = sko::log_determinant(r);              // Eq. 53
  const auto Omega = sko::compliance_diagonal(model, r);       // Eq. 60
  const int left = sko::node_of_body(robot, 6), right = sko::node_of_body(robot, 12);
  const auto Lambda = sko::operational_space_inertia(r, Omega, {left, right});  // of both feet together

  const Eigen::MatrixXd mass = sko::mass_matrix(model).matrix;
  expect("mass matrix times its inverse times tau", (sko::mass_matrix_times(model, x) - T).value.norm());
  expect("logarithm of the determinant", std::abs(log_det / std::log(mass.determinant()) - 1));
  const Eigen::MatrixXd J = sko::partial_velocities(model).matrix;
  Eigen::MatrixXd feet(12, J.cols());
  feet << J.middleRows(model.space->offset(sko::Kind::node, left), 6),
      J.middleRows(model.space->offset(sko::Kind::node, right), 6);
  const Eigen::MatrixXd expected = (feet * mass.inverse() * feet.transpose()).inverse();
  expect("operational space inertia of two feet", (Lambda - expected).norm() / expected.norm());

  // a model of one's own: a cart, and a mast on it whose velocity is the cart's and the rate of one bending mode
  using Matrix = Eigen::MatrixXd;
  const auto cart =
      sko::assemble<double>("cart", {{.name = "cart", .parent = "", .M = Matrix{{2}}, .A = {}, .H = Matrix{{1}}},
                                     {.name = "mast",
                                      .parent = "cart",
                                      .M = Matrix{{1, 0.5}, {0.5, 0.4}},
                                      .A = Matrix{{1, 0}},
                                      .H = Matrix{{0, 1}}}});
  expect("determinant of cart and mast", std::abs(sko::determinant(sko::riccati(cart)) - (0.4 * 3 - 0.5 * 0.5)));
  return faults;
}
