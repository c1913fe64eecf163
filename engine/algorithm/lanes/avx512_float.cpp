#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<float>* make_avx512_float(const Order& order) {
  return make_lanes<float, Pack<float, 1, Avx512>, Avx512>(order);
}
LaneSolver<float>* make_avx512_float_function(const Order& order) {
  return make_function_lanes<float, Pack<float, 1, Avx512>, Avx512>(order);
}
}  // namespace kinetree::inline inner::lanes
