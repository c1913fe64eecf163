#pragma once
// The text of a generated family, `word:size[:key=value]...`, taken apart and checked.

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetree::inline inner {

struct FamilyText {
  std::string word;           ///< chain, tree, star, comb, rope, random, geared, fourbars, ring
  int first = 0, second = 0;  ///< N; B and D of tree; A and N of star
  std::uint64_t seed = 0;     ///< random only
  bool floating = false;      ///< random only
  bool special = false;       ///< random only
  int branching = 3;          ///< random only: most children of a body
  double ratio = 0;           ///< 0: not given
  std::string joints;         ///< a joint type's name, `mixed` (random), `spherical` (rope); empty: not given
  double dummy = 1e-3;        ///< rope only: kg of a dummy link
  double payload = 0;         ///< rope only: kg
  double armature = 0;        ///< chain, tree, star, comb: of every joint
  bool comb = false;          ///< fourbars only
  std::string rotors;         ///< geared only: bodies, armature, none; empty: not given
  int bodies = 0;             ///< how many bodies that makes
};

/// Throws InputError with every fault of the text.
FamilyText parse_family(std::string_view text);

}  // namespace kinetree::inline inner
