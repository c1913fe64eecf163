#pragma once
// Where files that an SDFormat file names are looked for: models that it includes, and meshes.

#include <filesystem>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// The text of a URI behind its scheme `model://`, `package://` or `file://`; as it is, where it has none of these.
std::string without_scheme(const std::string& uri);

/// Whether a URI leads to another machine.
bool is_remote(const std::string& uri);

/// A file, or a model's folder, in `folder`, in the folder that this stands in, or in one that the environment's
/// GZ_SIM_RESOURCE_PATH or IGN_GAZEBO_RESOURCE_PATH lists; empty: none.
std::filesystem::path find_for_sdf(const std::string& uri, const std::filesystem::path& folder);

}  // namespace kinetree::inline inner
