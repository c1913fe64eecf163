#pragma once
// The words a user may write for an option, in the command and in sweep files, and which algorithm has a use for what.

#include <array>
#include <kinetree/parallel/options.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

template <class E>
struct Words;
template <>
struct Words<Algorithm> {
  static constexpr std::array<std::string_view, 5> all{"automatic", "ab", "crb", "cfa", "modular"};
};
template <>
struct Words<ExecutorKind> {
  static constexpr std::array<std::string_view, 3> all{"serial", "tbb", "openmp"};
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

/// Settings that not every algorithm has a use for.
inline constexpr std::array<std::string_view, 8> settings{"grain",       "cuts",          "corrections", "elimination",
                                                          "formulation", "factorization", "loops",       "branches"};

/// Whether the algorithm reads the setting; false means that giving it is wrong usage.
constexpr bool has_use_for(Algorithm algorithm, std::string_view setting) {
  if (setting == "grain") return algorithm == Algorithm::modular;
  if (setting == "factorization") return algorithm == Algorithm::crb;
  if (setting == "loops") return algorithm == Algorithm::ab || algorithm == Algorithm::automatic;
  if (setting == "branches")
    return algorithm == Algorithm::ab || algorithm == Algorithm::modular || algorithm == Algorithm::automatic;
  return algorithm == Algorithm::cfa || algorithm == Algorithm::modular;
}

/// The algorithms that do, for a message.
constexpr std::string_view who_has_use_for(std::string_view setting) {
  if (setting == "grain") return "modular";
  if (setting == "factorization") return "crb";
  if (setting == "loops") return "ab (the others embed)";
  if (setting == "branches") return "ab, modular and automatic";
  return "cfa and modular";
}

}  // namespace kinetree::bench
