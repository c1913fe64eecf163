#pragma once
// How large the parts of a tree's drawing are: letters, boxes or dots, gaps, and in which direction the tree grows.

#include <kinetree/sko/tree.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/show/tree_layout.hpp"

namespace kinetree::bench {

inline constexpr std::string_view ground_name = "ground";

/// What all pictures of a tree together need room for.
struct Needs {
  bool marks = false, ties = false;
  std::vector<std::string> badges{};
};

/// Sizes of everything for one size of letters. "Along" is away from the ground, "across" from row to row.
struct Sizes {
  bool boxes = true, down = false;       ///< down: layers from top to bottom, else from left to right
  double font = 0, height = 0;           ///< of a box
  double gap = 0;                        ///< between layers
  double tail = 0;                       ///< the part of the gap before a body where its mark stands
  double badge_font = 0;                 ///< of the numbers in marks
  bool numbered = true;                  ///< whether marks have room for them
  double pitch = 0;                      ///< from row to row
  bool upright = false;                  ///< dots: every name stands over its dot
  double radius = 0;                     ///< of a dot
  std::vector<double> begin{}, width{};  ///< along, over layers, the ground's first: where its boxes begin, how long
  double along = 0, across = 0;          ///< of all
};

/// The largest letters with which the drawing fits a page, in the direction that uses the space better; dots where no
/// letters fit. `labels`: over nodes.
Sizes choose_sizes(const sko::Tree& tree, const TreeLayout& layout, const std::vector<std::string>& labels,
                   const Needs& needs);

/// Of the mark with this text, in letters of this size.
double badge_width(std::string_view badge, double font);

}  // namespace kinetree::bench
