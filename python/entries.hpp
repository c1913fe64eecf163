#pragma once
// Coordinates by name: entries of v that an argument `held` or `independent` lists.

#include <pybind11/pybind11.h>

#include <kinetree/model.hpp>
#include <vector>

namespace kinetree::python {

/// Joints by name, or entries of v by number, one or several. Throws TypeError, and ValueError for no such joint.
std::vector<int> entries_from(const char* argument, pybind11::handle given, const Model& model);

}  // namespace kinetree::python
