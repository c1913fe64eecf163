#pragma once
// Joints of every type that moves, for tests of what holds for all of them.

#include <kinetree/model.hpp>
#include <string>
#include <vector>

#include "engine/model/random.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {

inline constexpr JointType with_quaternions[]{JointType::spherical, JointType::floating};

/// All but fixed.
inline std::vector<JointType> moving_types() {
  std::vector<JointType> types;
  for (std::size_t t = 0; t + 1 < joint_type_names.size(); ++t) types.push_back(static_cast<JointType>(t));
  return types;
}

/// A chain with a joint of each.
inline Description every_type(std::uint64_t seed) {
  Random random(seed);
  Description d;
  d.name = "every type";
  std::string parent = "world";
  for (const JointType type : moving_types()) {
    d.bodies.push_back(random_body(random, std::string(kinetree::name_of(type)), parent, type));
    parent = d.bodies.back().name;
  }
  return d;
}

}  // namespace kinetree::oracle
