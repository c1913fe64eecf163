#include "engine/io/mjcf_includes.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

namespace kinetree::inline inner {

namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class Collector {
 public:
  Collector(const fs::path& model, const std::string& alias) : model_(model), alias_(alias) {}

  void folder(const tinyxml2::XMLElement& e) {
    if (std::string_view(e.Name()) != "compiler") return;
    for (const char* which : {"meshdir", "texturedir", "assetdir"})
      if (const char* name = e.Attribute(which)) folders_.emplace_back(model_.parent_path() / name);
  }

  void file(const tinyxml2::XMLElement& e) {
    const std::string_view tag = e.Name();
    const char* name = e.Attribute("file");
    if (name && tag == "include")
      include(name, e.GetLineNum());
    else if (name && (tag == "mesh" || tag == "hfield" || tag == "texture" || tag == "skin"))
      asset(name, e.GetLineNum());
  }

  std::vector<Include> take() { return std::move(all_); }

 private:
  void include(const std::string& name, int line) {
    // MuJoCo finds a text that is in memory by its name alone, in any folder and in either case
    const bool itself = lower(fs::path(name).filename().string()) == lower(alias_);
    const fs::path file = itself ? model_ : model_.parent_path() / name;
    std::error_code error;
    if (itself || fs::exists(file, error)) all_.push_back({name, file, line, true});
  }

  /// Ordinary files are MuJoCo's to read; only what is none is handed on to be refused.
  void asset(const std::string& name, int line) {
    for (const fs::path& folder : folders_) {
      std::error_code error;
      const fs::path file = folder / name, alone = folder / fs::path(name).filename();
      for (const fs::path& each : {file, alone})  // alone: with strippath
        if (fs::exists(each, error) && !fs::is_regular_file(each, error))
          return all_.push_back({name, each, line, false});
    }
  }

  const fs::path& model_;
  const std::string& alias_;
  std::vector<fs::path> folders_{model_.parent_path()};
  std::vector<Include> all_;
};

}  // namespace

std::vector<Include> mjcf_includes(const tinyxml2::XMLDocument& document, const fs::path& model,
                                   const std::string& alias) {
  Collector collector(model, alias);
  const tinyxml2::XMLElement& root = *document.RootElement();
  each_element(root, [&](const tinyxml2::XMLElement& e) { collector.folder(e); });
  each_element(root, [&](const tinyxml2::XMLElement& e) { collector.file(e); });
  return collector.take();
}

bool mjcf_files_are_sound(const XmlLines& lines, const std::string& file, const std::string& alias,
                          std::vector<Finding>& findings, int most_of_a_kind) {
  std::map<std::string, int> elements;
  const auto includes_of = [&](const tinyxml2::XMLDocument& x, const std::string&) {
    each_element(*x.RootElement(), [&](const tinyxml2::XMLElement& e) { ++elements[e.Name()]; });
    return mjcf_includes(x, file, alias);
  };
  bool sound = check_includes(lines.document(), file, includes_of, findings);
  for (const auto& [tag, count] : elements)
    if (count > most_of_a_kind) {
      sound = false;
      findings.push_back({Severity::error, file, lines.first(tag), "<" + tag + ">",
                          "stands " + std::to_string(count) + " times, and " + std::to_string(most_of_a_kind) +
                              " is the limit; a YAML model or a URDF may have more"});
    }
  return sound;
}

}  // namespace kinetree::inline inner
