// Contacts at the level of velocities: a quadruped falls on a floor and stands. Each time step asks for impulses p at
// the feet with 0 <= p_n, 0 <= gap / h + (J v)_n, one of them zero, and friction within Coulomb's cone (Stewart &
// Trinkle 1996), where J v = J v_free + (J M⁻¹ Jᵀ) p: the Delassus operator, once a step for all columns together. The
// impulses are found by projected Gauss-Seidel sweeps (Moreau & Jean).
#include <algorithm>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/derivative_products.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: contact_impulses configs/models/quadruped.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1], {.floating_base = true});
  kinetree::Workspace workspace(model);
  std::vector<kinetree::LinkPoint> feet;
  for (const char* leg : {"front_left", "front_right", "hind_left", "hind_right"})
    feet.push_back({kinetree::frame_index(model, std::string(leg) + "_shank"), {0, 0, -0.19}});
  const int n = model.nv(), contacts = static_cast<int>(feet.size()), rows = 3 * contacts;
  const double step = 1e-3, friction = 0.7;  // s, 1

  Eigen::VectorXd q = kinetree::neutral(model), v = Eigen::VectorXd::Zero(n), stand = Eigen::VectorXd::Zero(n);
  for (int leg = 0; leg < 4; ++leg) stand.segment<3>(6 + 3 * leg) << 0, -0.7, 1.4;  // rad
  q.tail(n - 6) = stand.tail(n - 6);
  q[2] = 0.45;  // m, of the trunk: it falls 15 cm

  Eigen::MatrixXd J(6 * contacts, n), along(rows, n), W(rows, rows);
  Eigen::VectorXd h(n), tau(n), a(n), poses(12 * contacts), impulse = Eigen::VectorXd::Zero(rows), b(rows);
  const Eigen::MatrixXd each = Eigen::MatrixXd::Identity(rows, rows);
  kinetree::Status status;
  const auto good = [&](const kinetree::Status& now) { return (status = now).ok(); };
  double lowest = 0, force = 0;  // m, N
  for (int k = 0; k < 3000 && status.ok(); ++k) {
    using enum kinetree::Axes;
    if (!good(kinetree::poses(model, workspace, q, feet, poses)) ||
        !good(kinetree::jacobians(model, workspace, q, feet, world_aligned, J)) ||
        !good(kinetree::bias_forces(model, workspace, q, v, h)) ||
        !good(kinetree::delassus_product(model, workspace, q, feet, world_aligned, kinetree::PointRows::linear, 0.0,
                                         each, W)))
      break;
    for (int f = 0; f < contacts; ++f) along.middleRows<3>(3 * f) = J.middleRows<3>(6 * f + 3);
    tau.setZero();
    for (int j = 6; j < n; ++j) tau[j] = 60 * (stand[j] - q[j + 1]) - 0.5 * v[j];  // Nm, by the motors
    if (!good(kinetree::inverse_mass_product(model, workspace, q, tau - h, a))) break;
    v += step * a;
    b = along * v;
    for (int f = 0; f < contacts; ++f) b[3 * f + 2] += poses[12 * f + 11] / step;
    for (int sweep = 0; sweep < 60; ++sweep)
      for (int f = 0; f < rows; f += 3) {
        const auto wanted = [&](int r) {
          return impulse[r] - (W.row(r) * impulse + b.segment<1>(r)).value() / W(r, r);
        };
        impulse[f + 2] = std::max(0.0, wanted(f + 2));
        const double most = friction * impulse[f + 2];
        Eigen::Vector2d slip(wanted(f), wanted(f + 1));
        impulse.segment<2>(f) = slip.norm() > most ? Eigen::Vector2d(most / slip.norm() * slip) : slip;
      }
    if (!good(kinetree::inverse_mass_product(model, workspace, q, along.transpose() * impulse, a))) break;
    v += a;
    if (!good(kinetree::integrate(model, q, step * v, q))) break;
    lowest = std::min({poses[11], poses[23], poses[35], poses[47]}), force = 0;
    for (int f = 0; f < rows; f += 3) force += impulse[f + 2] / step;
    if (k % 300 == 299)
      std::printf("%.1f s: trunk at %.3f m, lowest foot %+.1e m off the floor, feet bear %.1f N\n", (k + 1) * step,
                  q[2], lowest, force);
  }
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message(model).c_str()), 1;
  if (!good(kinetree::gravity_forces(model, workspace, q, h))) return 1;
  const double weight = h.head<3>().norm();  // of the base, in its axes
  std::printf("it weighs %.1f N; the trunk moves at %.3f m/s\n", weight, v.head<3>().norm());
  return std::abs(lowest) < 1e-3 && std::abs(force - weight) < 0.02 * weight && v.head<3>().norm() < 0.1 ? 0 : 1;
}
