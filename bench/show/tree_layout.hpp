#pragma once
// Where the nodes of a tree stand: layers by distance from the ground, leaves side by side, parents in the middle.

#include <kinetree/sko/tree.hpp>
#include <vector>

namespace kinetree::bench {

struct TreeLayout {
  std::vector<double> row;  ///< over nodes: a leaf has a row of its own, 0, 1, 2 …; a parent stands between its first
                            ///< and its last child
  std::vector<int> layer;   ///< over nodes: base nodes 0, their children 1 …
  double ground_row = 0;    ///< of the inertial node, whose layer is -1
  int rows = 0, layers = 0;
};

/// Siblings from first row to last by descending node, which is the order of the user's file.
TreeLayout lay_out(const sko::Tree& tree);

}  // namespace kinetree::bench
