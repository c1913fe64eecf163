#pragma once
// MJCF's equalities: connect and weld become loops, joint and tendon become couplings.

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

/// Adds every active equality of the compiled model to the description. Findings: what was left out, and equalities
/// that have no counterpart here.
void read_equalities(MjcfReading& r);

}  // namespace kinetree::inline inner
