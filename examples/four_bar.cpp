// A linkage with a loop: what is independent, how it moves, and that it stays closed and keeps its energy.
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <kinetree/workspace.hpp>

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: four_bar configs/models/four_bar.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  std::printf("%d velocities, of which these are independent:", model.nv());
  for (const std::string& joint : kinetree::independent_joints(model)) std::printf(" %s", joint.c_str());

  kinetree::Workspace workspace(model);
  const auto freedoms = static_cast<Eigen::Index>(kinetree::independent_joints(model).size());
  Eigen::MatrixXd mass(freedoms, freedoms);
  Eigen::VectorXd q = kinetree::neutral(model);  // closed
  if (const kinetree::Status status = kinetree::mass_matrix(model, workspace, q, mass); !status.ok())
    return std::fprintf(stderr, "%s\n", status.message(model).c_str()), 1;
  std::printf("\ntheir mass matrix begins with %.6g kg m²\n", mass(0, 0));

  kinetree::Simulation simulation(model);  // adaptive steps, forces zero but for gravity
  kinetree::Status status = simulation.reset(q, Eigen::VectorXd::Zero(model.nv()));
  const double energy = simulation.energy().kinetic + simulation.energy().potential;
  double drift = 0, opened = 0;
  for (int k = 1; status.ok() && k <= 20; ++k) {
    status = simulation.advance_to(0.1 * k);
    const kinetree::Energy now = simulation.energy();
    drift = std::fmax(drift, std::abs(now.kinetic + now.potential - energy));
    opened = std::fmax(opened, simulation.closure_error());
    if (k % 5 == 0)
      std::printf("%.1f s: first joint at %8.4f rad, kinetic energy %.4f J\n", simulation.time(), simulation.q()[0],
                  now.kinetic);
  }
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message(model).c_str());
  std::printf("energy off by at most %.1e J, the loop by %.1e m\n", drift, opened);
  return status.ok() && drift < 1e-6 && opened < 1e-9 ? 0 : 1;
}
