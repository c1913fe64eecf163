#include "engine/io/ill_formed_json.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.'; }

/// The word, the string or the sign whose last byte that was read is `last`: where it begins, and its first bytes.
std::string_view word_at(std::string_view text, std::size_t last) {
  std::size_t first = last, end = last + 1;
  if (in_word(text[last])) {
    while (first > 0 && in_word(text[first - 1])) --first;
    while (end < text.size() && in_word(text[end])) ++end;
  } else if (text[last] == '"' && last > 0) {
    first = std::min(last, text.rfind('"', last - 1));
  }
  return text.substr(first, std::min<std::size_t>(end - first, 30));
}

bool is_no_number(std::string_view word) {
  std::string letters;
  for (const char c : lower(word))
    if (c >= 'a' && c <= 'z') letters += c;
  return letters == "nan" || letters == "inf" || letters == "infinity";
}

/// `why`: the parser's own words.
std::string advice(std::string_view text, std::string_view word, std::string_view why) {
  const auto says = [&](std::string_view part) { return why.find(part) != std::string_view::npos; };
  std::string shown = "\"" + std::string(word) + "\"";
  std::ranges::replace_if(
      shown, [](char c) { return c < 0x20 || c > 0x7e; }, '?');  // it may end within a character
  const auto begin = static_cast<std::size_t>(word.data() - text.data());
  const std::size_t before = begin == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", begin - 1);
  if (is_no_number(word)) return shown + ": JSON has no NaN and no infinity; give finite numbers";
  if (says("UTF-8")) return "a byte is not UTF-8; save the file as UTF-8";
  if (says("must be escaped")) return "a line ends, or a control character stands, within a string; close its quote";
  if (word == "'") return "strings stand in double quotes, not in '";
  if (word == "/" || word == "#") return "JSON has no comments; take it out";
  if ((word == "]" || word == "}") && before != std::string_view::npos && text[before] == ',')
    return "a comma stands before " + std::string(word) + "; take it out";
  if (says("object separator")) return "before " + shown + " a colon is missing, between a key and its value";
  if (says("expected ']'")) return "before " + shown + " a comma or a ] is missing";
  if (says("expected '}'")) return "before " + shown + " a comma or a } is missing";
  if (says("object key")) return shown + " is no key; give keys in double quotes";
  if (says("end of input; expected")) return shown + " stands behind the end; take it out";
  return shown + " is no value; give a number, a string in double quotes, a list or an object";
}

}  // namespace

Finding ill_formed_json(const nlohmann::json::exception& error, const std::string& text, const std::string& file) {
  std::string why = error.what();
  if (const std::size_t end = why.find("] "); why.front() == '[' && end != std::string::npos) why.erase(0, end + 2);
  const auto say = [&](std::size_t line, const std::string& message) {
    return Finding{Severity::error, file, static_cast<int>(line), "file", "is not well-formed JSON: " + message};
  };
  const auto* ill_formed = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  if (ill_formed == nullptr) return say(0, why);  // a number beyond double
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return say(0, "it is empty");
  const bool early = ill_formed->byte > text.size();
  const std::size_t last = early ? end : std::max<std::size_t>(ill_formed->byte, 1) - 1;
  const std::string_view word = word_at(text, last);
  const auto at = static_cast<std::size_t>(word.data() - text.data());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t column = at - (at == 0 ? 0 : text.rfind('\n', at - 1) + 1) + 1;  // npos + 1 is 0
  if (early) return say(static_cast<std::size_t>(line), "it ends before a bracket or a quote is closed; is it whole?");
  return say(static_cast<std::size_t>(line), "at column " + std::to_string(column) + " " + advice(text, word, why));
}

}  // namespace kinetree::inline inner
