#pragma once

#include <filesystem>
#include <vector>

#include "engine/io/includes.hpp"
#include "engine/io/xml_lines.hpp"

namespace kinetree::inline inner {

/// Files that an MJCF document names: what it includes, and its meshes, height fields, textures and skins, which MuJoCo
/// opens too. All of them are looked for beside `model`, the outermost file, as MuJoCo does. `alias`: the name under
/// which MuJoCo knows the outermost text.
std::vector<Include> mjcf_includes(const tinyxml2::XMLDocument& document, const std::filesystem::path& model,
                                   const std::string& alias);

/// Looks at the files and counts what MuJoCo would build: its time grows with the square of the number of one kind.
/// False, with errors, where an included file is none to read, or elements of a kind are too many.
bool mjcf_files_are_sound(const XmlLines& lines, const std::string& file, const std::string& alias,
                          std::vector<Finding>& findings, int most_of_a_kind = 20000);

}  // namespace kinetree::inline inner
