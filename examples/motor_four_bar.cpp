// A four-bar driven by a motor at constant speed: what torque the motor needs and what forces the pins carry, once around,
// held against the textbook's solution in the plane.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <numbers>
#include <vector>

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr double crank = 0.15, coupler = 0.4, rocker = 0.3, ground = 0.4, per_length = 2, gravity = 9.81;  // m, kg/m

/// In the plane of x and z: the direction of a bar whose joint about y has turned by an angle, and that across it.
Vector2d along(double angle) { return {std::cos(angle), -std::sin(angle)}; }
Vector2d across(double angle) { return {-std::sin(angle), -std::cos(angle)}; }
/// About y, of a force at an arm.
double moment(const Vector2d& arm, const Vector2d& force) { return arm[1] * force[0] - arm[0] * force[1]; }

struct Pins {
  double torque;
  Vector2d crank_pivot, rocker_end;  ///< on the crank, on the rocker
};

/// Angles, rates and accelerations of the three bars to forces: Newton and Euler for each bar.
Pins textbook(double turned, double speed, double rocker_near) {
  const Vector2d P = crank * along(turned), O(ground, 0);
  // the rocker's end is where two circles meet, on the side where the mechanism stands
  const Vector2d way = O - P;
  const double distance = way.norm(), x = (distance * distance + coupler * coupler - rocker * rocker) / (2 * distance);
  const double height = std::sqrt(coupler * coupler - x * x);
  double c = 0, r = 0;
  for (const double side : {1.0, -1.0}) {
    const Vector2d end = P + x / distance * way + side * height / distance * Vector2d(-way[1], way[0]);
    const Vector2d bar = end - O;
    const double angle = std::atan2(-bar[1], bar[0]);
    if (std::abs(std::remainder(angle - rocker_near, 2 * std::numbers::pi)) > 1e-3) continue;
    r = angle, c = std::atan2(-(end - P)[1], (end - P)[0]);
  }
  Eigen::Matrix2d A;
  A << coupler * across(c), -rocker * across(r);
  const Vector2d rate = A.inverse() * (-crank * speed * across(turned));
  const double w = rate[0], u = rate[1];
  const Vector2d bend = -crank * speed * speed * along(turned) - coupler * w * w * along(c) + rocker * u * u * along(r);
  const Vector2d bent = A.inverse() * -bend;
  const Vector2d at_P = -crank * speed * speed * along(turned);
  const Vector2d a_crank = at_P / 2;
  const Vector2d a_coupler = at_P + coupler / 2 * (bent[0] * across(c) - w * w * along(c));
  const Vector2d a_rocker = rocker / 2 * (bent[1] * across(r) - u * u * along(r));
  // unknown: forces on the crank at its pivot, on the coupler at the crank's end, on the rocker at its end and at its
  // pivot; the torque
  Eigen::Matrix<double, 9, 9> B = Eigen::Matrix<double, 9, 9>::Zero();
  Eigen::Matrix<double, 9, 1> b;
  const auto bar = [&](int row, double length, double angle, const Vector2d& a, double turning, int at_start, double sign,
                       int at_end, double sign_at_end) {
    const double mass = per_length * length;
    const Vector2d arm = length / 2 * along(angle);
    for (int k = 0; k < 2; ++k) {
      B(row + k, at_start + k) += sign, B(row + k, at_end + k) += sign_at_end;
      B(row + 2, at_start + k) += sign * moment(-arm, Vector2d::Unit(k));
      B(row + 2, at_end + k) += sign_at_end * moment(arm, Vector2d::Unit(k));
    }
    b.segment<2>(row) = mass * (a + Vector2d(0, gravity));
    b[row + 2] = mass * length * length / 12 * turning;
  };
  bar(0, crank, turned, a_crank, 0, 0, 1, 2, -1);
  bar(3, coupler, c, a_coupler, bent[0], 2, 1, 4, -1);
  bar(6, rocker, r, a_rocker, bent[1], 6, 1, 4, 1);
  B(2, 8) = 1;
  const Eigen::Matrix<double, 9, 1> found = B.fullPivLu().solve(b);
  return {found[8], found.segment<2>(0), found.segment<2>(4)};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: motor_four_bar configs/models/four_bar.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  kinetree::Workspace workspace(model);
  const std::vector<int> motor = kinetree::velocities_of(model, {"crank_pivot"});  // held, and independent
  const int on_crank = 6 * model.body_of_joint("crank_pivot");
  constexpr double speed = 12;  // rad/s

  VectorXd q = kinetree::neutral(model), v(model.nv()), a(model.nv()), torque(1);
  VectorXd loop(12 * 1), joints(6 * model.body_count());
  double off = 0, most = 0;
  std::printf("  crank   torque     crank pivot           rocker end\n    rad       Nm        x        z  N     x        z  N\n");
  for (int k = 0; k < 24; ++k) {
    const double turned = 2 * std::numbers::pi * k / 24;
    q[model.q_index("crank_pivot")] = turned;
    v.setZero(), v[motor[0]] = speed;
    kinetree::Status status = kinetree::close(model, workspace, q, v, motor);
    // no acceleration of the crank: those of the others, and the torque that makes them
    if (status.ok())
      status = kinetree::spanning_accelerations(model, workspace, q, v, VectorXd::Zero(1), a, motor);
    if (status.ok()) status = kinetree::independent_inverse_dynamics(model, workspace, q, v, a, torque, motor);
    VectorXd tau = VectorXd::Zero(model.nv());
    tau[motor[0]] = torque[0];
    const kinetree::Axes axes = kinetree::Axes::world_aligned;
    if (status.ok()) status = kinetree::loop_forces(model, workspace, q, v, a, tau, axes, loop);
    if (status.ok()) status = kinetree::joint_reactions(model, workspace, q, v, a, tau, axes, joints);
    if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message(model).c_str()), 1;
    const Vector2d pivot(joints[on_crank + 3], joints[on_crank + 5]), end(loop[9], loop[11]);  // on the rocker
    const Pins same = textbook(turned, speed, q[model.q_index("rocker_pivot")]);
    off = std::max({off, std::abs(torque[0] - same.torque), (pivot - same.crank_pivot).norm(),
                    (end - same.rocker_end).norm()});
    most = std::max({most, pivot.norm(), end.norm()});
    if (k % 4 == 0)
      std::printf("%7.3f %8.4f %8.3f %8.3f   %8.3f %8.3f\n", turned, torque[0], pivot[0], pivot[1], end[0], end[1]);
  }
  std::printf("forces up to %.3g N; the textbook's are the same to %.1e\n", most, off);
  return off < 1e-9 * most ? 0 : 1;
}
