#pragma once

#include <kinetree/model/description.hpp>

#include "family_text.hpp"

namespace kinetree {

/// The families `geared` and `fourbars`; their parameters stand in loop_families.cpp.
Description loop_family(const FamilyText& family);

}  // namespace kinetree
