#include "engine/io/includes.hpp"

#include <algorithm>
#include <utility>

#include "engine/io/xml_limits.hpp"
#include "engine/model/file_text.hpp"

namespace kinetree::inline inner {

namespace {

namespace fs = std::filesystem;

class IncludeWalk {
 public:
  IncludeWalk(const IncludesOf& includes_of, const IncludeLimits& most, std::vector<Finding>& findings)
      : includes_of_(includes_of), most_(most), findings_(findings) {}

  void go(const tinyxml2::XMLDocument& document, const std::string& file) {
    around_.push_back(same(file));
    for (const Include& include : includes_of_(document, file))
      if (!enough_ && !include.file.empty()) follow(include, file);
    around_.pop_back();
  }

 private:
  /// One spelling for all names of a file.
  static fs::path same(const fs::path& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(fs::absolute(file, error), error);
    return error ? file : path;
  }

  void refuse(const Include& include, const std::string& file, const std::string& message) {
    findings_.push_back({Severity::error, file, include.line, "include \"" + include.written + "\"", message});
  }

  /// The rest is not looked at: it would only repeat this.
  void stop(const Include& include, const std::string& file, std::size_t most, const char* of) {
    enough_ = true;
    refuse(include, file, "makes more than " + std::to_string(most) + " " + of + ", which is the limit; include less");
  }

  void follow(const Include& include, const std::string& file) {
    const fs::path path = same(include.file);
    if (const auto first = std::find(around_.begin(), around_.end(), path); first != around_.end()) {
      std::string circle;
      for (auto each = first; each != around_.end(); ++each) circle += each->filename().string() + " -> ";
      return refuse(include, file,
                    "includes a file that it stands in: " + circle + path.filename().string() + "; take it out");
    }
    if (++files_ > most_.files) return stop(include, file, most_.files, "includes");
    std::vector<Finding> faults;
    const std::string text = file_text(include.file, {.element = "", .advice = "name a file"}, faults);
    for (const Finding& fault : faults) refuse(include, file, "the file " + fault.file + " " + fault.message);
    if (!faults.empty()) return;
    bytes_ += text.size();
    if (bytes_ > most_.bytes) return stop(include, file, most_.bytes, "bytes of included text");
    if (!include.followed || !xml_within_limits(text, include.file.string(), findings_)) return;
    tinyxml2::XMLDocument document;
    const bool well_formed = document.Parse(text.c_str(), text.size()) == tinyxml2::XML_SUCCESS;
    if (well_formed && document.RootElement()) go(document, include.file.string());
  }

  const IncludesOf& includes_of_;
  const IncludeLimits& most_;
  std::vector<Finding>& findings_;
  std::vector<fs::path> around_;  ///< the files that the present one is included by, outermost first, and itself
  std::size_t files_ = 0, bytes_ = 0;
  bool enough_ = false;
};

}  // namespace

bool check_includes(const tinyxml2::XMLDocument& document, const std::string& file, const IncludesOf& includes_of,
                    std::vector<Finding>& findings, const IncludeLimits& limits) {
  const std::size_t before = findings.size();
  IncludeWalk(includes_of, limits, findings).go(document, file);
  return findings.size() == before;
}

}  // namespace kinetree::inline inner
