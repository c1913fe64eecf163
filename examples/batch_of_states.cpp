// Accelerations of many states of one model: a state a column, in lanes and on threads. Some of the states are broken;
// each column has its own outcome.
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/load_model.hpp>
#include <limits>

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: batch_of_states MODEL, as configs/models/quadruped.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1], {.floating_base = true});
  kinetree::ForwardDynamics dynamics(model, {.threads = 0});  // as many as there are cores

  constexpr int states = 1024;
  Eigen::MatrixXd q(model.nq(), states), v(model.nv(), states), a(model.nv(), states);
  const Eigen::MatrixXd tau = Eigen::MatrixXd::Zero(model.nv(), states);
  if (const kinetree::Status made = kinetree::random_state(model, 1, q, v); !made.ok())
    return std::fprintf(stderr, "%s\n", made.message(model).c_str()), 1;
  v(0, 17) = std::numeric_limits<double>::quiet_NaN();
  q.block<4, 1>(3, 99).setZero();  // the quaternion of the floating base

  const kinetree::Status first = dynamics.solve(q, v, tau, a);
  std::printf("solve says: %s\n", first.message(model).c_str());
  int good = 0;
  for (int k = 0; k < states; ++k) {
    const kinetree::Status& status = dynamics.statuses()[static_cast<std::size_t>(k)];
    good += status.ok();
    if (!status.ok()) std::printf("%s\n", status.message(model).c_str());
  }
  std::printf("%d of %d states have accelerations\n", good, states);

  // a column has the accelerations of its state alone, but for rounding
  Eigen::VectorXd alone(model.nv());
  const kinetree::Status status = dynamics.solve(q.col(5), v.col(5), tau.col(5), alone);
  const double off = (alone - a.col(5)).norm() / alone.norm();
  std::printf("column 5, solved alone: other by %.1e of its length\n", off);
  return status.ok() && good == states - 2 && off < 1e-12 ? 0 : 1;
}
