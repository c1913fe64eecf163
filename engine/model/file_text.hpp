#pragma once
// The text of a file that a user names: never a folder, a device or a named FIFO, which would give no text or no end.

#include <cstddef>
#include <filesystem>
#include <kinetree/export.hpp>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// What findings say of a file that can't be read, and how much of one is taken.
struct FileRules {
  std::string element = "file";         ///< what findings are about
  std::string advice;                   ///< what to give instead, e.g. "give a YAML file"
  std::size_t most_bytes = 256u << 20;  ///< a longer text is an error that names this limit
};

/// The text of an ordinary file. `-`, /dev/stdin and /dev/fd/N are texts that the caller has opened, pipes too. Empty,
/// with one error in `findings`: there is no such file, it is a folder, a device or a named FIFO, it can't be read, or
/// it is too long.
KINETREE_EXPORT std::string file_text(const std::filesystem::path& file, const FileRules& rules,
                                      std::vector<Finding>& findings);

/// The same for callers that give up at once. Throws InputError.
KINETREE_EXPORT std::string file_text(const std::filesystem::path& file, const FileRules& rules);

}  // namespace kinetree::inline inner
