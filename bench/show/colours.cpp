#include "bench/show/colours.hpp"

namespace kinetree::bench {

std::vector<std::size_t> tell_apart(const sko::Tree& groups) {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  constexpr std::size_t none = palette.size();
  std::vector<std::size_t> colour(at(groups.size()), none);
  std::size_t next = 0;  // goes round, so that distant groups differ too where there are few
  const auto paint = [&](std::span<const int> siblings, std::size_t above) {
    std::size_t before = none;
    for (std::size_t s = siblings.size(); s-- > 0;) {  // descending: the order of the user's file
      while (next == above || next == before) next = (next + 1) % palette.size();
      before = colour[at(siblings[s])] = next;
      next = (next + 1) % palette.size();
    }
  };
  paint(groups.roots(), none);
  sko::scatter(groups, [&](int k) { paint(groups.children(k), colour[at(k)]); });
  return colour;
}

}  // namespace kinetree::bench
