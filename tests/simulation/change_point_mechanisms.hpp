#pragma once
// Mechanisms of equal lengths, which pass change points as they turn: there they could go on in two ways. Planar ones,
// the same on a turntable, and spherical ones.

#include <cmath>
#include <string>

#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {

struct ChangePointMechanism {
  Description description;
  Eigen::VectorXd q, v;  ///< closed, per rad/s of the first joint
};

inline void pin(Description& d, const std::string& name, const std::string& first, double x, const std::string& second,
                double y) {
  LoopDescription loop;
  loop.name = name, loop.type = "revolute", loop.axis = {0, 1, 0};
  loop.first = {first, {{x, 0, 0}, {0, 0, 0, 1}}}, loop.second = {second, {{y, 0, 0}, {0, 0, 0, 1}}};
  d.loops.push_back(loop);
}

/// Crank and rocker of one length, coupler as long as the pivots are apart; all turn alike: q = (t, -t, t).
inline ChangePointMechanism parallelogram(double crank = 0.2, double apart = 0.5, bool gravity = false) {
  ChangePointMechanism m;
  Description& d = m.description;
  d.name = "parallelogram", d.gravity = {0, 0, gravity ? -9.81 : 0};
  d.bodies = {rod("crank", "world", 0, crank), rod("coupler", "crank", crank, apart),
              rod("rocker", "world", apart, crank)};
  pin(d, "loop", "coupler", apart, "rocker", crank);
  m.q = Eigen::Vector3d(0.7, -0.7, 0.7), m.v = Eigen::Vector3d(1, -1, 1);
  return m;
}

/// A rod on three equal cranks in a line.
inline ChangePointMechanism coupling_rod(bool gravity = false) {
  ChangePointMechanism m = parallelogram(0.2, 0.9, gravity);
  Description& d = m.description;
  d.name = "coupling_rod";
  d.bodies.push_back(rod("middle", "world", 0.4, 0.2));
  pin(d, "second_loop", "coupler", 0.4, "middle", 0.2);
  m.q = Eigen::Vector4d(0.7, -0.7, 0.7, 0.7), m.v = Eigen::Vector4d(1, -1, 1, 1);
  return m;
}

/// Ground and crank of one length, coupler and rocker of another: folds where the crank lies on the ground.
inline ChangePointMechanism kite(double small = 0.3, double large = 0.5, bool gravity = false) {
  ChangePointMechanism m;
  Description& d = m.description;
  d.name = "kite", d.gravity = {0, 0, gravity ? -9.81 : 0};
  d.bodies = {rod("crank", "world", 0, small), rod("coupler", "crank", small, large),
              rod("rocker", "world", small, large)};
  pin(d, "loop", "coupler", large, "rocker", large);
  // mirrored about the line from the first pivot to where coupler and rocker meet: at angle t / 2
  const double t = 0.7, half = t / 2,
               reach = small * std::cos(half) + std::sqrt(large * large - std::pow(small * std::sin(half), 2));
  const double tip[2]{reach * std::cos(half), reach * std::sin(half)};
  const double rocker = std::atan2(tip[1], tip[0] - small);
  const double coupler = std::atan2(tip[1] - small * std::sin(t), tip[0] - small * std::cos(t));
  m.q = Eigen::Vector3d(-t, t - coupler, -rocker), m.v = Eigen::Vector3d(1, 0, 0);
  return m;
}

/// Crank and rod of one length, the slide through the crank's pivot: it stands in the pivot where both are square to
/// it.
inline ChangePointMechanism slider_crank(double length = 0.3, bool gravity = false) {
  ChangePointMechanism m;
  Description& d = m.description;
  d.name = "slider_crank", d.gravity = {0, 0, gravity ? -9.81 : 0};
  d.bodies = {rod("crank", "world", 0, length), rod("rod", "crank", length, length), rod("slider", "world", 0, 0.1)};
  d.bodies[2].joint.type = "prismatic", d.bodies[2].joint.axis = {1, 0, 0};
  pin(d, "loop", "rod", length, "slider", 0);
  m.q = Eigen::Vector3d(0.7, -1.4, 2 * length * std::cos(0.7)),
  m.v = Eigen::Vector3d(1, -2, -2 * length * std::sin(0.7));
  return m;
}

