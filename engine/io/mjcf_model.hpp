#pragma once
// What an MJCF file makes, with defaults, frames, replicas and attached models worked in: bodies with their joints,
// geoms and inertias, and the frames that other elements name.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/mjcf_pose.hpp"
#include "engine/io/mjcf_source.hpp"

namespace kinetree::inline inner {

enum class MjcfJointKind { free, ball, slide, hinge };

struct MjcfJoint {
  std::string name;
  int line = 0, body = 0;
  MjcfJointKind kind = MjcfJointKind::hinge;
  Eigen::Vector3d axis{0, 0, 1}, at{0, 0, 0};  ///< in the body's frame
  double zero = 0, rest = 0;                   ///< where the file's pose stands; where the spring is at rest
  double armature = 0, damping = 0, friction = 0, stiffness = 0;
  std::optional<std::pair<double, double>> range;
  double effort = 0;  ///< 0: no limit
};

enum class MjcfGeomKind { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh };

/// Mass, centre and moments about it, in any frame.
struct MjcfInertia {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  double enclosed = 0;  ///< the mass between a mesh's faces, whatever it is taken for; 0: unknown
};

struct MjcfGeom {
  std::string name;
  int line = 0, body = 0, group = 0;
  MjcfGeomKind kind = MjcfGeomKind::sphere;
  Eigen::Vector3d size{0, 0, 0};  ///< MuJoCo's half lengths and radii
  MjcfPose pose;  ///< in the body's frame; of a mesh: the frame of its vertices as refpos, refquat and scale left them
  const MjcfMesh* mesh = nullptr;
  std::optional<double> mass;
  double density = 1000;
  bool shell = false, touches = true;
  std::string material;
  std::array<double, 4> colour{.5, .5, .5, 1};
  std::optional<std::array<double, 4>> look;  ///< of the material
};

inline std::string called(const MjcfGeom& geom) { return geom.name.empty() ? "<geom>" : "geom \"" + geom.name + "\""; }

/// An inertia in axes of its own.
struct MjcfPlacedInertia {
  double mass = 0;
  MjcfPose frame;                   ///< in the body's frame
  std::array<double, 6> moments{};  ///< xx yy zz xy xz yz in that frame's axes, about its origin
  int line = 0;
};

struct MjcfBody {
  std::string name;
  int line = 0, parent = 0;  ///< body 0 is the world
  MjcfPose pose;             ///< in the parent, where every joint stands at its `zero`
  bool mocap = false;
  std::vector<int> joints, geoms;
  std::optional<MjcfPlacedInertia> given;  ///< by <inertial>
  const MjcfSource* source = nullptr;
};

/// A frame that equalities and sensors may name.
struct MjcfSpot {
  int body = 0;
  MjcfPose pose;
};

/// The names that one copy of a file's elements has: those of the file between a prefix and a suffix.
struct MjcfNaming {
  std::string prefix, suffix;
  std::string operator()(const std::string& name) const { return name.empty() ? name : prefix + name + suffix; }
};

/// Elements of one file that name others (equalities, sensors) are read once for every time that it is attached.
struct MjcfUse {
  const MjcfSource* source = nullptr;
  MjcfNaming naming;
  int first_body = 0, end_body = 0;  ///< what was attached: what names anything else is left out. The outermost: all
};

struct MjcfModel {
  std::vector<MjcfBody> bodies = std::vector<MjcfBody>(1);  ///< the first is the world
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::map<std::string, MjcfSpot, std::less<>> sites, cameras;
  std::map<std::string, int, std::less<>> body_called, joint_called, geom_called;
  std::vector<MjcfUse> uses;
  std::map<std::string, std::vector<std::string>, std::less<>> replicas;  ///< suffixes of what was replicated, by name
  int ground_geoms = 0, first_ground_geom = 0;
  int compensated = 0, first_compensated = 0;  ///< bodies with gravcomp, and the line of the first
};

}  // namespace kinetree::inline inner
