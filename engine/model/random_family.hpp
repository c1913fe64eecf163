#pragma once

#include <kinetree/description.hpp>

#include "engine/model/family_text.hpp"

namespace kinetree::inline inner {

/// The family `random`; its parameters stand in random_family.cpp.
Description random_family(const FamilyText& family);

}  // namespace kinetree::inline inner
