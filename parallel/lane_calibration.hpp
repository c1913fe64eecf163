#pragma once
// What parts of one state take side by side in lanes, measured.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// Measures, of the widths that the instruction set has, what bodies take in packs and what packs take beside them (a
/// few milliseconds).
void measure_lanes(Calibration& calibration);

}  // namespace kinetree::inline inner
