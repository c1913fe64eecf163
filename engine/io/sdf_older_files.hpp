#pragma once
// Included files of a newer SDFormat than libsdformat knows, and those that include others: it reads them from disk
// itself, so that it is given copies in its own words, with files where they are found, in a folder that lives as long
// as this.

#include <tinyxml2.h>

#include <filesystem>
#include <functional>
#include <map>
#include <sdf/ParserConfig.hh>
#include <string>

namespace kinetree::inline inner {

class OlderSdfFiles {
 public:
  OlderSdfFiles() = default;
  ~OlderSdfFiles();
  OlderSdfFiles(const OlderSdfFiles&) = delete;
  OlderSdfFiles& operator=(const OlderSdfFiles&) = delete;

  /// Makes copies of what a document includes, in any depth, where they are needed. The includes were looked at before:
  /// none includes itself. `each` is called for every included SDFormat file, once. Throws
  /// std::filesystem::filesystem_error where no copy can be made.
  using Each = std::function<void(const tinyxml2::XMLElement& root, const std::string& file)>;
  void look(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config, const Each& each);

  /// Copies, or files as they are found, by what stands in <uri>.
  const std::map<std::string, std::string>& copies() const { return copies_; }

  /// Files by their copies.
  const std::map<std::string, std::string>& originals() const { return originals_; }

  /// A text with the names of the files themselves in the place of copies'.
  std::string with_originals(std::string text) const;

 private:
  bool needs_copies(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config, const Each& each,
                    bool included);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> seen_;  ///< copies by file; empty: it needs none
  std::map<std::string, std::string> copies_, originals_;
};

}  // namespace kinetree::inline inner
