#pragma once
// The words that the values of Options have, in the command, in sweep files and in results.

#include <array>
#include <kinetree/options.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kinetree::inline inner {

template <class E>
struct Words;
template <>
struct Words<Algorithm> {
  static constexpr std::array<std::string_view, 5> all{"automatic", "ab", "crb", "cfa", "modular"};
};
template <>
struct Words<ExecutorKind> {
  static constexpr std::array<std::string_view, 4> all{"serial", "tbb", "openmp", "team"};
};
template <>
struct Words<Pinning> {
  static constexpr std::array<std::string_view, 2> all{"none", "cores"};
};
template <>
struct Words<Cuts> {
  static constexpr std::array<std::string_view, 3> all{"paths", "main", "all"};
};
template <>
struct Words<Elimination> {
  static constexpr std::array<std::string_view, 2> all{"cyclic", "leaves-first"};
};
template <>
struct Words<Formulation> {
  static constexpr std::array<std::string_view, 2> all{"direct", "literal"};
};
template <>
struct Words<Factorization> {
  static constexpr std::array<std::string_view, 2> all{"sparse", "dense"};
};
template <>
struct Words<Loops> {
  static constexpr std::array<std::string_view, 3> all{"automatic", "embed", "multipliers"};
};

template <class E>
constexpr std::string_view to_word(E value) {
  return Words<E>::all[static_cast<std::size_t>(value)];
}

template <class E>
constexpr std::optional<E> from_word(std::string_view word) {
  for (std::size_t i = 0; i < Words<E>::all.size(); ++i)
    if (Words<E>::all[i] == word) return static_cast<E>(i);
  return std::nullopt;
}

/// `ab, crb, cfa`
template <class E>
std::string list_of_words() {
  std::string text;
  for (const std::string_view word : Words<E>::all) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace kinetree::inline inner
