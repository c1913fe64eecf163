#pragma once
// Colours that tell groups apart, also for the colour-blind: tints of Okabe & Ito's set with dark outlines.

#include <array>
#include <kinetree/sko/tree.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

struct Colour {
  std::string_view fill;     ///< under dark text
  std::string_view outline;  ///< dark enough for a line on white
};

inline constexpr std::array<Colour, 7> palette{{{"#a6d0ea", "#005a8c"},
                                                {"#f7d38a", "#8f6100"},
                                                {"#8fd6c0", "#006b4e"},
                                                {"#f2b48c", "#a04600"},
                                                {"#e6bcd3", "#8c3f69"},
                                                {"#f3eca0", "#6f6800"},
                                                {"#cbbdf0", "#4f3a99"}}};

inline constexpr std::string_view paper = "#fff";
inline constexpr std::string_view ink = "#1c2430";      ///< text and lines
inline constexpr std::string_view soft = "#5b6675";     ///< captions, edges
inline constexpr std::string_view closing = "#b3261e";  ///< loop joints, critical paths
inline constexpr std::string_view empty = "#f3f5f7";    ///< blocks that are zero
inline constexpr std::string_view faint = "#e4e4e4";    ///< a grid
inline constexpr std::string_view between = "#8b97a8";  ///< blocks that connect two segments

/// The element that gives every colour above its place in a dark scheme, for viewers that ask for one. Others, and
/// printers, show a picture as it is.
std::string dark_style();

/// A colour, as index into the palette, for every node of a tree of groups: never its parent's, nor the one of the
/// sibling before it.
std::vector<std::size_t> tell_apart(const sko::Tree& groups);

}  // namespace kinetree::bench
