#include "engine/io/mjcf_document.hpp"

#include <algorithm>
#include <utility>

#include "engine/io/xml_text.hpp"

namespace kinetree::inline inner {

namespace fs = std::filesystem;

/// Files are parsed as they are met; each keeps its document.
class MjcfExpansion {
 public:
  MjcfExpansion(MjcfDocument& document, const std::string& file, IncludeGuard& guard, Description& whole, int& lines,
                std::vector<Finding>& findings)
      : document_(document), outermost_(file), guard_(guard), whole_(whole), lines_(lines), findings_(findings) {}

  bool run(const std::string& text) {
    const std::size_t before = findings_.size();
    before_ = lines_;
    if (before_ > 0) whole_.included.push_back({outermost_, before_});  // a model that another one attaches
    const tinyxml2::XMLElement* root = parse(text, outermost_);
    if (!root) return false;
    if (std::string_view(root->Name()) != "mujoco") {
      const bool urdf = std::string_view(root->Name()) == "robot";
      return refuse(outermost_, root->GetLineNum(),
                    "the root element is <" + std::string(root->Name()) + "> where <mujoco> belongs" +
                        (urdf ? "; a URDF's name ends in .urdf" : ""));
    }
    document_.root_ = {root, folder(outermost_), before_};
    expand(*root, outermost_, 1, document_.root_);
    return findings_.size() == before;
  }

 private:
  static constexpr int deepest = 500;  // of all files together; tinyxml2 allows 100 in one

  bool refuse(const std::string& file, int line, std::string message) {
    findings_.push_back({Severity::error, file, line, "file", std::move(message)});
    return false;
  }

  const fs::path* folder(const std::string& file) {
    document_.folders_.push_back(std::make_unique<fs::path>(fs::path(file).parent_path()));
    return document_.folders_.back().get();
  }

  /// Null, with a finding: the text is no XML, or has no element. Its lines go on behind those so far.
  const tinyxml2::XMLElement* parse(const std::string& text, const std::string& file) {
    document_.documents_.push_back(std::make_unique<tinyxml2::XMLDocument>());
    tinyxml2::XMLDocument& xml = *document_.documents_.back();
    if (!parse_xml(text, file, xml, findings_)) return nullptr;
    const tinyxml2::XMLElement* root = xml.RootElement();
    if (!root) return refuse(file, 1, "has no root element; give <mujoco>"), nullptr;
    if (const auto* second = root->NextSiblingElement())
      return refuse(file, second->GetLineNum(),
                    "has a second root element, <" + std::string(second->Name()) + ">, behind <" + root->Name() +
                        ">; close that one at the end"),
             nullptr;
    lines_ += 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    return root;
  }

  void expand(const tinyxml2::XMLElement& xml, const std::string& file, int depth, MjcfElement& into) {
    const fs::path* const here = document_.folders_[static_cast<std::size_t>(innermost_)].get();
    const int before = before_;
    for (const auto* c = xml.FirstChildElement(); c && !guard_.enough(); c = c->NextSiblingElement()) {
      if (depth >= deepest) {
        refuse(file, c->GetLineNum(), "elements nest deeper than " + std::to_string(deepest) + "; close them");
        return;
      }
      if (std::string_view(c->Name()) == "include") {
        include(*c, file, depth, into);
      } else {
        into.children.push_back({c, here, before});
        expand(*c, file, depth + 1, into.children.back());
      }
    }
  }

  /// MuJoCo looks beside the outermost file first.
  void include(const tinyxml2::XMLElement& e, const std::string& file, int depth, MjcfElement& into) {
    const char* written = e.Attribute("file");
    if (!written) return void(refuse(file, e.GetLineNum(), "<include> names no file; give file=\"...\""));
    Include found{written, {}, e.GetLineNum()};
    for (const std::string& beside : {outermost_, file}) {
      std::error_code error;
      found.file = fs::path(beside).parent_path() / written;
      if (fs::exists(found.file, error)) break;
    }
    std::string text;
    if (!guard_.enter(found, file, text)) return;
    const std::string name = found.file.string();
    const int outer = innermost_, outer_before = before_, lines = lines_;
    if (const tinyxml2::XMLElement* root = parse(text, name)) {
      whole_.included.push_back({name, lines});
      folder(name);
      innermost_ = static_cast<int>(document_.folders_.size()) - 1;
      before_ = lines;
      expand(*root, name, depth, into);
      innermost_ = outer, before_ = outer_before;
    }
    guard_.leave();
  }

  MjcfDocument& document_;
  const std::string outermost_;
  IncludeGuard& guard_;
  Description& whole_;
  int& lines_;
  std::vector<Finding>& findings_;
  int innermost_ = 0, before_ = 0;
};

bool MjcfDocument::read(const std::string& text, const std::string& file, IncludeGuard& guard, Description& whole,
                        int& lines, std::vector<Finding>& findings) {
  return MjcfExpansion(*this, file, guard, whole, lines, findings).run(text);
}

}  // namespace kinetree::inline inner
