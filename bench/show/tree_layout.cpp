#include "bench/show/tree_layout.hpp"

#include <algorithm>

namespace kinetree::bench {

TreeLayout lay_out(const sko::Tree& tree) {
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const std::size_t n = at(tree.size());
  std::vector<int> leaves(n, 0), first(n, 0);
  sko::gather(tree, [&](int k) {
    for (const int c : tree.children(k)) leaves[at(k)] += leaves[at(c)];
    leaves[at(k)] = std::max(leaves[at(k)], 1);
  });
  TreeLayout out;
  out.row.assign(n, 0);
  out.layer.assign(n, 0);
  const auto place = [&](std::span<const int> siblings, int row, int layer) {
    for (std::size_t s = siblings.size(); s-- > 0; row += leaves[at(siblings[s])]) {
      first[at(siblings[s])] = row;
      out.layer[at(siblings[s])] = layer;
      out.layers = std::max(out.layers, layer + 1);
    }
    return row;
  };
  out.rows = place(tree.roots(), 0, 0);
  sko::scatter(tree, [&](int k) { place(tree.children(k), first[at(k)], out.layer[at(k)] + 1); });
  const auto middle = [&](std::span<const int> children) {
    return 0.5 * (out.row[at(children.front())] + out.row[at(children.back())]);
  };
  sko::gather(tree, [&](int k) {
    const std::span<const int> children = tree.children(k);
    out.row[at(k)] = children.empty() ? first[at(k)] : middle(children);
  });
  if (n > 0) out.ground_row = middle(tree.roots());
  return out;
}

}  // namespace kinetree::bench
