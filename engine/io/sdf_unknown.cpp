#include "engine/io/sdf_unknown.hpp"

#include <string_view>

#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_words.hpp"

namespace kinetree::inline inner {
namespace {

// recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
void note_unknown_below(const tinyxml2::XMLElement& e, const SdfTags& known, const std::string& file, SdfLoad& out) {
  const std::string around = e.Name();
  if (around == "plugin" || around == "include") return;
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const std::string tag = c->Name();
    if (tag.find(':') != std::string::npos) continue;  // a user's own
    const SdfNewer newer = newer_in_sdf(tag, around);
    if (known.count({around, tag}) || newer == SdfNewer::read) {
      if (newer != SdfNewer::read) note_unknown_below(*c, known, file, out);
      continue;
    }
    SdfLoad::Unknown& seen = (newer == SdfNewer::left_out ? out.left_out : out.unknown)[tag];
    if (seen.count++ == 0) seen = {c->GetLineNum(), 1, file, std::string(meant_in_sdf(tag, around))};
  }
}

}  // namespace

void take_sdf_tags(const std::string& around, const sdf::ElementPtr& e, SdfTags& out) {
  out.insert({around, e->GetName()});
  // recursion is bounded: elements that stand in themselves are described without what is in them
  for (unsigned k = 0; k < e->GetElementDescriptionCount(); ++k)
    take_sdf_tags(e->GetName(), e->GetElementDescription(k), out);
}

void note_unknown_in_file(const tinyxml2::XMLElement& root, const SdfTags& known, const std::string& file,
                          SdfLoad& out) {
  const std::string_view version = root.Attribute("version") ? root.Attribute("version") : "";
  if (version == "1.9" || needs_older_sdf(root)) note_unknown_below(root, known, file, out);
}

}  // namespace kinetree::inline inner
