#include "engine/io/sdf_includes.hpp"

#include <sdf/SDFImpl.hh>
#include <sdf/parser.hh>
#include <string_view>

namespace kinetree::inline inner {

namespace {

namespace fs = std::filesystem;

void add(const std::string& uri, int line, const sdf::ParserConfig& config, std::vector<Include>& all) {
  const fs::path found = sdf::findFile(uri, true, true, config);
  std::error_code error;
  if (!fs::is_directory(found, error)) return all.push_back({uri, found, line, true});
  for (const char* name : {"model.config", "manifest.xml"}) {
    const fs::path list = found / name;
    if (!fs::exists(list, error)) continue;
    all.push_back({uri, list, line, false});
    // libsdformat reads the list to find the model, so one that can't be read ends here
    if (fs::is_regular_file(list, error)) all.push_back({uri, sdf::getModelFilePath(found.string()), line, true});
    return;
  }
}

}  // namespace

std::vector<Include> sdf_includes(const tinyxml2::XMLDocument& document, const sdf::ParserConfig& config) {
  std::vector<Include> all;
  each_element(*document.RootElement(), [&](const tinyxml2::XMLElement& e) {
    const auto* uri = std::string_view(e.Name()) == "include" ? e.FirstChildElement("uri") : nullptr;
    if (uri && uri->GetText()) add(uri->GetText(), e.GetLineNum(), config, all);
  });
  return all;
}

}  // namespace kinetree::inline inner
