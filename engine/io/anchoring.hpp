#pragma once
// Joints that do not pass through their body's origin, as MJCF and SDFormat have them. A Description's body frame is
// its joint frame, so such a body hangs, fixed, from a link of its own at the joint.

#include <kinetree/description.hpp>
#include <string>
#include <utility>

#include "engine/model/names.hpp"

namespace kinetree::inline inner {

/// Adds `body`, whose joint stands at `anchor` (m, in the body's frame), to the description; its joint's origin is the
/// anchor's, with the body's orientation. True: a link was added for the joint, named after it.
inline bool hang(Description& description, BodyDescription body, const Numbers3& anchor, Names& links, Names& joints) {
  const bool apart = anchor != Numbers3{0, 0, 0};
  if (apart) {
    BodyDescription carrier;
    carrier.name = links.make(body.joint.name + "_link");
    carrier.parent = std::move(body.parent);
    carrier.joint = std::move(body.joint);
    carrier.line = body.line;
    body.parent = carrier.name;
    body.joint = {};
    body.joint.name = joints.make(body.name + "_fixed");
    body.joint.type = "fixed";
    body.joint.line = carrier.joint.line;
    for (std::size_t k = 0; k < 3; ++k) body.joint.origin.xyz[k] = -anchor[k];
    description.bodies.push_back(std::move(carrier));
  }
  description.bodies.push_back(std::move(body));
  return apart;
}

}  // namespace kinetree::inline inner
