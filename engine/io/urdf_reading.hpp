#pragma once
// What the parts of the URDF reader share: numbers, origins and names of elements, and a way to say findings.

#include <tinyxml2.h>

#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>
#include <string>
#include <string_view>

#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

struct UrdfReading {
  using XMLElement = tinyxml2::XMLElement;

  Reading reading_;

  void say(Severity severity, int line, std::string element, std::string message) {
    reading_.findings.push_back({severity, reading_.description.file, line, std::move(element), std::move(message)});
  }
  /// `count` numbers of an attribute; what is wrong is said, and the values stay as they were.
  void numbers(const XMLElement& e, const char* attribute, const std::string& element, double* out, int count,
               bool required) {
    const char* text = e.Attribute(attribute);
    const std::string what = std::string("<") + e.Name() + " " + attribute + ">";
    if (text == nullptr) {
      if (required)
        say(Severity::error, e.GetLineNum(), element, what + " is missing; give " + count_of(count, "number"));
      return;
    }
    numbers_of(text, e.GetLineNum(), what, element, out, count);
  }

  /// `count` numbers of a text, `what`; false: it has others, which is said, and the values stay as they were.
  bool numbers_of(const char* text, int line, const std::string& what, const std::string& element, double* out,
                  int count) {
    const auto values = numbers_from(text);
    const std::string is = what + " is \"" + text + "\"";
    if (values && static_cast<int>(values->size()) == count) {
      std::copy(values->begin(), values->end(), out);
      return true;
    }
    say(Severity::error, line, element,
        is + (values ? ": " + count_of(std::ssize(*values), "number") + " where " + std::to_string(count) +
                           (count == 1 ? " belongs" : " belong")
                     : "; give " + count_of(count, "number")));
    return false;
  }

  Placement origin(const XMLElement* e, const std::string& element) {
    Placement p;
    if (e == nullptr) return p;
    Numbers3 rpy{0, 0, 0};
    numbers(*e, "xyz", element, p.xyz.data(), 3, false);
    numbers(*e, "rpy", element, rpy.data(), 3, false);
    for (const auto* a = e->FirstAttribute(); a; a = a->Next())
      if (const std::string_view name = a->Name();
          name != "xyz" && name != "rpy" && name.find(':') == std::string_view::npos)
        say(Severity::error, e->GetLineNum(), element,
            "<origin> has the attribute " + std::string(name) + ", which is not read; xyz and rpy are");
    p.quaternion = quaternion_from_rpy(rpy);
    return p;
  }

  /// The one child of that name; a second is a finding.
  const XMLElement* only(const XMLElement& e, const char* name, const std::string& element) {
    const XMLElement* first = e.FirstChildElement(name);
    if (first != nullptr && first->NextSiblingElement(name) != nullptr)
      say(Severity::error, first->NextSiblingElement(name)->GetLineNum(), element,
          std::string("has a second <") + name + ">; one is allowed");
    return first;
  }

  /// Empty where there is none: the check of the description says so.
  static std::string name_of_element(const XMLElement& e) {
    const char* name = e.Attribute("name");
    return name ? name : "";
  }
};

}  // namespace kinetree::inline inner
