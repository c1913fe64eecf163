#pragma once
// Regular mechanisms with loops and gears: the library's families, and what they do not offer.

#include <kinetree/model.hpp>
#include <string>

#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {

inline BodyDescription rod(const std::string& name, const std::string& parent, double along, double length,
                           const Numbers3& axis = {0, 1, 0}) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = name + "_joint", b.joint.type = "revolute", b.joint.axis = axis;
  b.joint.origin.xyz = {along, 0, 0};
  const double mass = 2 * length, across = mass * length * length / 12;
  b.inertial = InertialDescription{mass, {{length / 2, 0, 0}}, {0.1 * across, across, across, 0, 0, 0}};
  return b;
}

enum class Rotors { none, bodies, armature };

inline Description geared_chain(int n, Rotors rotors) {
  const char* words[] = {"none", "bodies", "armature"};
  return make_description("geared:" + std::to_string(n) + ":rotors=" + words[static_cast<int>(rotors)]);
}

/// `tied`: neighbours are tied by joints that are redundant here, so that all make one aggregate.
inline Description four_bars(int n, bool tied = false) {
  Description d = make_description("fourbars:" + std::to_string(n));
  for (int k = 2; tied && k <= n; ++k) {
    LoopDescription tie;
    tie.name = "tie" + std::to_string(k), tie.type = "planar", tie.axis = {0, 1, 0};  // all moves in one plane anyhow
    tie.first.body = "crank" + std::to_string(k - 1), tie.second.body = "rocker" + std::to_string(k);
    d.loops.push_back(tie);
  }
  return d;
}

/// Four bars that lie flat on each other at zero, where there are two ways on: the sum of one pair is that of the
/// other.
inline Description flat_four_bar(double crank = 0.2, double coupler = 0.5, double rocker = 0.3) {
  Description d;
  d.name = "flat_four_bar";
  d.bodies = {rod("crank1", "world", 0, crank), rod("coupler1", "crank1", crank, coupler),
              rod("rocker1", "world", 0.4, rocker)};
  LoopDescription l;
  l.name = "loop1", l.type = "revolute", l.axis = {0, 1, 0};
  l.first.body = "coupler1", l.first.frame.xyz = {coupler, 0, 0};
  l.second.body = "rocker1", l.second.frame.xyz = {rocker, 0, 0};
  d.loops.push_back(l);
  return d;
}

}  // namespace kinetree::oracle
