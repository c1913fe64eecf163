#include "engine/io/sdf_essentials.hpp"

#include "engine/io/added_mimic.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

class Writer {
 public:
  Writer(const std::set<int>& faulty, std::map<std::string, SdfLoad::Unknown>& left_out)
      : faulty_(faulty), left_out_(left_out) {}

  // recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
  void write(const XMLElement& e) {
    while (line_ < e.GetLineNum()) add("\n");
    add("<" + std::string(e.Name()));
    for (const auto* a = e.FirstAttribute(); a; a = a->Next())
      add(" " + std::string(a->Name()) + "=\"" + escaped(a->Value()) + "\"");
    add(">");
    for (const tinyxml2::XMLNode* n = e.FirstChild(); n; n = n->NextSibling()) {
      const XMLElement* child = n->ToElement();
      if (child == nullptr) {
        if (n->ToText()) add(escaped(n->Value()));
      } else if (is_left_out(*child, e)) {
        SdfLoad::Unknown& seen = left_out_[child->Name()];
        if (seen.count++ == 0) seen.line = child->GetLineNum();
      } else {
        write(*child);
      }
    }
    add("</" + std::string(e.Name()) + ">");
  }
  std::string text() && { return std::move(text_); }

 private:
  bool is_left_out(const XMLElement& child, const XMLElement& e) const {
    return without_part(child.Name(), e.Name()) && !is_mimic_plugin(child) && (faulty_.empty() || has_fault(child));
  }
  /// Whether an element, or one in it, stands on a faulty line.
  bool has_fault(const XMLElement& e) const {
    if (faulty_.count(e.GetLineNum())) return true;
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
      if (has_fault(*c)) return true;
    return false;
  }

  void add(const std::string& more) {
    for (const char c : more) line_ += c == '\n';
    text_ += more;
  }

  static std::string escaped(std::string_view plain) {
    std::string text;
    for (const char c : plain) switch (c) {
        case '&':
          text += "&amp;";
          break;
        case '<':
          text += "&lt;";
          break;
        case '>':
          text += "&gt;";
          break;
        case '"':
          text += "&quot;";
          break;
        default:
          text += c;
      }
    return text;
  }

  const std::set<int>& faulty_;
  std::map<std::string, SdfLoad::Unknown>& left_out_;
  std::string text_;
  int line_ = 1;
};

}  // namespace

bool without_part(std::string_view tag, std::string_view parent) {
  static const std::map<std::string_view, std::set<std::string_view>> without{
      {"link",
       {"visual", "collision", "sensor", "light", "projector", "audio_sink", "audio_source", "battery",
        "particle_emitter", "plugin"}},
      {"joint", {"sensor", "physics", "plugin"}},
      {"model", {"plugin", "gripper"}},
      {"world",
       {"plugin", "physics", "scene", "light", "audio", "gui", "road", "state", "population", "actor", "wind",
        "atmosphere", "magnetic_field", "spherical_coordinates"}}};
  const auto found = without.find(parent);
  return found != without.end() && found->second.count(tag) > 0;
}

bool is_mimic_plugin(const XMLElement& e) {
  const char *file = e.Attribute("filename"), *name = e.Attribute("name");
  return std::string_view(e.Name()) == "plugin" && is_mimic_plugin(file ? file : "", name ? name : "");
}

std::string sdf_essentials(const XMLElement& root, const std::set<int>& faulty,
                           std::map<std::string, SdfLoad::Unknown>& left_out) {
  Writer writer(faulty, left_out);
  writer.write(root);
  return std::move(writer).text();
}

}  // namespace kinetree::inline inner
