#include "engine/io/sdf_older_files.hpp"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "engine/io/sdf_includes.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_text.hpp"

namespace kinetree::inline inner {

namespace fs = std::filesystem;

OlderSdfFiles::~OlderSdfFiles() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

void OlderSdfFiles::look(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config, const Each& each) {
  needs_copies(document, config, each, false);
}

// recursion is bounded: check_includes has refused circles and more than 1000 files
bool OlderSdfFiles::needs_copies(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config,
                                 const Each& each, bool included) {
  bool any = false;
  for (const Include& include : sdf_includes(document, config)) {
    if (!include.followed || include.file.empty()) continue;
    const auto [seen, fresh] = seen_.try_emplace(include.file);
    if (fresh) {
      std::ifstream in(include.file);
      std::ostringstream text;
      text << in.rdbuf();
      tinyxml2::XMLDocument inner;
      // of a URDF libsdformat makes SDFormat of its own version
      const bool is_sdf = inner.Parse(text.str().c_str()) == tinyxml2::XML_SUCCESS && inner.RootElement() &&
                          std::string_view(inner.RootElement()->Name()) == "sdf";
      if (is_sdf) each(*inner.RootElement(), include.file.string());
      const bool of_copies = is_sdf && needs_copies(inner, config, each, true);
      if (of_copies || (is_sdf && needs_older_sdf(*inner.RootElement()))) {
        if (folder_.empty()) {
          std::string name = (fs::temp_directory_path() / "kinetree-sdf-XXXXXX").string();
          if (mkdtemp(name.data()) == nullptr)
            throw fs::filesystem_error("no folder for copies", name, std::error_code(errno, std::generic_category()));
          folder_ = name;
        }
        const std::string copy = (folder_ / (std::to_string(originals_.size()) + ".sdf")).string();
        std::ofstream out(copy);
        out << sdf_text(*inner.RootElement(), {}, copies_);
        if (!out.flush())
          throw fs::filesystem_error("can't be written", copy, std::error_code(errno, std::generic_category()));
        originals_.emplace(copy, include.file.string());
        seen_[include.file] = copy;
      }
    }
    const std::string& copy = seen_.at(include.file);
    if (copy.empty() && !included) continue;
    // where an included file includes others, libsdformat does not look for them by the configuration
    copies_[include.written] = copy.empty() ? include.file.string() : copy;
    any = true;
  }
  return any;
}

std::string OlderSdfFiles::with_originals(std::string text) const {
  for (const auto& [copy, original] : originals_)
    for (std::size_t at = 0; (at = text.find(copy, at)) != std::string::npos; at += original.size())
      text.replace(at, copy.size(), original);
  return text;
}

}  // namespace kinetree::inline inner
