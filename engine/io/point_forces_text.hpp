#pragma once
// Forces between points in YAML: an entry of a list under `forces`.

#include <kinetree/description.hpp>
#include <string>
#include <vector>

#include "engine/io/yaml_reading.hpp"

namespace kinetree::inline inner {

/// Adds the force to `forces`, as far as it can be read.
void read_point_force(const YAML::Node& node, YamlReading& yaml, std::vector<PointForceDescription>& forces);
/// The entry of a force.
std::string text_of(const PointForceDescription& force);

}  // namespace kinetree::inline inner
