#pragma once
// Reading YAML with a finding for every fault, each with its line.

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <initializer_list>
#include <kinetree/model/finding.hpp>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

class YamlReader {
 public:
  YamlReader(std::string file, std::vector<Finding>& findings) : file_(std::move(file)), findings_(findings) {}

  static int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 0 : node.Mark().line + 1; }

  void error(const YAML::Node& node, const std::string& element, const std::string& message) {
    findings_.push_back({Severity::error, file_, line_of(node), element, message});
  }

  /// Whether it is a map; unknown and duplicate keys are findings.
  bool map(const YAML::Node& node, const std::string& element, std::initializer_list<std::string_view> known) {
    if (!node.IsMap()) {
      error(node, element, "is no map; write `key: value` lines");
      return false;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
      bool found = false;
      for (const std::string_view word : known) found = found || word == key;
      if (!found)
        error(entry.first, element, fmt::format("unknown key \"{}\"; known: {}", key, fmt::join(known, ", ")));
      if (!seen.insert(key).second) error(entry.first, element, fmt::format("key \"{}\" stands twice", key));
    }
    return true;
  }

  /// A number within limits, if the key is there.
  template <class T>
  void number(const YAML::Node& map, const char* key, T& value, T low, T high = std::numeric_limits<T>::max()) {
    const YAML::Node node = map[key];
    if (!node) return;
    value = scalar(node, key, low, high, value);
  }

  template <class T>
  T scalar(const YAML::Node& node, const std::string& element, T low, T high, T otherwise) {
    T read{};
    if (node.IsScalar() && YAML::convert<T>::decode(node, read) && read >= low && read <= high) return read;
    error(node, element,
          fmt::format("\"{}\" is no {} in [{}, {}]", text_of(node), std::is_integral_v<T> ? "whole number" : "number",
                      low, high));
    return otherwise;
  }

  void boolean(const YAML::Node& map, const char* key, bool& value) {
    const YAML::Node node = map[key];
    if (node && !(node.IsScalar() && YAML::convert<bool>::decode(node, value)))
      error(node, key, fmt::format("\"{}\" is neither true nor false", text_of(node)));
  }

  void text(const YAML::Node& map, const char* key, std::string& value) {
    const YAML::Node node = map[key];
    if (!node) return;
    if (node.IsScalar())
      value = node.Scalar();
    else
      error(node, key, "is no text");
  }

  /// A value or a list of values under a key, as nodes; empty where the key is missing.
  std::vector<YAML::Node> values(const YAML::Node& map, const char* key) {
    const YAML::Node node = map[key];
    std::vector<YAML::Node> list;
    if (!node) return list;
    if (!node.IsSequence()) return {node};
    for (const auto& item : node) list.push_back(item);
    if (list.empty()) error(node, key, "the list is empty; give at least one value or leave the key out");
    return list;
  }

  static std::string text_of(const YAML::Node& node) { return node.IsScalar() ? node.Scalar() : YAML::Dump(node); }

 private:
  std::string file_;
  std::vector<Finding>& findings_;
};

}  // namespace kinetree::bench
