#pragma once
// States of the spatial biped (configs/models/biped.yaml) and its accelerations.

#include <vector>

namespace kinetree::sko {

/// 12 entries each, in the model's order; rad, rad/s, N m, rad/s².
struct BipedState {
  std::vector<double> q, v, tau, acceleration;
};
const std::vector<BipedState>& biped_states();

}  // namespace kinetree::sko
