#pragma once
// A number by which programs on several machines tell whether they have the same model.

#include <cstdint>
#include <kinetree/export.hpp>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Equal for models whose names and numbers are equal bit for bit; else different, but for a chance of 2⁻⁶⁴. What is
/// derived from these, looks and findings are left out.
KINETREE_EXPORT std::uint64_t digest(const ModelData& model);

}  // namespace kinetree::inline inner
