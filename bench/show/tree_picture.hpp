#pragma once
// A drawing of a mechanism's tree: bodies as named boxes, or as dots where there are too many; ground; marked joints.

#include <kinetree/sko/tree.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// How the edge from a node to its parent is drawn.
enum class EdgeMark {
  none,
  carried,  ///< a cut joint whose force is a column of the parent's module: a filled badge
  raked     ///< a cut joint whose modules are folded into the parent body: an open badge
};

/// A constraint between nodes, drawn as a dashed line from each to the next; -1: the ground.
struct Tie {
  std::vector<int> ends;
  bool coupling = false;  ///< dotted instead
  std::string tooltip;
};

/// Nodes that are one aggregate: shaded, with lines of a legend.
struct Shade {
  std::vector<int> nodes;
  std::size_t colour = 0;  ///< in the palette
  std::vector<std::string> legend;
  std::string tooltip;
};

/// What to draw. Vectors over nodes.
struct TreePicture {
  std::string title;
  std::vector<std::string> captions;  ///< lines below the title
  const sko::Tree* tree = nullptr;
  std::vector<std::size_t> colour;   ///< in the palette
  std::vector<std::string> tooltip;  ///< of the body
  std::vector<EdgeMark> mark;        ///< empty: none
  std::vector<std::string> badge;    ///< text of the mark, short; empty where there is none
  std::vector<std::string> mark_tooltip;
  std::vector<int> number;  ///< before the name; empty: 1, 2, …
  std::vector<Tie> ties;
  std::vector<Shade> shades;
  bool arrows = false;         ///< edges point to the parent
  std::vector<bool> critical;  ///< drawn with a thick outline and edge, which are of class "critical"; empty: none
};

/// SVG documents of one tree, in one layout: each node and the ground stand in the same place in all of them. All
/// pictures have one tree, with the same names and numbers.
std::vector<std::string> draw(const std::vector<TreePicture>& pictures);

/// The SVG document. Every body is an element of class "body", every mark one of class "cut", ground of class "ground";
/// ties are of class "loop" or "coupling", shades groups of class "aggregate".
std::string draw(const TreePicture& picture);

}  // namespace kinetree::bench
