#include "engine/algorithm/lanes/floating_lanes.hpp"

namespace kinetree::inline inner::lanes {
FloatingSteps* make_avx512_floating(const FloatingOrder& order) {
  return make_floating_lanes<Pack<double, 1, Avx512>, Pack<double, native_width<double, Avx512>, Avx512>>(order);
}
}  // namespace kinetree::inline inner::lanes
