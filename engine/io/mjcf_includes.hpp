#pragma once

#include <filesystem>
#include <vector>

#include "engine/io/includes.hpp"

namespace kinetree::inline inner {

/// Files that an MJCF document names: what it includes, and its meshes, height fields, textures and skins, which MuJoCo
/// opens too. All of them are looked for beside `model`, the outermost file, as MuJoCo does. `alias`: the name under
/// which MuJoCo knows the outermost text.
std::vector<Include> mjcf_includes(const tinyxml2::XMLDocument& document, const std::filesystem::path& model,
                                   const std::string& alias);

}  // namespace kinetree::inline inner
