#pragma once
// The rules a Description must keep, before anything is built from it.

#include <kinetree/model/model.hpp>

namespace kinetree {

/// Checks names, topology, types, numbers; normalizes axes and quaternions in place. Findings are appended in file
/// order. Returns the bodies in depth-first order, siblings in the user's order (empty where the topology is at fault).
std::vector<int> check_description(Description& description, const LoadOptions& options,
                                   std::vector<Finding>& findings);

}  // namespace kinetree
