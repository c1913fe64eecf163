#pragma once
// The number of the text format of calibrations. It changes with their entries; files of another number are refused.

namespace kinetree::inline inner {

inline constexpr int calibration_format = 13;

}  // namespace kinetree::inline inner
