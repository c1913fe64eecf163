#include "engine/algorithm/lanes/pack_solver.hpp"

namespace kinetree::lanes {
LaneSolver<double>* make_avx2_double(const Order& order) {
  return make_lanes<double, Pack<double, 1, Avx2>, Avx2>(order);
}
}  // namespace kinetree::lanes
