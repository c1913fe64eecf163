// What a force sensor in an arm's wrist reads while the arm moves with a load: the wrench that the last joint transmits,
// in the axes of its link, and the load's weight and inertia found again in it.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>

using Eigen::Vector3d;
using Eigen::VectorXd;

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: wrist_force_sensor configs/models/arm6.yaml\n"), 2;
  const kinetree::Model model = kinetree::load_model(arguments[1]);
  kinetree::Workspace workspace(model);
  kinetree::ForwardDynamics dynamics(model);
  const int body = model.body_of_joint("joint_6");
  const std::vector<kinetree::LinkPoint> sensor{kinetree::frame_index(model, "wrist_3")};
  // a load of 2 kg hangs on the flange: a force on the link, 0.2 m from the sensor along the link's z
  const Vector3d held_at(0, 0, 0.2);
  const double load = 2;

  VectorXd tau(model.nv()), a(model.nv()), reaction(6 * model.body_count()), f_ext(6 * model.body_count());
  VectorXd pose(12);
  double off = 0;
  const VectorXd q = kinetree::random_configuration(model, 7), v = VectorXd::Constant(model.nv(), 0.4);
  kinetree::Status status = kinetree::poses(model, workspace, q, sensor, pose);
  const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix3d>(pose.data());  // from the link to the world
  for (const bool loaded : {false, true}) {
    f_ext.setZero();
    const Vector3d weight(0, 0, -9.81 * load);
    if (loaded) f_ext.segment<3>(6 * body) = (R * held_at).cross(weight), f_ext.segment<3>(6 * body + 3) = weight;
    if (status.ok()) status = kinetree::gravity_forces(model, workspace, q, tau);  // the arm holds itself, not the load
    if (status.ok()) status = dynamics.solve(q, v, tau, f_ext, a);
    if (status.ok())
      status = kinetree::joint_reactions(model, workspace, q, v, a, tau, f_ext, kinetree::Axes::link, reaction);
    if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message(model).c_str()), 1;
    const VectorXd read = reaction.segment<6>(6 * body);
    std::printf("%s moment %7.3f %7.3f %7.3f Nm, force %8.3f %8.3f %8.3f N\n", loaded ? "with load   " : "without load",
                read[0], read[1], read[2], read[3], read[4], read[5]);
    // the sensor's own axis carries what the motor gives
    off = std::max(off, std::abs(read[2] - tau[model.v_index("joint_6")]));
    // and the rest is the hand's inertia, its weight and the load: Newton's law for the hand at its centre of mass
    const double mass = 0.846;
    const Vector3d com(0, -0.0003, 0.1225);
    VectorXd rates(6), velocity(6);
    const std::vector<kinetree::LinkPoint> centre{{sensor[0].link, {com[0], com[1], com[2]}}};
    if (status = kinetree::point_kinematics(model, workspace, q, v, a, centre, kinetree::Axes::world_aligned, pose,
                                            velocity, rates);
        !status.ok())
      return 1;
    Vector3d force = mass * (rates.tail<3>() - Vector3d(0, 0, -9.81));
    if (loaded) force -= weight;
    off = std::max(off, (R.transpose() * force - read.tail<3>()).norm());
  }
  std::printf("off by %.1e from Newton's law for the hand\n", off);
  return off < 1e-9 ? 0 : 1;
}
