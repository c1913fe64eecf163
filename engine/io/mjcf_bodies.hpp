#pragma once
// Bodies and joints of an MJCF model as those of a description.

#include <string>
#include <vector>

#include "engine/io/mjcf_model.hpp"

namespace kinetree::inline inner {

/// What the flags of <option> leave on.
struct MjcfOptions {
  bool gravity = true, equality = true, constraint = true;
  bool spring = true, damper = true, friction = true, limit = true;
  int line = 0;  ///< of the first <flag>
};

/// The names of bodies and joints; what the file leaves without a name has one that was made for it.
struct MjcfNames {
  std::vector<std::string> body, joint;
};

/// Adds all bodies to the description. A body with several joints, or with one off its origin, carries links of their
/// own.
MjcfNames add_bodies(MjcfReading& r, const MjcfModel& model, const MjcfOptions& options);

}  // namespace kinetree::inline inner
