#include "bench/peers/mujoco_model.hpp"

#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace kinetree::peers {
namespace {

using Eigen::Vector3d;

/// tinyxml2 stops at elements nested 100 deep, so a longer chain is written as URDF, which is flat.
constexpr int deepest_mjcf = 90;

std::string words(const Vector3d& x) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << x[0] << ' ' << x[1] << ' ' << x[2];
  return out.str();
}

std::string quaternion(const Eigen::Matrix3d& R) {
  const Eigen::Quaternion<double, Eigen::DontAlign> q(R);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z();
  return out.str();
}

std::string rpy(const Eigen::Matrix3d& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2)));
  return words({std::atan2(R(2, 1), R(2, 2)), pitch, yaw});
}

std::string mjcf(const Mechanism& mechanism) {
  std::vector<std::vector<std::size_t>> children(mechanism.bodies.size() + 1);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const int place = mechanism.bodies[b].parent + 1;  // the ground's is the first
    children[static_cast<std::size_t>(place)].push_back(b);
  }
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  const auto write = [&](const auto& self, std::size_t b) -> void {
    const Body& body = mechanism.bodies[b];
    const Principal inertia = principal(body);
    out << "<body pos='" << words(body.origin.p) << "' quat='" << quaternion(body.origin.R) << "'>";
    if (body.joint == JointKind::floating)
      out << "<freejoint/>";
    else
      out << "<joint type='" << (body.joint == JointKind::revolute ? "hinge" : "slide") << "' axis='"
          << words(body.axis) << "'/>";
    out << "<inertial pos='" << words(body.com) << "' quat='" << quaternion(inertia.axes) << "' mass='" << body.mass
        << "' diaginertia='" << words(inertia.moments) << "'/>\n";
    for (const std::size_t child : children[b + 1]) self(self, child);
    out << "</body>\n";
  };
  out << "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option gravity='" << words(mechanism.gravity)
      << "'><flag constraint='disable'/></option><worldbody>\n";
  for (const std::size_t root : children[0]) write(write, root);
  out << "</worldbody></mujoco>\n";
  return out.str();
}

std::string urdf(const Mechanism& mechanism) {
  if (mechanism.floating()) throw std::runtime_error("its readers take no floating tree this deep");
  const auto link = [](int b) { return "body" + std::to_string(b); };
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << "<robot name='mechanism'><mujoco><compiler inertiafromgeom='false' fusestatic='false'/></mujoco>"
         "<link name='body-1'/>\n";
  for (int b = 0; b < static_cast<int>(mechanism.bodies.size()); ++b) {
    const Body& body = mechanism.bodies[static_cast<std::size_t>(b)];
    const Principal inertia = principal(body);
    out << "<link name='" << link(b) << "'><inertial><origin xyz='" << words(body.com) << "' rpy='" << rpy(inertia.axes)
        << "'/><mass value='" << body.mass << "'/><inertia ixx='" << inertia.moments[0] << "' iyy='"
        << inertia.moments[1] << "' izz='" << inertia.moments[2] << "' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
        << "<joint name='joint" << b << "' type='" << (body.joint == JointKind::revolute ? "continuous" : "prismatic")
        << "'><parent link='" << link(body.parent) << "'/><child link='" << link(b) << "'/><origin xyz='"
        << words(body.origin.p) << "' rpy='" << rpy(body.origin.R) << "'/><axis xyz='" << words(body.axis)
        << "'/></joint>\n";
  }
  out << "</robot>\n";
  return out.str();
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
