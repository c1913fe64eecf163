// Built for this very processor (-march=native), where Eigen aligns and frees its memory otherwise than in the library,
// which is built for any: memory that one makes the other must not free, nor take to be aligned as its own.
#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <kinetree/simulation/computed_torque.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <utility>
#include <vector>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

int faults = 0;

void expect(const char* what, double error, double allowed) {
  std::printf("%s: %.1e\n", what, error);
  if (!(error <= allowed)) ++faults;
}

/// Accelerations of many states against those of one, for sizes that leave every remainder in a register.
void solve_batches() {
  for (int bodies = 1; bodies <= 17; ++bodies) {
    const kinetree::Model model = kinetree::make_model("chain:" + std::to_string(bodies));
    kinetree::ForwardDynamics dynamics(model);
    kinetree::Workspace workspace(model);
    const MatrixXd q = MatrixXd::Random(bodies, bodies), v = MatrixXd::Random(bodies, bodies);
    MatrixXd many(bodies, bodies), M(bodies, bodies);
    VectorXd h(bodies);
    if (!dynamics.solve(q, v, 2 * v, many).ok()) ++faults;
    for (int c = 0; c < bodies; ++c) {
      if (!kinetree::mass_matrix(model, workspace, q.col(c), M).ok() ||
          !kinetree::bias_forces(model, workspace, q.col(c), v.col(c), h).ok())
        ++faults;
      const VectorXd expected = M.fullPivLu().solve(2 * v.col(c) - h);
      if (!((many.col(c) - expected).norm() <= 1e-9 * expected.norm())) ++faults;
    }
  }
}

/// The caller's function may do what it likes with its vectors; views of the state go into vector expressions.
void simulate() {
  const kinetree::Model model = kinetree::make_model("chain:7");
  const VectorXd pose = VectorXd::LinSpaced(model.nq(), -0.5, 0.5), rest = VectorXd::Zero(model.nv());
  kinetree::ComputedTorque hold(model, pose, 5);
  const kinetree::Control control = hold.control();
  kinetree::Simulation simulation(model);
  if (!simulation.reset(pose + 0.1 * VectorXd::Ones(7), rest).ok()) ++faults;
  std::vector<VectorXd> kept;
  const auto given = [&](double t, const VectorXd& q, const VectorXd& v, VectorXd& tau) {
    VectorXd own(tau.size());
    control(t, q, v, own);
    kept.push_back(std::exchange(tau, std::move(own)));
  };
  if (!simulation.advance_to(2, given).ok()) ++faults;
  const VectorXd off = simulation.q() - hold.pose() + 0 * simulation.v();
  // critically damped at 5 rad/s: (1 + 5 t) exp(-5 t) of what it was
  expect("pose held", (off - 0.1 * 11 * std::exp(-10.0) * VectorXd::Ones(7)).norm(), 1e-8);
}

}  // namespace

int main(int, char** argv) {
  std::printf("Eigen aligns to %d bytes here\n", EIGEN_MAX_ALIGN_BYTES);
  expect("bodies read", kinetree::load_model(argv[1]).body_count() - 2, 0);
  solve_batches();
  simulate();
  if (faults) std::printf("%d faults\n", faults);
  return faults;
}
