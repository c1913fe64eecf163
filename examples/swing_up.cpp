// Iterative LQR (Li & Todorov 2004) swings a double pendulum up: motors too weak to lift it pump it, by derivatives of
// the forward dynamics.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/derivatives.hpp>
#include <kinetree/kinetree.hpp>
#include <vector>

using Eigen::Matrix2d, Eigen::Matrix4d, Eigen::Vector2d, Eigen::Vector4d;
using States = std::vector<Vector4d>;   // q, v; both joints at zero: hanging
using Torques = std::vector<Vector2d>;  // Nm
constexpr double h = 0.01, effort = 0.02, at_end = 200;
constexpr std::size_t steps = 400;

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: swing_up configs/models/double_pendulum.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  kinetree::ForwardDynamics dynamics(model);
  kinetree::Workspace workspace(model);
  const Vector4d up(M_PI, 0, 0, 0);

  // one step of semi-implicit Euler
  const auto next = [&](const Vector4d& x, const Vector2d& tau) {
    Vector2d a;
    if (!dynamics.solve(x.head<2>(), x.tail<2>(), tau, a)) std::abort();
    const Vector2d v = x.tail<2>() + h * a;
    return (Vector4d() << x.head<2>() + h * v, v).finished();
  };
  const auto cost = [&](const States& x, const Torques& u) {
    double sum = at_end / 2 * (x.back() - up).squaredNorm();
    for (const Vector2d& tau : u) sum += h * effort / 2 * tau.squaredNorm();
    return sum;
  };
  Torques u(steps, Vector2d(0.1, 0.1)), k(steps);
  States x(steps + 1, Vector4d::Zero());
  std::vector<Eigen::Matrix<double, 2, 4>> K(steps);
  for (std::size_t t = 0; t < steps; ++t) x[t + 1] = next(x[t], u[t]);

  double regular = 1, best = cost(x, u);
  int round = 0;
  for (; round < 500 && regular < 1e10; ++round) {
    // backwards: the value of a state is quadratic, Vx and Vxx, and so is what a torque adds to it
    Vector4d Vx = at_end * (x.back() - up);
    Matrix4d Vxx = at_end * Matrix4d::Identity();
    for (std::size_t t = steps; t-- > 0;) {
      Matrix2d by_q, by_v, by_tau;
      if (!forward_dynamics_derivatives(model, workspace, x[t].head<2>(), x[t].tail<2>(), u[t], by_q, by_v, by_tau))
        return 1;
      Matrix4d A = Matrix4d::Identity();
      Eigen::Matrix<double, 4, 2> B;
      A.bottomRows<2>() += h * (Eigen::Matrix<double, 2, 4>() << by_q, by_v).finished();
      A.topRows<2>() += h * A.bottomRows<2>();
      B << h * h * by_tau, h * by_tau;
      const Matrix2d Quu = h * effort * Matrix2d::Identity() + B.transpose() * Vxx * B;
      const Vector2d Qu = h * effort * u[t] + B.transpose() * Vx;
      const Eigen::Matrix<double, 2, 4> Qux = B.transpose() * Vxx * A;
      const Eigen::LLT<Matrix2d> solved(Quu + regular * h * effort * Matrix2d::Identity());
      k[t] = -solved.solve(Qu), K[t] = -solved.solve(Qux);
      Vx = A.transpose() * Vx + K[t].transpose() * (Quu * k[t] + Qu) + Qux.transpose() * k[t];
      Vxx = A.transpose() * Vxx * A + K[t].transpose() * (Quu * K[t] + Qux) + Qux.transpose() * K[t];
      Vxx = (0.5 * (Vxx + Vxx.transpose())).eval();
    }
    // forwards, shorter and shorter steps
    bool better = false;
    for (double length = 1; !better && length > 1e-3; length /= 2) {
      States y = x;
      Torques w = u;
      for (std::size_t t = 0; t < steps; ++t) w[t] += length * k[t] + K[t] * (y[t] - x[t]), y[t + 1] = next(y[t], w[t]);
      const double now = cost(y, w);
      better = now < best;  // NaN is not
      if (better && best - now < 1e-9 * best) regular = 1e10;
      if (better) x = y, u = w, best = now;
    }
    regular = better ? std::max(regular / 3, 1e-6) : std::max(regular, 1e-6) * 5;
  }
  double most = 0;
  for (const Vector2d& tau : u) most = std::max(most, tau.cwiseAbs().maxCoeff());
  const double away = (x.back() - up).norm();
  std::printf("%d rounds: %.2e from upright at rest, at most %.2f Nm\n", round, away, most);
  return away < 0.05 ? 0 : 1;
}
