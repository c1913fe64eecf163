#pragma once
// Results of forces that hold a mechanism together.

#include <kinetree/model.hpp>

#include "python/arrays.hpp"

namespace kinetree::python {

/// Which of these forces a function gives.
enum class Holding { loops, couplings, joints };

ResultShape shape_of(Holding what, const Model& model);

}  // namespace kinetree::python
