#pragma once

#include <kinetree/description.hpp>

#include "engine/model/family_text.hpp"

namespace kinetree {

/// The family `random`; its parameters stand in random_family.cpp.
Description random_family(const FamilyText& family);

}  // namespace kinetree
