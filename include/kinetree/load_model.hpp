#pragma once
// From a file to a Model. The functions stand in the component io (target kinetree::io).

#include <filesystem>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <string>
#include <vector>

namespace kinetree {

/// Loads .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml by its ending. Throws InputError with every finding of reading
/// and checking; where the build has no Assimp and Qhull or no libsdformat, that is the finding of a .xml or .sdf. Contacts
/// and actuators are left out, which a notice says.
KINETREE_EXPORT Model load_model(const std::filesystem::path& file, const LoadOptions& options = {});

/// A file's description as far as it could be read, and every finding on the way, errors among them; make_model throws
/// on these.
struct Reading {
  Description description;
  std::vector<Finding> findings;
};
/// Reads a file in the format that its ending names, as load_model does.
KINETREE_EXPORT Reading read_model(const std::filesystem::path& file);
/// Reads URDF, and URDF+ loops and couplings.
KINETREE_EXPORT Reading read_urdf(const std::filesystem::path& file);
/// Reads kinetree's own YAML.
KINETREE_EXPORT Reading read_yaml(const std::filesystem::path& file);
/// Reads URDF from `text`; findings call it `name`.
KINETREE_EXPORT Reading read_urdf_text(const std::string& text, const std::string& name);
/// Reads YAML from `text`; findings call it `name`.
KINETREE_EXPORT Reading read_yaml_text(const std::string& text, const std::string& name);

}  // namespace kinetree
