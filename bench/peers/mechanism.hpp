#pragma once
// The mechanism that every peer is built from: a Description with fixed joints merged, in plain numbers.

#include <Eigen/Core>
#include <string>
#include <vector>

// Not kinetree's headers: Simbody's don't compile as C++20, and ours compile as nothing less.
namespace kinetree {
struct Description;
class Model;
}  // namespace kinetree

namespace kinetree::peers {

/// Eigen's 3-vectors and 3x3 matrices are never over-aligned, so they may cross into libraries built with other flags.
struct Pose {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< placed frame's coordinates to the frame it is placed in
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
};
Pose operator*(const Pose& a, const Pose& b);

enum class JointKind { revolute, prismatic, floating };

struct Body {
  std::string name;
  int parent = -1;  ///< -1: the ground
  JointKind joint = JointKind::revolute;
  Pose origin;           ///< of the joint frame in the parent body's frame; the identity for a floating base
  Eigen::Vector3d axis;  ///< unit length, in the joint frame
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, in the body's axes
  int q = 0, v = 0;                                   ///< first entry in kinetree's q and v
};

/// Bodies in kinetree's numbering: parents first.
struct Mechanism {
  Eigen::Vector3d gravity;
  std::vector<Body> bodies;
  int nq = 0, nv = 0;

  bool floating() const { return bodies[0].joint == JointKind::floating; }
  /// How many of the first bodies are a free base rather than a link on a joint of one freedom: 0 or 1.
  int base() const { return floating() ? 1 : 0; }
  bool serial() const;
};

/// Throws std::runtime_error for joints that not all peers have.
Mechanism mechanism_of(const Description& description, const Model& model);

/// Principal moments of inertia, and the rotation from principal to body coordinates.
struct Principal {
  Eigen::Matrix3d axes;
  Eigen::Vector3d moments;
};
Principal principal(const Body& body);

}  // namespace kinetree::peers
