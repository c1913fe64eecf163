#pragma once
// Mechanisms that are closed at zero positions, all frames parallel there, and the oracle's accelerations of them.

#include <gtest/gtest.h>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle::closed_at_zero {

/// Largest difference, relative to the largest entry or 1.
inline double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return largest_of(a - b) / std::max(1.0, largest_of(b));
}

inline BodyDescription body(const std::string& name, const std::string& parent, const Numbers3& origin,
                            const char* type, const Numbers3& axis = {0, 1, 0}) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = "j_" + name, b.joint.type = type, b.joint.axis = axis;
  b.joint.origin.xyz = origin;
  b.inertial = InertialDescription{0.7, {{0.1, 0.03, 0.05}}, {0.02, 0.03, 0.04, 0.001, -0.002, 0.003}};
  return b;
}

inline LoopDescription loop(const std::string& name, const char* type, const std::string& first,
                            const Numbers3& at_first, const std::string& second, const Numbers3& at_second) {
  LoopDescription l;
  l.name = name, l.type = type, l.axis = {0, 1, 0};
  l.first.body = first, l.first.frame.xyz = at_first;
  l.second.body = second, l.second.frame.xyz = at_second;
  return l;
}

/// n four-bars in the x-z plane, each on the coupler of the one before. `closures`: loop joints per loop, all the same.
inline Description chained_four_bars(int n, int closures = 1) {
  Description d;
  d.name = "four_bars";
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), base = i == 0 ? "world" : "coupler" + std::to_string(i - 1);
    d.bodies.push_back(body("crank" + k, base, {0.1, 0, 0}, "revolute"));
    d.bodies.push_back(body("coupler" + k, "crank" + k, {0.05, 0, 0.2}, "revolute"));
    d.bodies.push_back(body("rocker" + k, base, {0.6, 0, 0}, "revolute"));
    for (int c = 0; c < closures; ++c)
      d.loops.push_back(loop("loop" + k + "_" + std::to_string(c), "revolute", "coupler" + k, {0.4, 0, 0.1},
                             "rocker" + k, {-0.05, 0, 0.3}));
  }
  return d;
}

/// A parallelogram, flat at zero: there it may also fold.
inline Description parallelogram() {
  Description d;
  d.name = "parallelogram";
  d.bodies.push_back(body("crank", "world", {0, 0, 0}, "revolute"));
  d.bodies.push_back(body("coupler", "crank", {0.2, 0, 0}, "revolute"));
  d.bodies.push_back(body("rocker", "world", {0.4, 0, 0}, "revolute"));
  d.loops.push_back(loop("closure", "revolute", "coupler", {0.4, 0, 0}, "rocker", {0.2, 0, 0}));
  return d;
}

/// n turning links from the ground and back to it by a ball: one loop.
inline Description ring(int n) {
  Description d;
  d.name = "ring";
  Numbers3 end{0.2, 0.1, 0};
  for (int i = 0; i < n; ++i) {
    const Numbers3 origin{0.2, i % 2 == 0 ? 0.1 : -0.07, 0.05 * (i % 3)};
    const Numbers3 axis = i % 3 == 0 ? Numbers3{0, 1, 0} : (i % 3 == 1 ? Numbers3{0, 0, 1} : Numbers3{1, 0.2, 0});
    d.bodies.push_back(
        body("link" + std::to_string(i), i == 0 ? "world" : "link" + std::to_string(i - 1), origin, "revolute", axis));
    for (std::size_t k = 0; k < 3; ++k) end[k] += origin[k];
  }
  d.loops.push_back(loop("ring", "spherical", "link" + std::to_string(n - 1), {0.2, 0.1, 0}, "world", end));
  return d;
}

/// Two chains of n links on balls, side by side, joined by a ball at every link: a net, all of it one aggregate.
inline Description net(int n) {
  Description d;
  d.name = "net";
  for (const char side : {'a', 'b'})
    for (int i = 0; i < n; ++i) {
      const double y = i > 0 ? (i % 2 == 0 ? 0.1 : -0.07) : (side == 'a' ? 0.0 : 0.5);
      d.bodies.push_back(body(side + std::to_string(i), i == 0 ? "world" : side + std::to_string(i - 1),
                              {0.2, y, 0.05 * (i % 3)}, "spherical"));
    }
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    d.loops.push_back(loop("rung" + k, "spherical", "a" + k, {0.1, 0.2, 0.06}, "b" + k, {0.1, -0.3, 0.06}));
  }
  return d;
}

/// A closed state at zero positions, and the oracle's answer.
struct Case {
  Model model;
  TestState state;
  Eigen::VectorXd truth;

  Case(Model m, TestState s) : model(std::move(m)), state(std::move(s)) {}
  explicit Case(const Description& d, std::uint64_t seed = 1, const Eigen::VectorXd& q = {}) : model(make_model(d)) {
    Description open = d;
    open.loops.clear(), open.couplings.clear();
    const Model tree = make_model(open);
    state = random_state(tree, seed);
    const std::vector<double> zero = zero_of(tree.data());
    state.q = q.size() > 0 ? q : Eigen::Map<const Eigen::VectorXd>(zero.data(), tree.nq());
    ClosedOracle oracle(d, tree);
    oracle.set(state.q, state.v);
    EXPECT_LE(largest_of(oracle.error()), 1e-12);
    state.v = oracle.allowed(state.v);
    oracle.set(state.q, state.v);
    truth = oracle.accelerations(state.tau);
  }

  static std::vector<double> zero_of(const ModelData& m) {
    std::vector<double> q(static_cast<std::size_t>(m.q_index.back()), 0);
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      if (m.joint_type[i] == JointType::spherical) q[static_cast<std::size_t>(m.q_index[i + 1] - 1)] = 1;
    return q;
  }
};

}  // namespace kinetree::oracle::closed_at_zero
