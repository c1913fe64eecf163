#pragma once
// What a shape of a link must be.

#include <kinetree/description.hpp>
#include <kinetree/export.hpp>
#include <string>

namespace kinetree::inline inner {

/// What is wrong with a shape, as a clause with the value and the advice (`size has 2 numbers; a box takes 3`); empty:
/// nothing. Whether its frame's quaternion is of unit length is not looked at.
KINETREE_EXPORT std::string fault_of_shape(const ShapeDescription& shape);

}  // namespace kinetree::inline inner
