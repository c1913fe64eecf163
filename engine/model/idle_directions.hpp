#pragma once

#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// A joint one of whose directions moves nothing.
struct IdleDirection {
  int body = -1;      ///< that the joint carries
  int direction = 0;  ///< the velocity of the joint that comes nearest to it
};

/// Joints with a direction that moves no inertia, so that D = SᵀP S is singular at each of three random configurations:
/// a massless tip, say. Massless bodies with mass outboard are not among them.
std::vector<IdleDirection> idle_directions(const ModelData& model);

}  // namespace kinetree::inline inner
