#pragma once

#include <kinetree/description.hpp>

#include "engine/model/family_text.hpp"

namespace kinetree::inline inner {

/// The family `rope`; its parameters stand in rope_family.cpp.
Description rope_family(const FamilyText& family);

}  // namespace kinetree::inline inner
