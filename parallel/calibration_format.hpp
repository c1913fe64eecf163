#pragma once
// The number of the text format of calibrations, which changes with their entries: files of another one are not read.

namespace kinetree::inline inner {

inline constexpr int calibration_format = 11;

}  // namespace kinetree::inline inner
