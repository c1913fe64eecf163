#pragma once
// What the parts of the MJCF reader share: attributes as numbers and words, and a way to say findings.

#include <initializer_list>
#include <kinetree/load_model.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/io/mjcf_document.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// What a default class says of one kind of element: texts by the attributes' names.
using MjcfAttributes = std::map<std::string_view, const char*>;

/// An element with the defaults that count for it.
struct MjcfView {
  const MjcfElement& element;
  const MjcfAttributes* defaults = nullptr;

  const char* own(const char* name) const { return element.attribute(name); }
  const char* get(const char* name) const {
    if (const char* text = own(name)) return text;
    if (defaults)
      if (const auto found = defaults->find(name); found != defaults->end()) return found->second;
    return nullptr;
  }
};

/// How findings call an element: joint "elbow", or <joint>.
std::string called(const MjcfElement& e);
inline std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

struct MjcfReading {
  Reading reading;

  void say(Severity severity, int line, std::string element, std::string message);
  void refuse(const MjcfElement& e, std::string message) {
    say(Severity::error, e.line(), called(e), std::move(message));
  }

  /// The numbers of an attribute, `least` to `most` of them; how many there are. 0: none is given, or, with an error,
  /// they are wrong; `out` is then as it was.
  int numbers(const MjcfView& view, const char* name, double* out, int least, int most);
  bool number(const MjcfView& view, const char* name, double& out) { return numbers(view, name, &out, 1, 1) == 1; }
  /// The place of an attribute's word among `words`; `otherwise` where none is given or, with an error, another.
  int word(const MjcfView& view, const char* name, std::initializer_list<std::string_view> words, int otherwise);
  bool flag(const MjcfView& view, const char* name, bool otherwise) {
    return word(view, name, {"false", "true"}, otherwise) == 1;
  }

 private:
  std::set<const char*> wrong_;  ///< texts that were told to be wrong: of defaults, which many elements have
  int errors_ = 0;
};

}  // namespace kinetree::inline inner
