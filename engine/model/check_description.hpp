#pragma once
// The rules a Description must keep, before anything is built from it.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>

namespace kinetree::inline inner {

/// How the bodies of a Description hang together, by their place in it. Empty where that is at fault.
struct Topology {
  std::vector<int> order;   ///< depth first, siblings in the user's order
  std::vector<int> parent;  ///< over bodies; -1: the world
};

/// Checks names, topology, types, numbers; normalizes axes and quaternions in place. Findings are appended.
Topology check_description(Description& description, const LoadOptions& options, std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
