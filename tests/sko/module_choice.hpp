#pragma once
// A random decomposition of a tree into serial modules: the segments, split further at random.

#include <kinetree/sko/kinematic_modules.hpp>

#include "engine/model/random.hpp"

namespace kinetree::sko {

/// Every joint inside a segment becomes a border of modules with the probability given. Modules and links are listed in
/// no order: decreasing, as it happens.
inline std::vector<ChosenModule> random_choice(const Tree& links, double splits, std::uint64_t seed) {
  Random random(seed);
  const KinematicModules segments = KinematicModules::segments(links);
  std::vector<ChosenModule> choice;
  for (int i = segments.size(); i-- > 0;) {
    const auto members = segments.links_of(i);
    for (std::size_t r = 0; r < members.size(); ++r) {
      if (r == 0 || random.uniform(0, 1) < splits)
        choice.push_back({"module " + std::to_string(choice.size() + 1), {}});
      choice.back().links.insert(choice.back().links.begin(), links.name(members[r]));
    }
  }
  return choice;
}

inline KinematicModules random_modules(const Tree& links, std::uint64_t seed) {
  constexpr double splits[]{0.1, 0.4, 0.8};
  return KinematicModules::chosen(links, random_choice(links, splits[seed % 3], seed));
}

}  // namespace kinetree::sko