/// Upright rods of 1 m in a row, each tied to the next by a coupler of 1 m: windows that fall over together. Where all
/// lies in one line each may fold by itself.
inline ChangePointMechanism windowed_four_bars(int windows) {
  ChangePointMechanism m;
  Description& d = m.description;
  d.name = "windows", d.gravity = {0, 0, -9.81};
  const auto number = [](int k) { return std::to_string(k); };
  for (int k = 0; k <= windows; ++k) {
    d.bodies.push_back(rod("rod" + number(k), "world", k, 1));
    d.bodies.back().joint.origin.quaternion = quaternion_from_rpy({0, -std::acos(0.0), 0});
    if (k == windows) break;
    d.bodies.push_back(rod("coupler" + number(k), "rod" + number(k), 1, 1));
    d.bodies.back().joint.origin.quaternion = quaternion_from_rpy({0, std::acos(0.0), 0});
  }
  for (int k = 0; k < windows; ++k) pin(d, "loop" + number(k), "coupler" + number(k), 1, "rod" + number(k + 1), 1);
  m.q = m.v = Eigen::VectorXd::Zero(2 * windows + 1);
  for (int k = 0; k <= 2 * windows; ++k) m.v[k] = k % 2 == 0 ? -1 : 1;
  return m;
}

/// Tilted out of the plane, lopsided, on a table that turns too: all six components of force and motion are in it.
inline ChangePointMechanism on_a_turntable(ChangePointMechanism m) {
  Description& d = m.description;
  for (BodyDescription& b : d.bodies) {
    if (b.parent == "world") b.parent = "table";
    b.inertial->frame.xyz[1] += 0.03, b.inertial->frame.quaternion = quaternion_from_rpy({0.3, 0.1, 0.2});
  }
  BodyDescription table = rod("table", "world", 0, 0.5, {0.6, 0.3, 0.8});
  table.joint.origin.quaternion = quaternion_from_rpy({0.5, 0.7, 1.1});
  d.bodies.insert(d.bodies.begin(), table);
  d.name += " on a table";
  Eigen::VectorXd q(m.q.size() + 1), v(m.v.size() + 1);
  q << 0.2, m.q, v << 0.4, m.v;
  m.q = q, m.v = v;
  return m;
}

/// Four axes through one point, these angles apart (rad); all lie in one plane at zero. Near a closed configuration.
inline ChangePointMechanism spherical_four_bar(double ground, double crank, double coupler, double rocker,
                                               bool gravity = false) {
  ChangePointMechanism m;
  Description& d = m.description;
  d.name = "spherical", d.gravity = {0, 0, gravity ? -9.81 : 0};
  const auto add = [&](const std::string& name, const std::string& parent, double from, double to) {
    BodyDescription b = rod(name, parent, 0, 0.3, {0, 0, 1});
    b.joint.origin = {{0, 0, 0}, quaternion_from_rpy({from, 0, 0})};
    b.inertial->frame.xyz = {0, -0.3 * std::sin(to / 2), 0.3 * std::cos(to / 2)};
    d.bodies.push_back(b);
  };
  add("crank", "world", 0.4, crank), add("coupler", "crank", crank, coupler),
      add("rocker", "world", 0.4 + ground, rocker);
  pin(d, "loop", "coupler", 0, "rocker", 0);
  LoopDescription& loop = d.loops.back();
  loop.axis = {0, 0, 1};
  loop.first.frame.quaternion = quaternion_from_rpy({coupler, 0, 0});
  loop.second.frame.quaternion = quaternion_from_rpy({rocker, 0, 0});
  m.q = Eigen::Vector3d(0.7, -0.7, 0.7), m.v = Eigen::Vector3d(1, -1, 1);
  return m;
}

}  // namespace kinetree::oracle
