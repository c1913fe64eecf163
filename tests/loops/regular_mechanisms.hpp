#pragma once
// Regular mechanisms with loops and gears, of any size, written out.

#include <kinetree/model/model.hpp>
#include <string>

#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {

inline BodyDescription rod(const std::string& name, const std::string& parent, double along, double length,
                           const Numbers3& axis = {0, 1, 0}) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = "j_" + name, b.joint.type = "revolute", b.joint.axis = axis;
  b.joint.origin.xyz = {along, 0, 0};
  const double mass = 2 * length, across = mass * length * length / 12;
  b.inertial = InertialDescription{mass, {{length / 2, 0, 0}}, {0.1 * across, across, across, 0, 0, 0}};
  return b;
}

enum class Rotors { none, bodies, armature };

/// n links in a chain, axes alternating; each joint with a motor of ratio 50 that hangs from the link before, as a body
/// or as reflected inertia.
inline Description geared_chain(int n, Rotors rotors) {
  Description d;
  d.name = "geared_chain";
  for (int i = 0; i < n; ++i) {
    const std::string parent = i == 0 ? "world" : "link" + std::to_string(i - 1), number = std::to_string(i);
    const Numbers3 axis = i % 2 == 0 ? Numbers3{0, 1, 0} : Numbers3{0.6, 0, 0.8};
    d.bodies.push_back(rod("link" + number, parent, i == 0 ? 0 : 0.4, 0.4, axis));
    if (rotors == Rotors::armature) d.bodies.back().joint.armature = 50 * 50 * 1e-4;
    if (rotors != Rotors::bodies) continue;
    BodyDescription rotor;
    rotor.name = "rotor" + number, rotor.parent = parent;
    rotor.joint.name = "j_rotor" + number, rotor.joint.type = "continuous", rotor.joint.axis = axis;
    rotor.joint.origin.xyz = {i == 0 ? 0 : 0.3, 0.05, 0};
    rotor.inertial = InertialDescription{0.2, {}, {1e-4, 1e-4, 1e-4, 0, 0, 0}};
    d.bodies.push_back(rotor);
    d.couplings.push_back({"gear" + number, {{"j_rotor" + number, 1}, {"j_link" + number, -50}}, 0});
  }
  return d;
}

/// n four-bars in a row, each on the coupler of the one before: ground 0.4 m, crank 0.2, coupler 0.5, rocker 0.3.
/// `tied`: neighbours are tied by joints that are redundant here, so that all make one aggregate.
inline Description four_bars(int n, bool tied = false) {
  Description d;
  d.name = "four_bars";
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), base = i == 0 ? "world" : "coupler" + std::to_string(i - 1);
    d.bodies.push_back(rod("crank" + k, base, i == 0 ? 0 : 0.1, 0.2));
    d.bodies.push_back(rod("coupler" + k, "crank" + k, 0.2, 0.5));
    d.bodies.push_back(rod("rocker" + k, base, i == 0 ? 0.4 : 0.5, 0.3));
    LoopDescription l;
    l.name = "loop" + k, l.type = "revolute", l.axis = {0, 1, 0};
    l.first.body = "coupler" + k, l.first.frame.xyz = {0.5, 0, 0};
    l.second.body = "rocker" + k, l.second.frame.xyz = {0.3, 0, 0};
    d.loops.push_back(l);
    if (!tied || i == 0) continue;
    l.name = "tie" + k, l.type = "planar";  // everything moves in one plane anyhow
    l.first.body = "crank" + std::to_string(i - 1), l.first.frame = {};
    l.second.body = "rocker" + k, l.second.frame = {};
    d.loops.push_back(l);
  }
  return d;
}

}  // namespace kinetree::oracle
