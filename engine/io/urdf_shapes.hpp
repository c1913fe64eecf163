#pragma once
// Visuals and collision shapes of URDF's links. They have no part in the dynamics, so a fault in one costs that shape
// alone, with a warning.

#include <map>

#include "engine/io/urdf_reading.hpp"

namespace kinetree::inline inner {

class UrdfShapes : UrdfReading {
 public:
  /// `to` takes the warnings; it must outlive this.
  explicit UrdfShapes(Reading& to) : to_(to) {}

  /// A <visual> or <collision> of a link, `element`.
  void take(const XMLElement& e, const std::string& element, std::vector<ShapeDescription>& shapes);
  /// A <material> of the robot, or of a visual; a visual may name it wherever it stands.
  MaterialDescription take_material(const XMLElement& e);
  /// Gives visuals the materials that they name, once all are known.
  void give_materials();

 private:
  void read_geometry(const XMLElement& geometry, const std::string& element, ShapeDescription& shape);

  Reading& to_;
  std::map<std::string, MaterialDescription> materials_;  ///< that say more than a name, by it
};

}  // namespace kinetree::inline inner
