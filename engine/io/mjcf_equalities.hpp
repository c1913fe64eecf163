#pragma once
// MJCF's equalities: connect and weld become loops, joint and tendon become couplings.

#include "engine/io/mjcf_bodies.hpp"

namespace kinetree::inline inner {

/// Adds every active equality to the description, once for each copy that a replica or an attached model makes of it.
/// Findings: what was left out, and equalities that have no counterpart here.
void read_equalities(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options);

}  // namespace kinetree::inline inner
