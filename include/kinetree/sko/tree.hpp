#pragma once
// Tree: the digraph of an SKO model, nodes in the papers' canonical order (tips first: a parent's number is larger).

#include <kinetree/export.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace kinetree::sko {

/// A rooted tree, or a forest; the inertial node is not among the nodes, it is the parent -1 of every base node.
class KINETREE_EXPORT Tree {
 public:
  Tree() = default;
  /// parent[k] > k or -1. Throws std::invalid_argument naming the first node that breaks the rule.
  explicit Tree(std::vector<int> parent, std::vector<std::string> name = {});

  int size() const { return static_cast<int>(parent_.size()); }
  /// ℘(k); -1 for a base node.
  int parent(int k) const { return parent_[static_cast<std::size_t>(k)]; }
  std::span<const int> parents() const { return parent_; }
  /// C(k), ascending.
  std::span<const int> children(int k) const;
  /// Base nodes, ascending.
  std::span<const int> roots() const;
  const std::string& name(int k) const { return name_[static_cast<std::size_t>(k)]; }

  /// j ⪰ k: k is j or descends from it.
  bool at_or_above(int j, int k) const {
    return first_[static_cast<std::size_t>(j)] <= first_[static_cast<std::size_t>(k)] &&
           first_[static_cast<std::size_t>(k)] < last_[static_cast<std::size_t>(j)];
  }
  bool related(int i, int j) const { return at_or_above(i, j) || at_or_above(j, i); }
  /// ℘(i, j), the closest node above or at both; -1 where only the inertial node is.
  int common_ancestor(int i, int j) const;
  /// Nodes strictly between i and its ancestor j, and j: ℘(i), ..., j. j = -1 goes to the base node.
  /// The one place that climbs the tree.
  std::vector<int> path_up(int i, int j) const;

 private:
  std::vector<int> parent_, children_begin_, children_;
  std::vector<int> first_,
      last_;  ///< depth-first interval: k is at or below j if first_[k] is in [first_[j], last_[j])
  std::vector<std::string> name_;
};

/// Calls kernel(space, k) for all nodes k: children before parents, or parents before children.
KINETREE_EXPORT void gather(const Tree& tree, void (*kernel)(void* space, int k), void* space);
KINETREE_EXPORT void scatter(const Tree& tree, void (*kernel)(void* space, int k), void* space);

/// Calls kernel(k) for all nodes, children before parents. The same passes as the algorithms on bodies.
template <class Kernel>
void gather(const Tree& tree, Kernel&& kernel) {
  using K = std::remove_reference_t<Kernel>;
  gather(
      tree, [](void* space, int k) { (*static_cast<K*>(space))(k); },
      const_cast<void*>(static_cast<const void*>(&kernel)));
}

/// Calls kernel(k) for all nodes, parents before children.
template <class Kernel>
void scatter(const Tree& tree, Kernel&& kernel) {
  using K = std::remove_reference_t<Kernel>;
  scatter(
      tree, [](void* space, int k) { (*static_cast<K*>(space))(k); },
      const_cast<void*>(static_cast<const void*>(&kernel)));
}

}  // namespace kinetree::sko
