#include <kinetree/sko/partition.hpp>
#include <kinetree/sko/segments.hpp>
#include <numeric>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

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

template <class S>
Matrix<S> segment_connector(const Spo<S>& A, const Segments& segments, int j, int k) {
  const auto rows = [&](const std::vector<int>& nodes) {
    int sum = 0;
    for (const int i : nodes) sum += A.space->size(Kind::node, i);
    return sum;
  };
  const std::vector<int>&upper = segments.nodes[at(j)], &lower = segments.nodes[at(k)];
  Matrix<S> E = Matrix<S>::Zero(rows(upper), rows(lower));
  const Matrix<S>& weight = A(lower.back());
  if (segments.parent[at(k)] == j) E.topRightCorner(weight.rows(), weight.cols()) = weight;
  return E;
}

template <class S>
Matrix<S> resolvent_by_segments(const Spo<S>& A, const Segments& segments) {
  const Tree coarse = bare_tree(segments);
  const auto n = at(segments.size());
  std::vector<std::vector<Matrix<S>>> block(n, std::vector<Matrix<S>>(n));
  std::vector<Eigen::Index> first{0};
  Matrix<S> result = Matrix<S>::Zero(A.space->total(Kind::node), A.space->total(Kind::node));
  gather(coarse, [&](int j) {
    Matrix<S>& A_j = block[at(j)][at(j)];
    A_j = resolvent(component(A, segments.nodes[at(j)])).matrix;
    first.push_back(first.back() + A_j.rows());
    for (const int i : coarse.children(j)) {
      const Matrix<S> to_j = A_j * segment_connector(A, segments, j, i);
      for (int k = 0; k <= i; ++k)
        if (coarse.at_or_above(i, k)) block[at(j)][at(k)] = to_j * block[at(i)][at(k)];
    }
    for (int k = 0; k <= j; ++k)
      if (coarse.at_or_above(j, k))
        result.block(first[at(j)], first[at(k)], A_j.rows(), block[at(j)][at(k)].cols()) = block[at(j)][at(k)];
  });
  return result;
}

#define INSTANTIATE(S)                                                            \
  template Matrix<S> segment_connector(const Spo<S>&, const Segments&, int, int); \
  template Matrix<S> resolvent_by_segments(const Spo<S>&, const Segments&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
