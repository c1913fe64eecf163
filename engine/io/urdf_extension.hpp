#pragma once
// What the readers of a URDF's extensions share: they are read once links hang from joints, since they name both.

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/io/trimmed.hpp"
#include "engine/io/urdf_left_out.hpp"
#include "engine/io/urdf_reading.hpp"
#include "engine/model/slips.hpp"

namespace kinetree::inline inner {

class UrdfExtension : protected UrdfReading {
 public:
  /// `to` and `left_out` take the findings; they and the elements must outlive this.
  UrdfExtension(Reading& to, UrdfLeftOut& left_out) : to_(to), left_out_(left_out) {}
  virtual ~UrdfExtension() = default;

  void take(const XMLElement& e) { elements_.push_back(&e); }
  /// Reads all that was taken into the description, whose bodies hang already.
  void read_all() {
    reading_.description.file = to_.description.file;
    if (elements_.empty()) return;
    for (BodyDescription& b : to_.description.bodies)
      links_.emplace(b.name, &b), joints_.emplace(b.joint.name, &b.joint);
    for (const XMLElement* e : elements_) read(*e);
    finish();
    std::ranges::move(reading_.findings, std::back_inserter(to_.findings));
    reading_.findings.clear();
  }

 protected:
  virtual void read(const XMLElement& e) = 0;
  /// Once all are read.
  virtual void finish() {}

  JointDescription* joint_named(const std::string& name) const {
    const auto found = joints_.find(name);
    return found == joints_.end() ? nullptr : found->second;
  }
  BodyDescription* link_named(const std::string& name) const {
    const auto found = links_.find(name);
    return found == links_.end() ? nullptr : found->second;
  }

  /// What stands in an element, or in its attribute `value`, as libsdformat takes either (GetKeyValueAsString).
  static std::string text_of(const XMLElement& e) {
    const char* given = e.Attribute("value") ? e.Attribute("value") : e.GetText();
    return trimmed(given ? given : "");
  }
  static std::string text_of(const XMLElement& e, const char* child) {
    const XMLElement* c = e.FirstChildElement(child);
    return c ? text_of(*c) : "";
  }
  /// Flags as libsdformat takes them, in any case of letters.
  static bool is_true(const std::string& text) { return is_one_of(text, {"true", "yes", "1"}); }
  static bool is_false(const std::string& text) { return is_one_of(text, {"false", "no", "0"}); }
  bool number_of(const XMLElement& e, const std::string& element, double* out, int count = 1) {
    return numbers_of(text_of(e).c_str(), e.GetLineNum(), "<" + std::string(e.Name()) + ">", element, out, count);
  }

  Reading& to_;
  UrdfLeftOut& left_out_;

 private:
  static bool is_one_of(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return std::ranges::equal(text, word, same_letter); });
  }

  std::vector<const XMLElement*> elements_;
  std::unordered_map<std::string_view, BodyDescription*> links_;
  std::unordered_map<std::string_view, JointDescription*> joints_;
};

}  // namespace kinetree::inline inner
