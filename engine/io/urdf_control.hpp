#pragma once
// A URDF's ros2_control: its parameters `mimic` and `multiplier` make a joint follow another (gz_ros2_control); the
// rest is between controllers and tau.

#include "engine/io/urdf_extension.hpp"

namespace kinetree::inline inner {

class UrdfControl : public UrdfExtension {
 public:
  using UrdfExtension::UrdfExtension;

 private:
  void read(const XMLElement& e) override;
};

}  // namespace kinetree::inline inner
