#include "engine/io/sdf_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <sdf/sdf.hh>
#include <string_view>

#include "engine/io/sdf_essentials.hpp"
#include "engine/scalar/lower.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

void take(const std::string& around, const sdf::ElementPtr& e, SdfNumbers& out) {
  const auto note = [&](const sdf::ParamPtr& value, const std::string& attribute) {
    const std::string type = value ? value->GetTypeName() : "";
    const bool whole = type == "int" || type == "unsigned int", one = type == "double" || type == "float";
    const bool several = type == "pose" || type == "vector2d" || type == "color" || type == "time";
    if (whole || one || several || type == "vector3")
      out.try_emplace({{around, e->GetName()}, attribute}, whole     ? SdfNumber::whole
                                                           : one     ? SdfNumber::one
                                                           : several ? SdfNumber::several
                                                                     : SdfNumber::three);
  };
  note(e->GetValue(), "");
  for (unsigned k = 0; k < e->GetAttributeCount(); ++k) note(e->GetAttribute(k), e->GetAttribute(k)->GetKey());
  // recursion is bounded: elements that stand in themselves, as models do, are described without what is in them
  for (unsigned k = 0; k < e->GetElementDescriptionCount(); ++k) take(e->GetName(), e->GetElementDescription(k), out);
}

/// A whole number as libsdformat reads it besides decimals, in any case of letters.
bool is_whole_otherwise(std::string_view word) {
  const std::string text = lower(word);
  if (text == "true" || text == "false") return true;
  return text.size() > 2 && text.starts_with("0x") &&
         std::ranges::all_of(text.substr(2), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

class Check {
 public:
  Check(const SdfNumbers& numbers, SdfParts parts, const std::string& file, std::vector<Finding>& findings)
      : numbers_(numbers), parts_(parts), file_(file), findings_(findings) {}

  /// `owner`: the innermost element with a name, which findings are about. Recursion is bounded: tinyxml2 refuses to
  /// nest deeper than 500 elements.
  void walk(const tinyxml2::XMLElement& e, const std::string& around, std::string owner, bool left_out) {
    const std::string tag = e.Name();
    left_out = left_out || without_part_(e);
    if (left_out && parts_ == SdfParts::essential) return;
    if (const char* name = e.Attribute("name")) owner = tag + " \"" + name + "\"";
    if (left_out || parts_ == SdfParts::essential) {
      if (e.GetText() || e.NoChildren())
        look({{around, tag}, ""}, "<" + tag + ">", e.GetText() ? e.GetText() : "", e.GetLineNum(), owner);
      for (const auto* a = e.FirstAttribute(); a; a = a->Next())
        look({{around, tag}, a->Name()}, "<" + tag + " " + a->Name() + ">", a->Value(), e.GetLineNum(), owner);
    }
    for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) walk(*c, tag, owner, left_out);
  }

 private:
  void look(const SdfNumbers::key_type& key, const std::string& what, const std::string& text, int line,
            const std::string& owner) {
    const auto found = numbers_.find(key);
    if (found == numbers_.end()) return;
    const std::vector<std::string_view> words = words_of(text);
    const bool whole = found->second == SdfNumber::whole, one = whole || found->second == SdfNumber::one;
    const bool three = found->second == SdfNumber::three;
    const auto wrong = std::ranges::find_if(words, [&](std::string_view word) {
      return !number_from<double>(word) && !(whole && is_whole_otherwise(word));
    });
    // an empty one would count as its default
    const bool counted = one ? words.size() == 1 : !three || words.size() == 3 || words.empty();
    if (wrong == words.end() && counted) return;
    std::string with_point = wrong == words.end() ? "" : std::string(*wrong);
    std::ranges::replace(with_point, ',', '.');
    const bool comma = wrong != words.end() && with_point != *wrong && number_from<double>(with_point);
    const bool error = parts_ == SdfParts::essential;
    findings_.push_back(
        {error ? Severity::error : Severity::warning, file_, line, owner,
         (error ? "" : "a part that is left out here has a fault: ") + what + " is \"" + text + "\"; " +
             (comma                           ? "is it a decimal comma? Write " + with_point
              : one                           ? "give one number, without a unit"
              : three && wrong == words.end() ? "give three numbers"
                                              : "give numbers, with blanks between and without units")});
  }

  const SdfNumbers& numbers_;
  SdfParts parts_;
  WithoutPart without_part_;
  const std::string& file_;
  std::vector<Finding>& findings_;
};

}  // namespace

SdfNumbers sdf_numbers(SdfTags& tags) {
  SdfNumbers numbers;
  const sdf::SDFPtr description(new sdf::SDF());
  sdf::init(description);
  take("", description->Root(), numbers);
  take_sdf_tags("", description->Root(), tags);
  for (const auto& [around, tag] : std::vector<std::pair<std::string, std::string>>{{"mimic", "multiplier"},
                                                                                    {"mimic", "offset"},
                                                                                    {"mimic", "reference"},
                                                                                    {"joint", "screw_thread_pitch"},
                                                                                    {"inertial", "density"},
                                                                                    {"collision", "density"},
                                                                                    {"cone", "radius"},
                                                                                    {"cone", "length"}})
    numbers.try_emplace({{around, tag}, ""}, SdfNumber::one);  // newer than libsdformat's
  return numbers;
}

void check_sdf_numbers(const tinyxml2::XMLElement& root, const SdfNumbers& numbers, SdfParts parts,
                       const std::string& file, std::vector<Finding>& findings) {
  Check(numbers, parts, file, findings).walk(root, "", "file", false);
}

}  // namespace kinetree::inline inner
