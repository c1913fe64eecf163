#include "engine/io/include_guard.hpp"

#include <algorithm>

#include "engine/model/file_text.hpp"

namespace kinetree::inline inner {

namespace {

namespace fs = std::filesystem;

/// One spelling for all names of a file.
fs::path same(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(fs::absolute(file, error), error);
  return error ? file : path;
}

}  // namespace

IncludeGuard::IncludeGuard(const std::string& outermost, std::vector<Finding>& findings, const IncludeLimits& limits)
    : findings_(findings), most_(limits), around_{same(outermost)} {}

void IncludeGuard::refuse(const Include& include, const std::string& includer, const std::string& message) {
  findings_.push_back({Severity::error, includer, include.line, "include \"" + include.written + "\"", message});
}

bool IncludeGuard::stop(const Include& include, const std::string& includer, std::size_t most, const char* of) {
  enough_ = true;
  refuse(include, includer,
         "makes more than " + std::to_string(most) + " " + of + ", which is the limit; include less");
  return false;
}

bool IncludeGuard::enter(const Include& include, const std::string& includer, std::string& text) {
  const fs::path path = same(include.file);
  if (const auto first = std::find(around_.begin(), around_.end(), path); first != around_.end()) {
    std::string circle;
    for (auto each = first; each != around_.end(); ++each) circle += each->filename().string() + " -> ";
    refuse(include, includer,
           "includes a file that it stands in: " + circle + path.filename().string() + "; take it out");
    return false;
  }
  if (++files_ > most_.files) return stop(include, includer, most_.files, "includes");
  std::vector<Finding> faults;
  text = file_text(include.file, {.element = "", .advice = "name a file"}, faults);
  for (const Finding& fault : faults) refuse(include, includer, "the file " + fault.file + " " + fault.message);
  if (!faults.empty()) return false;
  bytes_ += text.size();
  if (bytes_ > most_.bytes) return stop(include, includer, most_.bytes, "bytes of included text");
  around_.push_back(path);
  return true;
}

}  // namespace kinetree::inline inner
