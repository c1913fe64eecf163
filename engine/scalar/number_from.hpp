#pragma once
// Numbers in text, the one reader for all text that kinetree parses. std::from_chars knows no locale, C's or C++'s,
// where strtod, streams and what is made of them read 1.5 as 1, 15 or nothing.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace kinetree::inline inner {

/// Whether a decimal number that no double holds, as 1e-400, is too small for one, not too large.
inline bool is_below_all_doubles(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789"), point = std::min(digits.find('.'), digits.size());
  if (first == std::string_view::npos) return true;
  const double place = static_cast<double>(point) - static_cast<double>(first);  // of the first digit that is no zero
  if (e == std::string_view::npos) return place < 0;
  std::string_view power = text.substr(e + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  long exponent = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error == std::errc::result_out_of_range) return power.starts_with('-');
  return place + static_cast<double>(exponent) < 0;
}

/// The number that the whole of a text is: decimal, with a point, an exponent and a sign where it wants them; a whole
/// number with leading zeros is decimal too. Words are `inf`, `infinity` and `nan`. None: the text is no such number,
/// or one too large for T. What is too small for a double is zero, as rounding makes it.
template <class T>
std::optional<T> number_from(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T x{};
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, x);
  if (next != end) return std::nullopt;
  if constexpr (std::floating_point<T>)
    if (error == std::errc::result_out_of_range && is_below_all_doubles(text))
      return std::copysign(T(0), text.starts_with('-') ? T(-1) : T(1));
  return error == std::errc() ? std::optional<T>(x) : std::nullopt;
}

/// The words of a text between blanks and ends of lines.
inline std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view blank = " \t\n\r\v\f";
  std::vector<std::string_view> words;
  for (std::size_t begin; (begin = text.find_first_not_of(blank)) != std::string_view::npos;) {
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(blank)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

/// Numbers with blanks between. None: a word is no number.
inline std::optional<std::vector<double>> numbers_from(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view word : words_of(text)) {
    const std::optional<double> x = number_from<double>(word);
    if (!x) return std::nullopt;
    numbers.push_back(*x);
  }
  return numbers;
}

/// The number that the first word of a text is, as in "16384 kB"; `otherwise` where it is none.
template <class T>
T first_number(std::string_view text, T otherwise) {
  const std::vector<std::string_view> words = words_of(text);
  return words.empty() ? otherwise : number_from<T>(words.front()).value_or(otherwise);
}

}  // namespace kinetree::inline inner
