#include <algorithm>
#include <kinetree/sko/tree.hpp>
#include <numeric>
#include <stdexcept>

#include "engine/algorithm/pass.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::sko {

Tree::Tree(std::vector<int> parent, std::vector<std::string> name)
    : parent_(std::move(parent)), name_(std::move(name)) {
  const int n = size();
  if (name_.empty())
    for (int k = 0; k < n; ++k) name_.push_back(std::to_string(k + 1));
  if (name_.size() != parent_.size())
    throw std::invalid_argument("tree: " + std::to_string(name_.size()) + " names for " + std::to_string(n) + " nodes");
  // children by counting sort; the inertial node's are kept behind those of all others
  children_begin_.assign(at(n) + 2, 0);
  for (int k = 0; k < n; ++k) {
    const int p = parent_[at(k)];
    if (p >= n || (p <= k && p != -1))
      throw std::invalid_argument("tree: node " + name_[at(k)] + " (" + std::to_string(k) + ") has parent " +
                                  std::to_string(p) + "; canonical order wants a larger number, or -1 at the base");
    ++children_begin_[at(p < 0 ? n : p) + 1];
  }
  std::partial_sum(children_begin_.begin(), children_begin_.end(), children_begin_.begin());
  children_.resize(at(n));
  std::vector<int> next(children_begin_.begin(), children_begin_.end() - 1);
  for (int k = 0; k < n; ++k) children_[at(next[at(parent_[at(k)] < 0 ? n : parent_[at(k)])]++)] = k;
  // intervals: subtree sizes by a gather, places by a scatter
  std::vector<int> count(at(n), 1);
  gather(*this, [&](int k) {
    for (const int c : children(k)) count[at(k)] += count[at(c)];
  });
  first_.resize(at(n));
  last_.resize(at(n));
  const auto place = [&](std::span<const int> siblings, int begin) {
    for (const int c : siblings) {
      first_[at(c)] = begin;
      last_[at(c)] = begin += count[at(c)];
    }
  };
  place(roots(), 0);
  scatter(*this, [&](int k) { place(children(k), first_[at(k)] + 1); });
}

std::span<const int> Tree::children(int k) const {
  return {children_.data() + children_begin_[at(k)], at(children_begin_[at(k) + 1] - children_begin_[at(k)])};
}

std::span<const int> Tree::roots() const { return children(size()); }

std::vector<int> Tree::path_up(int i, int j) const {
  std::vector<int> path;
  for (int k = i; k != j && (k = parent(k)) >= 0;) path.push_back(k);
  return path;
}

int Tree::common_ancestor(int i, int j) const {
  if (at_or_above(i, j)) return i;
  const std::vector<int> above = path_up(i, -1);
  const auto common = std::find_if(above.begin(), above.end(), [&](int k) { return at_or_above(k, j); });
  return common == above.end() ? -1 : *common;
}

void gather(const Tree& tree, void (*kernel)(void* space, int k), void* space) {
  const Pass pass{Direction::gather, kernel};
  run_serial({&pass, 1}, space, tree.size());
}

void scatter(const Tree& tree, void (*kernel)(void* space, int k), void* space) {
  const Pass pass{Direction::scatter, kernel};
  run_serial({&pass, 1}, space, tree.size());
}

}  // namespace kinetree::sko
