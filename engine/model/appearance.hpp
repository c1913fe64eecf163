#pragma once
// What a file says of a mechanism's looks and sensors, which no algorithm reads.

#include <kinetree/description.hpp>
#include <vector>

namespace kinetree::inline inner {

struct LinkShapes {
  std::vector<ShapeDescription> visuals, collisions;
};

struct Appearance {
  std::vector<LinkShapes> links;  ///< over frames
  std::vector<SensorDescription> sensors;
};

}  // namespace kinetree::inline inner
