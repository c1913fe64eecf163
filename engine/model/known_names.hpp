#pragma once
// What messages say of a name that is none: what it is instead, and which names there are.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

/// `"a", "b" and 12 more`; `mark` stands around names.
inline std::string some_of(const std::vector<std::string>& names, char mark = '"') {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) text += (k ? ", " : "") + (mark + names[k] + mark);
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// The names of a model's links or joints.
struct NamesOf {
  std::string kind;  ///< of one: "link"
  std::vector<std::string> names;
};

/// After a name that is no `wanted`: `is no link of this model; its links are "a", "b" and 12 more`, and that it is one
/// of the `other` names where it is.
inline std::string is_none_of(const NamesOf& wanted, const NamesOf& other, std::string_view name) {
  const bool mixed_up = std::find(other.names.begin(), other.names.end(), name) != other.names.end();
  return "is " + (mixed_up ? "a " + other.kind + " and " : "") + "no " + wanted.kind + " of this model" +
         (wanted.names.empty() ? ", which has none; leave it out"
                               : "; its " + wanted.kind + "s are " + some_of(wanted.names));
}

}  // namespace kinetree::inline inner
