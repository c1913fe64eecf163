#pragma once
// Which of a file's joints hang its links into trees, where files may close cycles and name parents and children as
// they like (SDFormat).

#include <vector>

namespace kinetree::inline inner {

/// A joint between two links, by their indices.
struct LinkEdge {
  int parent, child;     ///< the parent -1: the world. Of `turned` ones exchanged
  bool in_tree = false;  ///< else it closes a loop
  bool turned = false;   ///< the child became the parent
};

/// Hangs links in the order of `edges`, as long as no link gets a second parent and none hangs from itself. Then edges
/// that would give a link a second parent, but connect two trees: the one that the world does not hold is hung from the
/// other, by as few edges turned as possible. What is left closes loops. Returns for each of `links` links the index of
/// the edge that it hangs by; -1: none.
std::vector<int> hang_links(std::vector<LinkEdge>& edges, int links);

}  // namespace kinetree::inline inner
