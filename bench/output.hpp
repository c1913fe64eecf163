#pragma once
// Files the command leaves.

#include <filesystem>
#include <string>

namespace kinetree::bench {

/// With all folders above it. Throws std::runtime_error where it can't be made.
void make_folder(const std::filesystem::path& folder);

/// Throws std::runtime_error where it can't be written.
void write_file(const std::filesystem::path& file, const std::string& text);
/// The same, and prints its path.
void write_and_tell(const std::filesystem::path& file, const std::string& text);

}  // namespace kinetree::bench
