#include "engine/algorithm/lanes/make_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_avx512_double(const Order& order) {
  return make_lanes<double, Pack<double, 1, Avx512>, Avx512>(order);
}
LaneSolver<double>* make_avx512_double_function(const Order& order) {
  return make_function_lanes<double, Pack<double, 1, Avx512>, Avx512>(order);
}
}  // namespace kinetree::inline inner::lanes
