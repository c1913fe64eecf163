// A humanoid of 36 degrees of freedom stands on a floor, by springs at its joints and 24 contact spheres.
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/simulation/simulation.hpp>

#include "examples/floor.hpp"
#include "examples/humanoid.hpp"

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: standing_humanoid configs/models/humanoid.yaml\n"), 2;
  const kinetree::Model model = humanoid(arguments[1]);
  Floor floor{model, contact_spheres(model)};
  kinetree::Simulation simulation(model, {}, {kinetree::Integrator::semi_implicit_euler, 1e-3});

  Eigen::VectorXd q = kinetree::neutral(model);
  q[2] = standing_height;
  kinetree::Status status = simulation.reset(q, Eigen::VectorXd::Zero(model.nv()));
  const kinetree::Forces forces = [&](double, const auto& at, const auto& rate, auto& tau, auto& f_ext) {
    (void)kinetree::add_passive_forces(model, at, rate, tau);
    floor.push(at, rate, f_ext);
  };
  double tilt = 0;
  for (int second = 0; status.ok() && second <= 5; ++second) {
    status = simulation.advance_to(second, forces);
    const Eigen::VectorXd& now = simulation.q();
    tilt = 2 * std::asin(now.segment<2>(3).norm());
    std::printf("%d s: pelvis at %7.4f %7.4f %7.4f m, tilted by %.4f rad, fastest %.1e\n", second, now[0], now[1],
                now[2], tilt, simulation.v().cwiseAbs().maxCoeff());
  }
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message(model).c_str());
  const Eigen::Vector3d moved = simulation.q().head<3>() - q.head<3>();
  return status.ok() && std::abs(moved.z()) < 0.01 && moved.norm() < 0.02 && tilt < 0.03 ? 0 : 1;
}
