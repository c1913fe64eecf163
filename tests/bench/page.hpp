#pragma once
// A page that plays a motion, read back.

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/pictures.hpp"

namespace kinetree::bench::pictures {

inline const std::string four_bar_file = KINETREE_MODELS "/four_bar.yaml";

/// What the page was given; null where it has no such element.
inline nlohmann::json scene_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"scene\">";
  const auto from = page.find(begin);
  if (from == std::string::npos) return {};
  const auto to = page.find("</script>", from);
  return nlohmann::json::parse(page.substr(from + begin.size(), to - from - begin.size()));
}

/// Numbers from base64, bit by bit as RFC 4648 has it.
template <class T>
std::vector<T> numbers_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c)), held += 6;
    if (held >= 8) held -= 8, bytes += static_cast<char>(bits >> held & 255);
  }
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  return numbers;
}

/// The cells of a CSV file without commas in names, line by line.
inline std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  for (const char c : csv) {
    if (c == '\n')
      lines.emplace_back(1);
    else if (c == ',')
      lines.back().emplace_back();
    else if (c != '"')
      lines.back().back() += c;
  }
  lines.pop_back();
  return lines;
}

/// The column of a head.
inline std::vector<double> column_of(const std::vector<std::vector<std::string>>& cells, const std::string& head) {
  const auto found = std::ranges::find(cells[0], head);
  EXPECT_NE(found, cells[0].end()) << head;
  std::vector<double> values;
  for (std::size_t k = 1; k < cells.size() && found != cells[0].end(); ++k)
    values.push_back(std::stod(cells[k][static_cast<std::size_t>(found - cells[0].begin())]));
  return values;
}

}  // namespace kinetree::bench::pictures
