#include "engine/algorithm/lanes/make_derivative_lanes.hpp"

namespace kinetree::inline inner::lanes {
LaneSolver<double>* make_avx2_double_derivatives(const Order& order) {
  return make_derivative_lanes<double, Pack<double, 1, Avx2>, Avx2>(order);
}
LaneSolver<float>* make_avx2_float_derivatives(const Order& order) {
  return make_derivative_lanes<float, Pack<float, 1, Avx2>, Avx2>(order);
}
}  // namespace kinetree::inline inner::lanes
