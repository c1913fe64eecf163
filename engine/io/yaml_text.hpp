#pragma once
// Words and numbers as YAML writes them, so that they are read back as they were.

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {

/// The shortest text that reads back to the very number.
inline std::string yaml_number(double x) {
  if (std::isnan(x)) return ".nan";
  if (std::isinf(x)) return x > 0 ? ".inf" : "-.inf";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <class List>
std::string yaml_list(const List& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ", ") + yaml_number(x);
  return "[" + text + "]";
}

/// A word as it is where YAML takes it for nothing else, in quotes where it might.
inline std::string yaml_word(const std::string& word) {
  bool plain = !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_');
  for (const char c : word)
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '/' || c == '.');
  for (const char* other : {"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
    plain = plain && lower(word) != other;
  if (plain) return word;
  std::string text = "\"";
  for (const char c : word) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += code;
    else
      text += c;
  }
  return text + "\"";
}

/// A map on one line.
class YamlMap {
 public:
  YamlMap& add(std::string_view key, const std::string& value) {
    text_.append(text_.empty() ? "" : ", ").append(key).append(": ").append(value);
    return *this;
  }
  bool empty() const { return text_.empty(); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

}  // namespace kinetree::inline inner
