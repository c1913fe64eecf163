#pragma once
// What follows from every body's parent.

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Fills subtree_end, children_begin, children and roots.
void connect(ModelData& model);

/// Fills nodes_begin and nodes, after children and aggregates.
void number_nodes(ModelData& model);

/// The same with the children that count, over bodies.
void number_nodes(ModelData& model, const std::vector<bool>& counts);

}  // namespace kinetree::inline inner
