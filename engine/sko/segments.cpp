#include <kinetree/sko/segments.hpp>
#include <numeric>

namespace kinetree::sko {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

template <class Related>
Pattern pattern_of(const std::vector<int>& order, const Related& related) {
  Pattern pattern(order.size(), std::vector<bool>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) pattern[i][j] = related(order[i], order[j]);
  return pattern;
}

std::vector<int> or_own(const std::vector<int>& order, int size) {
  if (!order.empty()) return order;
  std::vector<int> own(at(size));
  std::iota(own.begin(), own.end(), 0);
  return own;
}

/// Segments are numbered canonically, so they make a Tree as they are.
Tree bare_tree(const Segments& segments) { return Tree(segments.parent); }

}  // namespace

Segments serial_chain_segments(const Tree& tree) {
  Segments s;
  s.segment_of.assign(at(tree.size()), -1);
  gather(tree, [&](int k) {
    const auto children = tree.children(k);
    int& segment = s.segment_of[at(k)];
    if (children.size() == 1) {
      segment = s.segment_of[at(children[0])];
    } else {
      segment = s.size();
      s.nodes.emplace_back();
      s.parent.push_back(-1);
      for (const int c : children) s.parent[at(s.segment_of[at(c)])] = segment;
    }
    s.nodes[at(segment)].push_back(k);
  });
  return s;
}

Tree segment_tree(const Tree& tree, const Segments& segments) {
  std::vector<std::string> names;
  for (const auto& nodes : segments.nodes) {
    std::string name = tree.name(nodes.front());
    if (nodes.size() > 1) name.append("..").append(tree.name(nodes.back()));
    names.push_back(std::move(name));
  }
  return Tree(segments.parent, std::move(names));
}

std::vector<int> segment_order(const Segments& segments) {
  std::vector<int> order;
  for (const auto& nodes : segments.nodes) order.insert(order.end(), nodes.begin(), nodes.end());
  return order;
}

Pattern adjacency_pattern(const Tree& tree, const std::vector<int>& order) {
  return pattern_of(or_own(order, tree.size()), [&](int j, int k) { return tree.parent(k) == j; });
}

Pattern resolvent_pattern(const Tree& tree, const std::vector<int>& order) {
  return pattern_of(or_own(order, tree.size()), [&](int j, int k) { return tree.at_or_above(j, k); });
}

Pattern mass_matrix_pattern(const Tree& tree, const std::vector<int>& order) {
  return pattern_of(or_own(order, tree.size()), [&](int j, int k) { return tree.related(j, k); });
}

Pattern adjacency_pattern(const Segments& segments) {
  return pattern_of(or_own({}, segments.size()), [&](int j, int k) {
    return segments.parent[at(k)] == j || (j == k && segments.nodes[at(j)].size() > 1);
  });
}

Pattern resolvent_pattern(const Segments& segments) { return resolvent_pattern(bare_tree(segments)); }

Pattern mass_matrix_pattern(const Segments& segments) { return mass_matrix_pattern(bare_tree(segments)); }

}  // namespace kinetree::sko
