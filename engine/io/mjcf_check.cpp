#include "engine/io/mjcf_check.hpp"

#include <sstream>
#include <vector>

#include "engine/io/mjcf_words.hpp"
#include "engine/model/slips.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; (at = words.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    all.push_back(words.substr(at, end - at));
    at = end;
  }
  return all;
}

/// What to do about an unknown word.
std::string advice(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string meant = if_meant(word, known);
  return meant.empty() ? "; correct it" : meant;
}

void check_attributes(MjcfReading& r, const MjcfElement& e, const MjcfWord& word) {
  for (const auto* a = e.xml->FirstAttribute(); a; a = a->Next()) {
    if (allows(word, a->Name())) continue;
    std::vector<std::string_view> known = split(word.attributes);
    if (word.placed)
      for (const std::string_view one : split(mjcf_pose_attributes)) known.push_back(one);
    r.refuse(e, std::string("unknown attribute ") + a->Name() + advice(a->Name(), known));
  }
}

void check(MjcfReading& r, const MjcfElement& e, std::string_view within) {
  std::vector<std::string_view> known;
  for (const MjcfElement& c : e.children) {
    const MjcfWord* word = mjcf_word(within, c.tag());
    if (word) {
      if (word->part != MjcfPart::read || word->attributes.empty()) continue;
      check_attributes(r, c, *word);
      // every section but these knows what may stand in it; the elements of the others have no part in the dynamics
      const std::string_view tag = c.tag();
      if (tag != "actuator" && tag != "sensor" && within != "equality" && !c.children.empty()) check(r, c, tag);
      continue;
    }
    if (known.empty()) {
      const bool inside_body = within == "worldbody" || within == "frame" || within == "replicate";
      for (const MjcfWord& w : mjcf_words())
        if (w.within == (inside_body ? "body" : within)) known.push_back(w.tag);
    }
    r.refuse(c, "unknown element in <" + std::string(e.tag()) + ">" + advice(c.tag(), known));
  }
}

}  // namespace

void check_words(MjcfReading& r, const MjcfElement& root) {
  static constexpr MjcfWord whole{"", "mujoco", MjcfPart::read, " model "};
  check_attributes(r, root, whole);
  check(r, root, "mujoco");
}

}  // namespace kinetree::inline inner
