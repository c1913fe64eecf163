#include "bench/peers/mujoco_model.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace kinetree::peers {
namespace {

using Eigen::Vector3d;

/// tinyxml2 stops at elements nested 100 deep, so a longer chain is written as URDF, which is flat.
constexpr int deepest_mjcf = 90;

std::string words(const Vector3d& x) { return fmt::format("{:.17g} {:.17g} {:.17g}", x[0], x[1], x[2]); }

std::string quaternion(const Eigen::Matrix3d& R) {
  const Eigen::Quaternion<double, Eigen::DontAlign> q(R);
  return fmt::format("{:.17g} {}", q.w(), words(q.vec()));
}

std::string rpy(const Eigen::Matrix3d& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2)));
  return words({std::atan2(R(2, 1), R(2, 2)), pitch, yaw});
}

/// A body with all that it carries. `children`: over bodies and, first, the ground.
void add_body(const Mechanism& mechanism, const std::vector<std::vector<std::size_t>>& children, std::size_t b,
              std::string& out) {
  const Body& body = mechanism.bodies[b];
  const Principal inertia = principal(body);
  out += fmt::format("<body pos='{}' quat='{}'>", words(body.origin.p), quaternion(body.origin.R));
  out += body.joint == JointKind::floating
             ? "<freejoint/>"
             : fmt::format("<joint type='{}' axis='{}'/>", body.joint == JointKind::revolute ? "hinge" : "slide",
                           words(body.axis));
  out += fmt::format("<inertial pos='{}' quat='{}' mass='{:.17g}' diaginertia='{}'/>\n", words(body.com),
                     quaternion(inertia.axes), body.mass, words(inertia.moments));
  for (const std::size_t child : children[b + 1]) add_body(mechanism, children, child, out);
  out += "</body>\n";
}

std::string mjcf(const Mechanism& mechanism) {
  std::vector<std::vector<std::size_t>> children(mechanism.bodies.size() + 1);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    children[static_cast<std::size_t>(mechanism.bodies[b].parent + 1)].push_back(b);
  std::string out = fmt::format(
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option gravity='{}'><flag constraint='disable'/>"
      "</option><worldbody>\n",
      words(mechanism.gravity));
  for (const std::size_t root : children[0]) add_body(mechanism, children, root, out);
  return out + "</worldbody></mujoco>\n";
}

std::string urdf(const Mechanism& mechanism) {
  if (mechanism.floating()) throw std::runtime_error("its readers take no floating tree this deep");
  std::string out =
      "<robot name='mechanism'><mujoco><compiler inertiafromgeom='false' fusestatic='false'/></mujoco>"
      "<link name='body-1'/>\n";
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const Principal inertia = principal(body);
    const Vector3d& I = inertia.moments;
    out += fmt::format(
        "<link name='body{}'><inertial><origin xyz='{}' rpy='{}'/><mass value='{:.17g}'/><inertia ixx='{:.17g}' "
        "iyy='{:.17g}' izz='{:.17g}' ixy='0' ixz='0' iyz='0'/></inertial></link>\n",
        b, words(body.com), rpy(inertia.axes), body.mass, I[0], I[1], I[2]);
    out += fmt::format(
        "<joint name='joint{0}' type='{1}'><parent link='body{2}'/><child link='body{0}'/><origin xyz='{3}' "
        "rpy='{4}'/><axis xyz='{5}'/></joint>\n",
        b, body.joint == JointKind::revolute ? "continuous" : "prismatic", body.parent, words(body.origin.p),
        rpy(body.origin.R), words(body.axis));
  }
  return out + "</robot>\n";
}

int height(const Mechanism& mechanism) {
  std::vector<int> depth;
  int most = 0;
  for (const Body& body : mechanism.bodies) {
    depth.push_back(body.parent < 0 ? 1 : depth[static_cast<std::size_t>(body.parent)] + 1);
    most = std::max(most, depth.back());
  }
  return most;
}

/// By way of a file: simpler than the virtual folder that MuJoCo reads from memory.
mjModel* load(const std::string& text) {
  char path[] = "/tmp/kinetree_peers_XXXXXX.xml";
  const int file = mkstemps(path, 4);
  if (file < 0) throw std::runtime_error("no temporary file");
  close(file);
  std::ofstream(path) << text;
  char message[500] = "";
  mjModel* model = mj_loadXML(path, nullptr, message, sizeof message);
  std::remove(path);
  if (!model) throw std::runtime_error(message);
  return model;
}

}  // namespace

mjModel* mujoco_model(const Mechanism& mechanism) {
  mjModel* model = load(height(mechanism) > deepest_mjcf ? urdf(mechanism) : mjcf(mechanism));
  for (int k = 0; k < 3; ++k) model->opt.gravity[k] = mechanism.gravity[k];  // URDF has none
  return model;
}

}  // namespace kinetree::peers
