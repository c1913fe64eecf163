#pragma once
// What users of SDFormat write beyond it and is dynamics: Drake's rotors and plugins that make joints follow others.

#include <functional>
#include <kinetree/load_model.hpp>
#include <sdf/Joint.hh>
#include <sdf/Root.hh>
#include <string>

#include "engine/io/sdf_places.hpp"

namespace kinetree::inline inner {

/// drake:rotor_inertia times drake:gear_ratio squared, as Drake documents them; 0 where the joint has none. `fault` is
/// told what is wrong with them.
double reflected_inertia(const sdf::Joint& joint, const std::function<void(Severity, std::string)>& fault);

/// Reads the plugins of all models that move into the reading, whose bodies hang already, with scoped names where it
/// has several models.
void read_sdf_plugins(const sdf::Root& root, const SdfPlaces& places, Reading& reading);

}  // namespace kinetree::inline inner
