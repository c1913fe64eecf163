#pragma once
// What parts of one state take side by side in lanes, measured.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// Measures LaneCosts for every width that the instruction set has (a few milliseconds).
void measure_lanes(Calibration& calibration);

}  // namespace kinetree::inline inner
