#pragma once

#include <vector>

#include <kinetree/model/model.hpp>

namespace kinetree {

/// Bodies whose joint has a direction that moves no inertia, so that SᵀP S is singular at each of three random
/// configurations: a massless tip, say. Massless bodies with mass outboard are not among them.
std::vector<int> joints_without_inertia(const ModelData& model);

}  // namespace kinetree
