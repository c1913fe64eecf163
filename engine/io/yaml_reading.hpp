#pragma once
// Reading YAML with findings: unknown and duplicate keys, wrong kinds, lengths and limits, each with its line. Models
// and sweeps read through this.

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <kinetree/finding.hpp>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/ill_formed_yaml.hpp"
#include "engine/io/whole_text.hpp"
#include "engine/io/yaml_size.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

class YamlReading {
 public:
  using Keys = std::vector<std::string_view>;

  YamlReading(std::string file, std::vector<Finding>& findings) : file_(std::move(file)), findings_(findings) {}

  static int line_of(const YAML::Node& node) { return line_of(node.Mark()); }

  /// Adds an error; after `most_errors` says once that there are more, since aliases may repeat one fault at will.
  void error(const YAML::Node& node, const std::string& element, const std::string& message) {
    if (errors_ > most_errors) return;
    if (errors_++ < most_errors)
      findings_.push_back({Severity::error, file_, line_of(node), shortened(element), shortened(message)});
    else
      findings_.push_back({Severity::error, file_, line_of(node), "file",
                           "has more than " + std::to_string(most_errors) +
                               " errors; the rest is left out: correct these and read again"});
  }

  /// Calls use(root); what is no YAML is a finding.
  void document(std::string text, const std::function<void(const YAML::Node&)>& use) {
    hide_version(text);
    try {
      if (!is_wide(text) && !reads_to_its_end(text, file_, findings_)) return;
      if (const int second = YamlSize::check(text); second > 0)
        findings_.push_back({Severity::error, file_, second, "file",
                             "has a second YAML document, and the first alone would be read; keep one, without \"---\" "
                             "or other text after it"});
      use(YAML::Load(text));
    } catch (const YamlTooLarge& e) {
      findings_.push_back({Severity::error, file_, line_of(e.mark), "file", e.msg});
    } catch (const YAML::Exception& e) {
      findings_.push_back(ill_formed_yaml(e, text, file_));
    }
  }

