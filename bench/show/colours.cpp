#include "bench/show/colours.hpp"

#include <fmt/format.h>

#include <utility>

namespace kinetree::bench {
namespace {

/// In the order of the palette: under light text, and light enough for a line on the dark paper.
constexpr std::array<Colour, palette.size()> dark_palette{{{"#1d4e6e", "#7fc4ee"},
                                                           {"#5c4413", "#f0c063"},
                                                           {"#1b5546", "#74d3b6"},
                                                           {"#66381b", "#f0a172"},
                                                           {"#5d3650", "#e3a7cb"},
                                                           {"#504c17", "#dcd266"},
                                                           {"#403468", "#bba8f2"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> dark_of{{{paper, "#171c23"},
                                                                                {ink, "#e4e8ee"},
                                                                                {soft, "#a3adba"},
                                                                                {closing, "#ff8a80"},
                                                                                {empty, "#262d37"},
                                                                                {faint, "#353c47"},
                                                                                {between, "#4d5766"}}};

}  // namespace

std::string dark_style() {
  std::string rules;
  const auto rule = [&](std::string_view light, std::string_view dark) {
    rules += fmt::format("[fill=\"{0}\"]{{fill:{1}}}[stroke=\"{0}\"]{{stroke:{1}}}\n", light, dark);
  };
  for (const auto& [light, dark] : dark_of) rule(light, dark);
  for (std::size_t k = 0; k < palette.size(); ++k)
    rule(palette[k].fill, dark_palette[k].fill), rule(palette[k].outline, dark_palette[k].outline);
  return "<style>@media (prefers-color-scheme: dark) {\n" + rules + "}</style>\n";
}

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
