// A controller in operational space (Khatib 1987): the hand of an arm follows a circle, the rest of the arm is damped.
#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: operational_space configs/models/arm7.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  const std::vector<kinetree::LinkPoint> hand{{kinetree::frame_index(model, "link_7"), {0, 0, 0.107}}};
  kinetree::Workspace workspace(model);
  const int n = model.nv();
  Eigen::MatrixXd J(6, n), M(n, n);
  Eigen::VectorXd pose(12), velocity(6), rate(6), h(n);

  Eigen::VectorXd q(n);
  q << 0, -0.3, 0, -2.0, 0, 1.7, 0.8;
  (void)kinetree::poses(model, workspace, q, hand, pose);
  const Eigen::Vector3d start = pose.tail<3>();
  const double radius = 0.1, turn = M_PI;  // m, rad/s: once round in 2 s
  const auto wanted = [&](double t) -> Eigen::Vector3d {
    return start + radius * Eigen::Vector3d(0, std::sin(turn * t), 1 - std::cos(turn * t));
  };

  double worst = 0;  // m
  const kinetree::Control control = [&](double t, const auto& at, const auto& v, auto& tau) {
    using enum kinetree::Axes;
    (void)kinetree::point_kinematics(model, workspace, at, v, hand, world_aligned, pose, velocity);
    (void)kinetree::jacobians(model, workspace, at, hand, world_aligned, J);
    (void)kinetree::jacobian_rates(model, workspace, at, v, hand, world_aligned, rate);
    (void)kinetree::mass_matrix(model, workspace, at, M);
    (void)kinetree::bias_forces(model, workspace, at, v, h);
    const Eigen::Vector3d speed = radius * turn * Eigen::Vector3d(0, std::cos(turn * t), std::sin(turn * t));
    const Eigen::Vector3d away = wanted(t) - pose.tail<3>();
    Eigen::Vector3d a = radius * turn * turn * Eigen::Vector3d(0, -std::sin(turn * t), std::cos(turn * t));
    a += 400 * away + 40 * (speed - velocity.tail<3>());
    const Eigen::MatrixXd position = J.bottomRows<3>();
    const Eigen::LLT<Eigen::MatrixXd> mass(M);
    const Eigen::MatrixXd by_force = mass.solve(position.transpose());  // M⁻¹ Jᵀ
    const Eigen::Matrix3d compliance = position * by_force;             // its inverse: operational space inertia
    // what the joints do beside the hand: damped, in the null space of J
    const Eigen::VectorXd damped = -5 * v;
    const Eigen::VectorXd joints = damped + by_force * compliance.llt().solve(a - rate.tail<3>() - position * damped);
    tau = M * joints + h;
    worst = std::fmax(worst, away.norm());
  };
  kinetree::Simulation simulation(model, {}, {.integrator = kinetree::Integrator::rk4, .step = 1e-3});
  kinetree::Status status = simulation.reset(q, Eigen::VectorXd::Zero(n));
  for (int k = 1; status.ok() && k <= 8; ++k) {
    status = simulation.advance_to(0.5 * k, control);
    std::printf("%.1f s: hand %.2e m off its circle\n", simulation.time(),
                (wanted(simulation.time()) - pose.tail<3>()).norm());
  }
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message(model).c_str());
  std::printf("at most %.2e m\n", worst);
  return status.ok() && worst < 0.02 ? 0 : 1;
}
