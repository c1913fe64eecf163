#pragma once
// Cranks that a rod couples, as on a locomotive: a motion that the second loop allows only since all cranks are equal
// and parallel. Elsewhere the same bars close where nothing moves.

#include <cmath>

#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {

/// Cranks of one length on the ground, parallel at zero, where all is closed. q is the first crank's angle, the rod's
/// against it, then the other cranks'.
struct CouplingRod {
  double crank = 0.3;                       ///< m
  std::vector<double> pivots{0, 0.4, 0.9};  ///< m, along a line
  std::vector<double> aside{0, 0, 0};       ///< m, square to it
  double line = 0, angle = 0.7;             ///< rad, of the line and of the cranks at zero
  Numbers3 tilt{0, 0, 0};                   ///< rad, roll pitch yaw of the whole
  bool pendulum = false;                    ///< whether another freedom is in the model

  Description description() const {
    Description d;
    d.name = "coupling_rod";
    const std::array<double, 4> turn = quaternion_from_rpy({tilt[0], tilt[1], tilt[2]});
    BodyDescription frame;  // carries the tilt, fixed
    frame.name = "frame", frame.parent = "world", frame.joint.name = "frame_joint", frame.joint.type = "fixed";
    frame.joint.origin.quaternion = turn;
    d.bodies.push_back(frame);
    const auto turned = [](double x, double z,
                           double by) {  // about y, seen from a frame whose x is turned down by `by`
      return Placement{{x, 0, z}, quaternion_from_rpy({0, by, 0})};
    };
    for (std::size_t k = 0; k < pivots.size(); ++k) {
      const double x = pivots[k] * std::cos(line) + aside[k] * std::sin(line),
                   z = aside[k] * std::cos(line) - pivots[k] * std::sin(line);
      BodyDescription c = rod("crank" + std::to_string(k + 1), "frame", 0, crank);
      c.joint.origin = turned(x, z, angle);
      d.bodies.push_back(c);
      if (k > 0) continue;
      BodyDescription r = rod("rod", "crank1", 0, pivots.back());
      r.joint.origin = turned(crank, 0, line - angle);
      d.bodies.push_back(r);
    }
    for (std::size_t k = 1; k < pivots.size(); ++k) {
      LoopDescription l;
      l.name = "pin" + std::to_string(k + 1), l.type = "revolute", l.axis = {0, 1, 0};
      l.first.body = "rod", l.first.frame.xyz = {pivots[k], 0, aside[k]};
      l.second.body = "crank" + std::to_string(k + 1), l.second.frame.xyz = {crank, 0, 0};
      d.loops.push_back(l);
    }
    if (pendulum) d.bodies.push_back(rod("pendulum", "frame", -0.5, 0.4));
    return d;
  }

  /// Of a turn of all cranks; the pendulum's position last.
  Eigen::VectorXd along(double turn, double swing = 0) const {
    Eigen::VectorXd x = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(pivots.size()) + 1 + pendulum, turn);
    x[1] = -turn;
    if (pendulum) x[x.size() - 1] = swing;
    return x;
  }
};

/// At random: three cranks that never stand in one line.
inline CouplingRod random_coupling_rod(std::uint64_t seed, bool pendulum = false) {
  Random random(seed * 31 + 7);
  CouplingRod c;
  c.crank = random.uniform(0.1, 0.6);
  const double middle = random.uniform(0.15, 0.8);
  c.pivots = {0, middle, middle + random.uniform(0.15, 0.8)};
  c.aside = {0, random.uniform(0.1, 0.5), random.uniform(-0.5, 0)};
  c.line = random.uniform(-3, 3), c.angle = random.uniform(-3, 3);
  for (double& t : c.tilt) t = random.uniform(-1, 1);
  c.pendulum = pendulum;
  return c;
}

}  // namespace kinetree::oracle
