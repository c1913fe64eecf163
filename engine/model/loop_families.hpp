#pragma once

#include <kinetree/description.hpp>

#include "engine/model/family_text.hpp"

namespace kinetree::inline inner {

/// The families `geared`, `fourbars` and `ring`; their parameters stand in loop_families.cpp.
Description loop_family(const FamilyText& family);

}  // namespace kinetree::inline inner
