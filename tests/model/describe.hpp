#pragma once
// Short ways to write Descriptions in tests.

#include <kinetree/model.hpp>
#include <string>

namespace kinetree::test {

inline InertialDescription ball(double mass, const Numbers3& com = {0.1, 0.2, -0.1}) {
  return {mass, {com, {0, 0, 0, 1}}, {0.1 * mass, 0.1 * mass, 0.1 * mass, 0, 0, 0}, 0};
}

/// A body of 1 kg on a joint of that type; joint names are the body's with a j before.
inline BodyDescription body(const std::string& name, const std::string& parent, const std::string& type = "revolute",
                            const Numbers3& axis = {0, 0, 1},
                            const Placement& origin = {{0.1, 0.2, 0.3}, {0, 0, 0, 1}}) {
  BodyDescription b;
  b.name = name;
  b.parent = parent;
  b.joint.name = "j" + name;
  b.joint.type = type;
  b.joint.axis = axis;
  b.joint.origin = origin;
  b.inertial = ball(1);
  return b;
}

inline Description mechanism(std::vector<BodyDescription> bodies) {
  Description d;
  d.bodies = std::move(bodies);
  return d;
}

}  // namespace kinetree::test
