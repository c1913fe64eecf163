#pragma once
// A description as the words of the YAML format.

#include <pybind11/pybind11.h>

#include <kinetree/description.hpp>

namespace kinetree::python {

namespace py = pybind11;

/// A dict. Throws InputError where no model can be made of the description.
py::object yaml_words(const Description& description);

}  // namespace kinetree::python
