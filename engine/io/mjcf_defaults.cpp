#include "engine/io/mjcf_defaults.hpp"

#include <algorithm>

#include "engine/io/mjcf_words.hpp"

namespace kinetree::inline inner {
namespace {

constexpr std::size_t most_classes = 20000;  // each may repeat what the class around it says
constexpr std::array<std::string_view, 8> kinds{"joint", "geom",     "site",     "camera",
                                                "mesh",  "material", "equality", "tendon"};

std::size_t place_of(std::string_view tag) {
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), tag) - kinds.begin());
}

}  // namespace

const MjcfAttributes* MjcfDefaults::Class::of(std::string_view tag) const {
  const std::size_t k = place_of(tag);
  return k < kinds.size() ? said_[k].get() : nullptr;
}

void MjcfDefaults::read(MjcfReading& r, const MjcfElement& root) {
  for (const MjcfElement& section : root.children)
    if (section.tag() == "default") {
      // sections of several files add to one class, which the first may name
      if (const char* name = section.attribute("class")) names_of_main_.insert(name);
      take(r, section, main_);
    }
}

void MjcfDefaults::take(MjcfReading& r, const MjcfElement& e, Class& into) {
  for (const MjcfElement& c : e.children) {
    const std::size_t k = place_of(c.tag());
    if (k == kinds.size()) continue;
    auto all = std::make_shared<MjcfAttributes>(into.said_[k] ? *into.said_[k] : MjcfAttributes{});
    const MjcfWord* word = mjcf_word("default", c.tag());
    for (const auto* a = c.xml->FirstAttribute(); a; a = a->Next())
      if (!word || word->attributes.empty() || allows(*word, a->Name())) (*all)[a->Name()] = a->Value();
    into.said_[k] = std::move(all);
  }
  for (const MjcfElement& c : e.children) {
    if (c.tag() != "default") continue;
    const char* name = c.attribute("class");
    if (!name) {
      r.refuse(c, "a class inside another has no name; give class=\"...\"");
      continue;
    }
    if (classes_.size() == most_classes)
      return r.refuse(c, "is one of more than " + std::to_string(most_classes) + " classes, which is the limit");
    const auto [made, fresh] = classes_.emplace(name, std::make_unique<Class>(into));
    if (!fresh) {
      r.say(Severity::error, c.line(), "default " + in_quotes(name),
            "is a class that the file has already; give each class a name of its own");
      continue;
    }
    take(r, c, *made->second);
  }
}

const MjcfDefaults::Class* MjcfDefaults::named(std::string_view name) const {
  if (name == "main" || names_of_main_.count(name)) return &main_;
  const auto found = classes_.find(name);
  return found == classes_.end() ? nullptr : found->second.get();
}

const MjcfDefaults::Class& MjcfDefaults::of(MjcfReading& r, const MjcfElement& e, const char* attribute,
                                            const Class& around) const {
  const char* name = e.attribute(attribute);
  if (!name) return around;
  if (const Class* found = named(name)) return *found;
  r.refuse(e,
           std::string(attribute) + " " + in_quotes(name) + " is no default class of this file; give a class's name");
  return around;
}

}  // namespace kinetree::inline inner
