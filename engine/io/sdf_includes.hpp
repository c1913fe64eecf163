#pragma once

#include <sdf/ParserConfig.hh>
#include <vector>

#include "engine/io/includes.hpp"

namespace kinetree::inline inner {

/// What an SDFormat document includes, found as libsdformat finds it with this configuration. A model's folder gives
/// two files: the list in it and the model that the list names.
std::vector<Include> sdf_includes(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config);

}  // namespace kinetree::inline inner
