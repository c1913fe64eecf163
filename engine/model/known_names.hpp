#pragma once
// Messages about a name that is not known: what else has it, which name may be meant, and which names there are.

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/slips.hpp"

namespace kinetree::inline inner {

/// `"a", "b" and 12 more`; `mark` stands around names.
inline std::string some_of(const std::vector<std::string>& names, char mark = '"') {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) text += (k ? ", " : "") + (mark + names[k] + mark);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// The names with those first that `name` may stand for: by slips, and by a prefix or an ending that is missing or one
/// too many. Names that are equally near keep their order, and so do more names than `most`: comparing takes 0.3 µs a
/// name, and more by the square of their lengths, so that names of more than 100 letters are far from any other.
inline std::vector<std::string> nearest_first(std::vector<std::string> names, std::string_view name,
                                              std::size_t most = 20'000) {
  if (names.size() > most) return names;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  order.reserve(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string_view other = names[k];
    const auto& [inner, outer] = name.size() < other.size() ? std::pair{name, other} : std::pair{other, name};
    const bool long_name = outer.size() > 100, part = !long_name && inner.size() > 2 && outer.find(inner) != outer.npos;
    order.emplace_back(long_name ? outer.size() : part ? 1 : slips_between(name, other), k);
  }
  std::ranges::sort(order);
  std::vector<std::string> sorted;
  sorted.reserve(names.size());
  for (const auto& [slips, k] : order) sorted.push_back(std::move(names[k]));
  return sorted;
}

/// ` (nearest: "forearm", "arm")`; empty where there is none, or where they are many or `told` findings before this: a
/// file may have as many wrong names as right ones, and each is compared with all.
template <std::ranges::sized_range All, class NameOf>
std::string nearest_of(std::string_view name, const All& all, NameOf&& name_of, std::size_t told = 0) {
  constexpr std::size_t most = 3, most_compared = 2000, most_told = 100;
  if (std::ranges::size(all) > most_compared || told > most_told) return "";
  std::vector<std::string> names;
  for (const auto& one : all)
    if (std::string other(name_of(one)); !other.empty()) names.push_back(std::move(other));
  names = nearest_first(std::move(names), name);
  if (names.empty()) return "";
  names.resize(std::min(names.size(), most));
  return " (nearest: " + some_of(names) + ")";
}

/// The names of a model's links or joints.
struct NamesOf {
  std::string kind;  ///< of one: "link"
  std::vector<std::string> names;
};

/// After a name that is no `wanted`: `is no link of this model; its links are "a", "b" and 12 more`, the nearest first,
/// and that it is one of the `other` names where it is.
inline std::string is_none_of(const NamesOf& wanted, const NamesOf& other, std::string_view name) {
  const bool mixed_up = std::find(other.names.begin(), other.names.end(), name) != other.names.end();
  return "is " + (mixed_up ? "a " + other.kind + " and " : "") + "no " + wanted.kind + " of this model" +
         (wanted.names.empty() ? ", which has none; leave it out"
                               : "; its " + wanted.kind + "s are " + some_of(nearest_first(wanted.names, name)));
}

}  // namespace kinetree::inline inner