  /// Calls use(key, value) for each entry of a map. Unknown keys are findings, and keys that stand twice (yaml-cpp lets
  /// them pass). False: it is no map.
  bool entries(const YAML::Node& map, const std::string& element, const Keys& known,
               const std::function<void(const std::string&, const YAML::Node&)>& use) {
    if (!map.IsMap()) return error(map, element, "is " + kind(map) + "; give a map of keys and values"), false;
    std::set<std::string> seen;
    std::string before;  // the value of the last entry
    for (const auto& entry : map) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (!seen.insert(key).second)
        error(entry.first, element, "the key \"" + key + "\" stands twice; keep one");
      else if (!contains(known, key) && errors_ > most_errors)
        continue;  // which words are near takes time
      else if (!contains(known, key))
        error(entry.first, element,
              "unknown key \"" + key + "\"" +
                  (is_whole(key) && is_whole(before) ? "; is it a decimal comma? Write " + before + "." + key
                                                     : if_meant(key, known) + "; known are " + list(known)));
      else
        use(key, entry.second);
      before = entry.second.IsScalar() ? entry.second.Scalar() : "";
    }
    return true;
  }

  /// The same for callers that look keys up themselves.
  bool map(const YAML::Node& node, const std::string& element, const Keys& known) {
    return entries(node, element, known, [](const std::string&, const YAML::Node&) {});
  }

  bool text(const YAML::Node& node, const std::string& element, const std::string& key, std::string& out) {
    if (!node.IsScalar()) return wrong(node, element, key, "a text");
    out = node.Scalar();
    return true;
  }

  bool boolean(const YAML::Node& node, const std::string& element, const std::string& key, bool& out) {
    if (node.IsScalar() && YAML::convert<bool>::decode(node, out)) return true;
    return wrong(node, element, key, "true or false");
  }

  /// Infinities and NaN pass: whoever knows the quantity says what is wrong with them.
  bool number(const YAML::Node& node, const std::string& element, const std::string& key, double& out) {
    const auto read = node.IsScalar() ? real_from(node.Scalar()) : std::nullopt;
    if (read) out = *read;
    return read || wrong(node, element, key, "a number");
  }

  /// A number within limits, these included; `out` stays as it is where it is none.
  template <class T>
  bool number(const YAML::Node& node, const std::string& element, const std::string& key, T& out, T low, T high) {
    std::optional<T> read;
    if constexpr (std::integral<T>)
      read = number_from<T>(node.IsScalar() ? node.Scalar() : "");
    else
      read = real_from(node.IsScalar() ? node.Scalar() : "");
    if (read && *read >= low && *read <= high) {
      out = *read;
      return true;
    }
    const auto shown = [](T x) {
      if constexpr (std::integral<T>)
        return std::to_string(x);
      else
        return number_text(x, 6);
    };
    return wrong(node, element, key,
                 (std::integral<T> ? "a whole number from " : "a number from ") + shown(low) + " to " + shown(high));
  }

  bool numbers(const YAML::Node& node, const std::string& element, const std::string& key, double* out,
               std::size_t count) {
    if (!node.IsSequence() || node.size() != count)
      return wrong(node, element, key, "a list of " + std::to_string(count) + " numbers");
    bool good = true;
    for (std::size_t k = 0; k < count; ++k) good = number(node[k], element, key, out[k]) && good;
    return good;
  }

  /// A value, or the values of a list.
  std::vector<YAML::Node> values(const YAML::Node& node, const std::string& element, const std::string& key) {
    if (!node.IsSequence()) return {node};
    if (node.size() == 0) wrong(node, element, key, "at least one value, or leave the key out");
    return {node.begin(), node.end()};
  }

  /// A number as YAML has it: infinities and NaN begin with a point.
  static std::optional<double> real_from(std::string_view text) {
    const std::string_view magnitude = text.substr(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
    for (const std::string_view word : {".inf", ".Inf", ".INF"})
      if (magnitude == word) return text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
    for (const std::string_view word : {".nan", ".NaN", ".NAN"})
      if (text == word) return std::numeric_limits<double>::quiet_NaN();
    const bool is_word =
        magnitude.empty() || std::string_view("0123456789.").find(magnitude[0]) == std::string_view::npos;
    return is_word ? std::nullopt : number_from<double>(text);
  }

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

 private:
  /// UTF-16 and UTF-32, which have NUL bytes and begin with a mark of the order of bytes; yaml-cpp turns them to UTF-8.
  static bool is_wide(const std::string& text) {
    return text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") ||
           text.starts_with(std::string_view("\0\0\xFE\xFF", 4));
  }
  /// Makes a comment of `%YAML 1.2` at the text's begin: yaml-cpp reads its number by C++'s global locale, and
  /// nothing depends on it.
  static void hide_version(std::string& text) {
    std::size_t line = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (line < text.size() && std::string_view("#\r\n").find(text[line]) != std::string_view::npos)
      line = std::min(text.find('\n', line), text.size() - 1) + 1;
    if (text.compare(line, 8, "%YAML 1.") == 0) text[line] = '#';
  }

  static int line_of(const YAML::Mark& mark) { return mark.is_null() ? 0 : mark.line + 1; }

  bool wrong(const YAML::Node& node, const std::string& element, const std::string& key, const std::string& wanted) {
    error(node, element, key + " is " + kind(node) + "; give " + wanted);
    return false;
  }

  static bool is_whole(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }
  static bool contains(const Keys& known, std::string_view key) {
    for (const std::string_view word : known)
      if (word == key) return true;
    return false;
  }
  static std::string list(const Keys& known) {
    std::string text;
    for (const std::string_view word : known) text.append(text.empty() ? "" : ", ").append(word);
    return text;
  }

  /// A name or a value of any length takes no more than a paragraph of a message.
  static std::string shortened(const std::string& text) {
    constexpr std::size_t most = 2000;
    return text.size() <= most ? text : text.substr(0, most) + " ... (" + std::to_string(text.size()) + " characters)";
  }

  static constexpr int most_errors = 1000;
  std::string file_;
  std::vector<Finding>& findings_;
  int errors_ = 0;
};

}  // namespace kinetree::inline inner
