#pragma once
// What loops and couplings add to the picture of a tree: shaded aggregates, a legend that says why, dashed lines.

#include "bench/show/mechanism.hpp"
#include "bench/show/tree_picture.hpp"

namespace kinetree::bench {

/// Shades, legend and lines. Adds nothing where the model has no aggregate.
void add_aggregates(const Mechanism& mechanism, TreePicture& picture);

/// The lines alone, and what they mean.
void add_ties(const Mechanism& mechanism, TreePicture& picture);

}  // namespace kinetree::bench
