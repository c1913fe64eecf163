#pragma once
// States for tests, the same on every platform for a seed.

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <kinetree/kinetree.hpp>
#include <stdexcept>

#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"

namespace kinetree::oracle {

struct TestState {
  Eigen::VectorXd q, v, tau, f_ext;
};

inline Eigen::VectorXd uniform_vector(Random& random, Eigen::Index size, double bound) {
  Eigen::VectorXd x(size);
  for (Eigen::Index i = 0; i < size; ++i) x[i] = random.uniform(-bound, bound);
  return x;
}

/// Positions within ±2, quaternions uniform-ish of unit length.
inline Eigen::VectorXd random_positions(const Model& model, Random& random) {
  Eigen::VectorXd q = uniform_vector(random, model.nq(), 2);
  for (int b = 0; b < model.body_count(); ++b) {
    const JointType type = model.data().joint_type[static_cast<std::size_t>(b)];
    if (type != JointType::spherical && type != JointType::floating) continue;
    const int at = model.data().q_index[static_cast<std::size_t>(b)] + (type == JointType::floating ? 3 : 0);
    while (q.segment<4>(at).norm() < 0.1) q.segment<4>(at) = uniform_vector(random, 4, 1);
    q.segment<4>(at).normalize();
  }
  return q;
}

/// Velocities within ±1, forces within ±5 (of the size that 1 kg in gravity needs), external forces within ±3 on every
/// body.
inline TestState random_state(const Model& model, std::uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15ULL + 1);
  TestState s;
  s.q = random_positions(model, random);
  s.v = uniform_vector(random, model.nv(), 1);
  s.tau = uniform_vector(random, model.nv(), 5);
  s.f_ext = uniform_vector(random, 6 * static_cast<Eigen::Index>(model.body_count()), 3);
  return s;
}

/// Almost at rest: velocities and accelerations of about 1e-4, so tau is close to the holding torques.
inline TestState near_static_state(const Model& model, std::uint64_t seed) {
  TestState s = random_state(model, seed);
  Random random(seed + 77);
  s.v *= 1e-4;
  Workspace workspace(model);
  const Eigen::VectorXd a = uniform_vector(random, model.nv(), 1e-4);
  if (!inverse_dynamics(model, workspace, s.q, s.v, a, s.tau).ok()) throw std::logic_error("a random state failed");
  return s;
}

}  // namespace kinetree::oracle
