// Loads a double pendulum and compares its accelerations with the formula of the textbooks.
#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <kinetree/kinetree.hpp>

namespace {

/// Absolute angles from the vertical, unit lengths: [m1 + m2, m2 c; m2 c, m2] and its centrifugal and gravity terms,
/// c = cos(angle1 - angle2). Joint coordinates: q = (angle1, angle2 - angle1).
Eigen::Vector2d textbook(const Eigen::Vector2d& q, const Eigen::Vector2d& v, const Eigen::Vector2d& tau) {
  const double m1 = 2, m2 = 3, g = 9.81;
  const double angle1 = q[0], angle2 = q[0] + q[1], rate1 = v[0], rate2 = v[0] + v[1];
  const double c = std::cos(angle1 - angle2), s = std::sin(angle1 - angle2);
  Eigen::Matrix2d M;
  M << m1 + m2, m2 * c, m2 * c, m2;
  // joint torques do work on relative angles: absolute generalized forces are (tau1 - tau2, tau2)
  const Eigen::Vector2d force(tau[0] - tau[1] - m2 * s * rate2 * rate2 - (m1 + m2) * g * std::sin(angle1),
                              tau[1] + m2 * s * rate1 * rate1 - m2 * g * std::sin(angle2));
  const Eigen::Vector2d a = M.inverse() * force;
  return {a[0], a[1] - a[0]};
}

}  // namespace

int main(int, char** argv) {
  const kinetree::Model model = kinetree::load_model(argv[1]);
  const Eigen::Vector2d q(0.4, -0.9), v(1.5, -2.5), tau(0.7, -0.3);
  const Eigen::Vector2d expected = textbook(q, v, tau);
  int faults = 0;
  for (const auto algorithm : {kinetree::Algorithm::automatic, kinetree::Algorithm::ab, kinetree::Algorithm::crb,
                               kinetree::Algorithm::cfa, kinetree::Algorithm::modular})
    for (const auto executor : {kinetree::ExecutorKind::serial, kinetree::ExecutorKind::tbb,
                                kinetree::ExecutorKind::openmp, kinetree::ExecutorKind::team}) {
      const int threads = executor == kinetree::ExecutorKind::serial ? 1 : 2;
      kinetree::ForwardDynamics dynamics(model, {.algorithm = algorithm, .executor = executor, .threads = threads});
      Eigen::Vector2d a;
      const kinetree::Status status = dynamics.solve(q, v, tau, a);
      if (!status.ok() || (a - expected).norm() > 1e-12 * expected.norm()) {
        std::printf("wrong: %g %g, expected %g %g: %s\n", a[0], a[1], expected[0], expected[1],
                    status.message(model).c_str());
        ++faults;
      }
    }
  return faults;
}
