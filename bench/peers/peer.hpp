#pragma once
// What a peer is: somebody else's forward dynamics behind kinetree's q, v, tau and accelerations.

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/mechanism.hpp"

namespace kinetree::peers {

class Peer {
 public:
  virtual ~Peer() = default;
  /// From one state to its accelerations by the shortest way the peer's public interface has, setting the state
  /// included.
  virtual void solve(const double* q, const double* v, const double* tau, double* a) = 0;
};

/// A peer that this program was built with. `make` throws std::runtime_error where the peer can't hold the mechanism.
struct PeerKind {
  std::string name;
  std::string version;
  std::string package;  ///< Debian's
  std::string path;     ///< what is called
  double tolerance;     ///< most relative difference of accelerations
  std::unique_ptr<Peer> (*make)(const Mechanism&);
};

/// Filled by one Registration in each peer's file: which of them are linked, CMake decides.
std::vector<PeerKind>& peer_kinds();

struct Registration {
  explicit Registration(PeerKind kind) { peer_kinds().push_back(std::move(kind)); }
};

/// kinetree's floating base (q, v, tau at its start) as vectors. Pose: base to world.
struct FloatingState {
  FloatingState(const double* q, const double* v, const double* tau)
      : x(q[0], q[1], q[2]),
        orientation(q[6], q[3], q[4], q[5]),
        R(orientation.toRotationMatrix()),
        linear(v[0], v[1], v[2]),
        angular(v[3], v[4], v[5]),
        force(tau[0], tau[1], tau[2]),
        moment(tau[3], tau[4], tau[5]) {}

  /// From accelerations of the base's origin as seen by an observer in the world to kinetree's dv/dt.
  void write(const Eigen::Vector3d& world_linear, const Eigen::Vector3d& body_angular, double* a) const {
    const Eigen::Vector3d body_linear = R.transpose() * world_linear - angular.cross(linear);
    for (int k = 0; k < 3; ++k) a[k] = body_linear[k], a[3 + k] = body_angular[k];
  }

  Eigen::Vector3d x;
  Eigen::Quaternion<double, Eigen::DontAlign> orientation;
  Eigen::Matrix3d R;
  Eigen::Vector3d linear, angular;  ///< in the base's axes
  Eigen::Vector3d force, moment;    ///< in the base's axes, about its origin
};

}  // namespace kinetree::peers
