#pragma once
// Random states that keep a model's loops and couplings closed.

#include <gtest/gtest.h>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/velocity_map.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::test {

/// Positions within `reach` of zero, put on the constraints; velocities that the constraints allow; any forces.
inline oracle::TestState closed_state(const Model& model, std::uint64_t seed, double reach) {
  oracle::TestState s = oracle::random_state(model, seed);
  if (model.data().aggregates.empty()) return s;
  const std::vector<double> zero = zero_configuration(model.data());
  s.q = Eigen::Map<const Eigen::VectorXd>(zero.data(), model.nq()) + reach / 2 * s.q;
  for (int b = 0; b < model.body_count(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    const JointType type = model.data().joint_type[k];
    const int at = model.data().q_index[k];
    if (type == JointType::spherical) s.q.segment<4>(at).normalize();
    if (type == JointType::floating) s.q.segment<4>(at + 3).normalize();
  }
  Closure closure(model.data());
  for (const Aggregate& a : model.data().aggregates)
    EXPECT_LT(closure.project(a, s.q.data()), 1e-12) << "seed " << seed;
  VelocityMap velocity_map(model.data());
  const VelocityMap::Matrix X_S = velocity_map(s.q.data());
  EXPECT_GT(X_S.cols(), 0);
  s.v = X_S * s.v.head(X_S.cols()).eval();
  EXPECT_TRUE(closure.violations(s.q.data(), s.v.data()).empty());
  return s;
}

}  // namespace kinetree::test
