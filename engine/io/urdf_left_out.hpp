#pragma once
// The elements and attributes of a URDF file that are not read: each kind is told once, and what a word that is read is
// but for a slip, or would be in another place, is an error.

#include <kinetree/load_model.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tinyxml2 {
class XMLElement;
}

namespace kinetree::inline inner {

struct UrdfWords;

class UrdfLeftOut {
 public:
  /// `reading` takes the findings; it must outlive this.
  explicit UrdfLeftOut(Reading& reading) : reading_(reading) {}

  /// The robot and all that it has, but for its extensions (is_extension), which are their own readers' matter. A slip
  /// in a word that is read, a word in a wrong place and a constraint by another name would be another mechanism.
  void check(const tinyxml2::XMLElement& robot);
  /// What an extension's reader leaves out: a word that has no part in the dynamics, or one that is not known.
  void take_without_part(const tinyxml2::XMLElement& e, std::string_view extension);
  void take_unknown(const tinyxml2::XMLElement& e);
  /// The rest of an extension. `why`: it is left out.
  void take_rest(const std::string& element, int line, const std::string& why) {
    take(element, line, Severity::notice, "", ": " + why);
  }
  /// What may change the dynamics and is not read. `why`: or what to do.
  void take_dynamics(const std::string& element, int line, const std::string& why);
  /// Adds a notice or a warning for each kind.
  void tell();

  static bool is_extension(std::string_view tag);

 private:
  struct Kind {
    Severity severity;
    std::string before, after;  ///< of `left out, 2 times`
    int line = 0, count = 0;    ///< of the first; of all
  };
  void check(const tinyxml2::XMLElement& e, const UrdfWords& words, bool is_shape);
  void check_attributes(const tinyxml2::XMLElement& e, const UrdfWords& words, bool is_shape);
  void check_child(const tinyxml2::XMLElement& e, const tinyxml2::XMLElement& in, const UrdfWords& words,
                   bool is_shape);
  void take_compiler(const tinyxml2::XMLElement& mujoco);
  void take(const std::string& element, int line, Severity severity, const std::string& before,
            const std::string& after);
  void say(Severity severity, int line, std::string element, std::string message);

  Reading& reading_;
  std::map<std::pair<std::string, std::string>, Kind> kinds_;                  ///< by element and reason
  std::map<std::string, std::pair<int, std::set<std::string>>> without_part_;  ///< line and words by extension
};

}  // namespace kinetree::inline inner
