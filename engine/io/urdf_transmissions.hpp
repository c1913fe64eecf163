#pragma once
// A URDF's transmissions: rotors that turn with a joint. Drake documents their inertia (drake:rotor_inertia) and their
// gear ratio (drake:gear_ratio); ROS's own elements have the reduction alone, which acts between an actuator and tau.

#include "engine/io/urdf_extension.hpp"

namespace kinetree::inline inner {

class UrdfTransmissions : public UrdfExtension {
 public:
  using UrdfExtension::UrdfExtension;

 private:
  void read(const XMLElement& e) override;
  /// The reflected inertia of an actuator; 0: it gives none.
  double reflected(const XMLElement& actuator, const std::string& element);
  /// Says what speaks of dynamics in it and is not read.
  void look_for_more(const XMLElement& e);
};

}  // namespace kinetree::inline inner
