#pragma once
// The words of URDF and URDF+ that are read: which attributes and elements an element may have.

#include <span>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

struct UrdfWords {
  std::string_view tag;
  std::vector<std::string_view> attributes, children;
  bool all_count = false;  ///< any other element in it would change the dynamics
};

/// The words of an element of that tag in an element of the other; null: it is not read there.
const UrdfWords* urdf_words(std::string_view tag, std::string_view parent);

/// The tag of the element at or below `words` that has such an attribute or is one of that tag; empty: none has.
std::string_view urdf_place_of(std::string_view word, const UrdfWords& words);

/// Whether a word that is not read speaks of inertia, of a force or of a constraint: `spring_stiffness`,
/// `motorInertia`.
bool speaks_of_dynamics(std::string_view word);

}  // namespace kinetree::inline inner
