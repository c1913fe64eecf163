#pragma once

#include <kinetree/export.hpp>
#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// A joint one of whose directions moves nothing.
struct IdleDirection {
  int body = -1;      ///< that the joint carries
  int direction = 0;  ///< the velocity of the joint that comes nearest to it
};

/// Joints with a direction that moves no inertia, so that D = SᵀP S is singular at each of three random configurations:
/// a massless tip, say. Massless bodies with mass outboard are not among them. `tied`: also joints of aggregates, as if
/// nothing tied them: where multipliers hold constraints the spanning tree is swept so.
KINETREE_EXPORT std::vector<IdleDirection> idle_directions(const ModelData& model, bool tied = false);

}  // namespace kinetree::inline inner
