#pragma once
// The elements of a URDF file that are not read: each kind is told once, and one that may change the dynamics is an
// error.

#include <initializer_list>
#include <kinetree/load_model.hpp>
#include <map>
#include <string>
#include <string_view>

namespace tinyxml2 {
class XMLElement;
}

namespace kinetree::inline inner {

class UrdfLeftOut {
 public:
  /// `reading` takes the findings; it must outlive this.
  explicit UrdfLeftOut(Reading& reading) : reading_(reading) {}

  /// An element that is not read. `read`: the tags that are read beside it. A slip in one of them, or a constraint by
  /// another name, would be another mechanism; so would any unknown tag where `all_count`.
  void take(const tinyxml2::XMLElement& e, std::initializer_list<std::string_view> read, bool all_count);
  /// A joint that says whether it is independent.
  void take_independent(int line) { take(independent_, line); }
  /// Adds a notice or a warning for each kind.
  void tell();

 private:
  struct Kind {
    int line = 0, count = 0;  ///< of the first; of all
  };
  static void take(Kind& kind, int line) {
    if (kind.count++ == 0) kind.line = line;
  }
  void say(Severity severity, int line, std::string element, std::string message);

  Reading& reading_;
  Kind independent_;
  std::map<std::string, Kind> kinds_;
};

}  // namespace kinetree::inline inner
