#include "engine/algorithm/lanes/floating_lanes.hpp"

namespace kinetree::inline inner::lanes {
FloatingSteps* make_avx2_floating(const FloatingOrder& order) {
  return make_floating_lanes<Pack<double, 1, Avx2>, Pack<double, native_width<double, Avx2>, Avx2>>(order);
}
}  // namespace kinetree::inline inner::lanes
