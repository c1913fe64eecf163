#pragma once
// Mass, centre and moments of bodies: as <inertial> gives them, or of their geoms.

#include <optional>
#include <vector>

#include "engine/io/mjcf_model.hpp"

namespace kinetree::inline inner {

/// The inertia of every body, by MuJoCo 3's rules: inertiafromgeom, inertiagrouprange, boundmass, boundinertia,
/// balanceinertia and settotalmass count. None: the body is massless.
std::vector<std::optional<MjcfPlacedInertia>> inertias(MjcfReading& r, const MjcfModel& model);

}  // namespace kinetree::inline inner
