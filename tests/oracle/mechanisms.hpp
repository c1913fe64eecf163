#pragma once
// Small mechanisms written out by tests: a joint of any type, at the base or in the middle of a tree, off every axis.

#include <kinetree/kinetree.hpp>
#include <string>

#include "engine/model/random.hpp"

namespace kinetree::oracle {

inline Numbers3 random_numbers(Random& random, double bound) {
  return {random.uniform(-bound, bound), random.uniform(-bound, bound), random.uniform(-bound, bound)};
}

inline Placement random_placement(Random& random, double reach) {
  Placement p;
  p.xyz = random_numbers(random, reach);
  p.quaternion = quaternion_from_rpy(random_numbers(random, 3));
  return p;
}

/// A body on a joint at a random place, its axis and its inertia's axes askew.
inline BodyDescription random_body(Random& random, const std::string& name, const std::string& parent, JointType type) {
  BodyDescription b;
  b.name = name;
  b.parent = parent;
  b.joint.name = "to_" + name;
  b.joint.type = kinetree::name_of(type);
  b.joint.axis = {random.uniform(0.3, 1), random.uniform(-1, -0.3), random.uniform(-1, 1)};
  if (facts_of(type).second_axis) b.joint.axis2 = Numbers3{random.uniform(-0.4, 0.4), random.uniform(0.3, 1), 0.9};
  if (facts_of(type).pitch) b.joint.pitch = random.uniform(0.05, 0.3);
  b.joint.origin = random_placement(random, 0.5);
  InertialDescription inertial;
  inertial.mass = random.uniform(0.5, 2);
  inertial.frame = random_placement(random, 0.2);
  const double x = random.uniform(0.01, 0.04), y = random.uniform(0.01, 0.04), z = random.uniform(0.01, 0.04);
  inertial.inertia = {y + z, x + z, x + y, 0, 0, 0};
  b.inertial = inertial;
  return b;
}

/// The joint alone on the ground, or with a revolute body before it, two behind it and one beside it.
inline Description around(JointType type, bool alone, std::uint64_t seed) {
  Random random(seed);
  Description d;
  d.name = std::string(kinetree::name_of(type)) + (alone ? "_alone" : "_in_a_tree");
  d.gravity = {2, -7, 5};
  if (!alone) d.bodies.push_back(random_body(random, "before", "world", JointType::revolute));
  d.bodies.push_back(random_body(random, "it", alone ? "world" : "before", type));
  if (alone) return d;
  d.bodies.push_back(random_body(random, "beside", "before", JointType::prismatic));
  d.bodies.push_back(random_body(random, "behind", "it", JointType::revolute));
  d.bodies.push_back(random_body(random, "beyond", "behind", type == JointType::fixed ? JointType::revolute : type));
  d.bodies.push_back(random_body(random, "plate", "it", JointType::fixed));
  d.bodies.push_back(random_body(random, "tip", "plate", JointType::revolute));
  return d;
}

}  // namespace kinetree::oracle
