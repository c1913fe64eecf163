#pragma once

#include <kinetree/model/description.hpp>

#include "family_text.hpp"

namespace kinetree {

/// The family `rope`; its parameters stand in rope_family.cpp.
Description rope_family(const FamilyText& family);

}  // namespace kinetree
