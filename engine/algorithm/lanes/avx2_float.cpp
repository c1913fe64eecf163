#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<float>* make_avx2_float(const Order& order) { return make_lanes<float, Pack<float, 1, Avx2>, Avx2>(order); }
LaneSolver<float>* make_avx2_float_function(const Order& order) {
  return make_function_lanes<float, Pack<float, 1, Avx2>, Avx2>(order);
}
}  // namespace kinetree::inline inner::lanes
