// A plugin that uses every component of kinetree: a reader, the solver, the operator layer and the simulation.
#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/rigid_body.hpp>

/// Accelerations at rest under joint forces alone, by the solver and by the operator layer; then a second of motion.
/// 0 where they agree and energy is kept.
extern "C" __attribute__((visibility("default"))) int run_plugin(const char* file) {
  namespace sko = kinetree::sko;
  try {
    (void)kinetree::make_model("nothing:3");
    return 6;
  } catch (const kinetree::InputError&) {  // thrown by the library, caught here
  }
  const kinetree::Model model = kinetree::load_model(file);
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq()), v = Eigen::VectorXd::Zero(model.nv()),
                        tau = Eigen::VectorXd::LinSpaced(model.nv(), 1, 2);
  kinetree::ForwardDynamics dynamics(model, {.threads = 2});
  Eigen::VectorXd a(model.nv());
  if (!dynamics.solve(q, v, tau, a).ok()) return 1;

  // hanging straight down: gravity asks for no joint force
  const sko::RigidBody<double> body = sko::rigid_body(model, q.data(), v.data());
  const auto T = sko::joint_rows(body, model, tau.data());
  const auto expected = sko::inverse_mass_matrix_times(body.model, sko::riccati(body.model), T);
  const auto rows = sko::joint_rows(body, model, a.data());
  if (!((rows - expected).value.norm() <= 1e-12 * expected.value.norm())) return 2;

  kinetree::Simulation simulation(model);
  if (!simulation.reset(Eigen::VectorXd::Constant(model.nq(), 0.5), v).ok()) return 3;
  const double before = simulation.energy().total();
  if (!simulation.advance_to(1).ok()) return 4;
  return std::abs(simulation.energy().total() - before) <= 1e-7 * std::abs(before) ? 0 : 5;
}
