#pragma once
// Enumerators by their own names: what Python says is what C++ does, without a list of words beside it.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kinetree::python {

/// The name of an enumerator, as g++ and clang write it in the name of this function; "" where there is none.
template <auto value>
constexpr std::string_view enumerator() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("value = ") + 8);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.find('(') != std::string_view::npos) return {};  // a number that has no name is written as a cast
  const std::size_t colons = text.rfind("::");
  return colons == std::string_view::npos ? text : text.substr(colons + 2);
}

template <class E, std::size_t... k>
constexpr auto enumerators(std::index_sequence<k...>) {
  return std::array<std::string_view, sizeof...(k)>{enumerator<static_cast<E>(k)>()...};
}

/// Names of the first enumerators, counted from zero.
template <class E>
inline constexpr auto words_of = enumerators<E>(std::make_index_sequence<32>());

template <class E>
std::string word_of(E value) {
  return std::string(words_of<E>[static_cast<std::size_t>(value)]);
}

template <class E>
std::optional<E> value_of_word(std::string_view word) {
  for (std::size_t k = 0; k < words_of<E>.size(); ++k)
    if (!word.empty() && words_of<E>[k] == word) return static_cast<E>(k);
  return std::nullopt;
}

/// `link, world, world_aligned`
template <class E>
std::string list_of() {
  std::string text;
  for (const std::string_view word : words_of<E>)
    if (!word.empty()) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace kinetree::python
