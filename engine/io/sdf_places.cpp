#include "engine/io/sdf_places.hpp"

#include <algorithm>

#include "engine/io/includes.hpp"
#include "engine/io/sdf_errors.hpp"

namespace kinetree::inline inner {

void SdfPlaces::note(const tinyxml2::XMLElement& root, const std::string& file) {
  const bool outermost = std::exchange(outermost_, false);
  if (!outermost && (root.Name() != std::string_view("sdf") || !before_.emplace(file, lines_).second)) return;
  if (!outermost) included_.push_back({file, lines_});
  int last = 0;
  each_element(root, [&](const tinyxml2::XMLElement& e) {
    last = std::max(last, e.GetLineNum());
    const char* const name = outermost ? nullptr : e.Attribute("name");
    if (name == nullptr) return;
    int& line = named_[{e.Name(), name}];
    if (line == 0 || line > lines_) line = lines_ + e.GetLineNum();
  });
  lines_ += last;
}

std::string SdfPlaces::original(const std::string& file) const {
  const auto found = originals_.find(file);
  return found == originals_.end() ? file : found->second;
}

int SdfPlaces::line_in(const std::string& file, int line) const {
  if (file.empty() || file == name_of_sdf_text) return line;
  const auto found = before_.find(original(file));
  return found == before_.end() || line == 0 ? 0 : found->second + line;
}

int SdfPlaces::line_of(const sdf::ElementPtr& element) const {
  return element ? line_in(element->FilePath(), element->LineNumber().value_or(0)) : 0;
}

int SdfPlaces::line_of(const std::string& tag, const std::string& name) const {
  const auto found = named_.find({tag, name});
  return found == named_.end() ? 0 : found->second;
}

std::string SdfPlaces::file_of(const sdf::ElementPtr& element) const {
  const std::string file = element ? element->FilePath() : "";
  return file == name_of_sdf_text ? "" : original(file);
}

}  // namespace kinetree::inline inner
