#pragma once
// Included files of a newer SDFormat than libsdformat knows: it reads them from disk itself, so that it is given copies
// in its own words, in a folder that lives as long as this.

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

  /// Copies by what stands in <uri>.
  const std::map<std::string, std::string>& copies() const { return copies_; }

  /// A text with the names of the files themselves in the place of copies'.
  std::string with_originals(std::string text) const;

 private:
  bool needs_copies(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config, const Each& each);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> seen_;  ///< copies by file; empty: it needs none
  std::map<std::string, std::string> copies_, originals_;
};

}  // namespace kinetree::inline inner
