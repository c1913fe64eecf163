#pragma once
// From a file to a Model.

#include <filesystem>
#include <kinetree/model.hpp>
#include <string>
#include <vector>

namespace kinetree {

/// Loads .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml by its ending; throws InputError with every finding of reading
/// and checking.
Model load_model(const std::filesystem::path& file, const LoadOptions& options = {});

/// A file's description as far as it could be read, and the findings on the way.
struct Reading {
  Description description;
  std::vector<Finding> findings;
};
/// By the file's ending, as load_model.
Reading read_model(const std::filesystem::path& file);
Reading read_urdf(const std::filesystem::path& file);
Reading read_yaml(const std::filesystem::path& file);
/// The same from text; `name` stands for the file in findings.
Reading read_urdf_text(const std::string& text, const std::string& name);
Reading read_yaml_text(const std::string& text, const std::string& name);

}  // namespace kinetree
