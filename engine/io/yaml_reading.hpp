#pragma once
// Reading YAML maps with findings: unknown and duplicate keys, wrong kinds, wrong lengths, each with its line.

#include <yaml-cpp/yaml.h>

#include <functional>
#include <kinetree/model/finding.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kinetree {

class YamlReading {
 public:
  YamlReading(std::string file, std::vector<Finding>& findings) : file_(std::move(file)), findings_(findings) {}

  void say(Severity severity, const YAML::Node& node, const std::string& element, const std::string& message) {
    findings_.push_back({severity, file_, node.Mark().is_null() ? 0 : node.Mark().line + 1, element, message});
  }

  /// Calls use(key, value) for each entry of a map; a key that stands twice is a finding (yaml-cpp lets it pass).
  void entries(const YAML::Node& map, const std::string& element,
               const std::function<void(const std::string&, const YAML::Node&)>& use) {
    if (!map.IsMap()) return say(Severity::error, map, element, "is " + kind(map) + "; give a map of keys and values");
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (!seen.insert(key).second)
        say(Severity::error, entry.first, element, "the key \"" + key + "\" stands twice; keep one");
      else
        use(key, entry.second);
    }
  }
  void unknown_key(const std::string& key, const YAML::Node& node, const std::string& element,
                   const std::string& known) {
    say(Severity::error, node, element, "unknown key \"" + key + "\"; known are " + known);
  }

  bool text(const YAML::Node& node, const std::string& element, const std::string& key, std::string& out) {
    if (!node.IsScalar())
      return say(Severity::error, node, element, key + " is " + kind(node) + "; give a text"), false;
    out = node.Scalar();
    return true;
  }
  bool number(const YAML::Node& node, const std::string& element, const std::string& key, double& out) {
    if (node.IsScalar() && YAML::convert<double>::decode(node, out)) return true;
    say(Severity::error, node, element, key + " is " + kind(node) + "; give a number");
    return false;
  }
  bool numbers(const YAML::Node& node, const std::string& element, const std::string& key, double* out,
               std::size_t count) {
    if (!node.IsSequence() || node.size() != count)
      return say(Severity::error, node, element,
                 key + " is " + kind(node) + "; give a list of " + std::to_string(count) + " numbers"),
             false;
    bool good = true;
    for (std::size_t k = 0; k < count; ++k) good = number(node[k], element, key, out[k]) && good;
    return good;
  }

 private:
  /// What stands there, for messages.
  static std::string kind(const YAML::Node& node) {
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return "\"" + node.Scalar() + "\"";
      case YAML::NodeType::Sequence:
        return "a list of " + std::to_string(node.size());
      case YAML::NodeType::Map:
        return "a map";
      default:
        return "empty";
    }
  }

  std::string file_;
  std::vector<Finding>& findings_;
};

}  // namespace kinetree
