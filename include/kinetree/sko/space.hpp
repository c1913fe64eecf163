#pragma once
// Space: what makes operators compatible (Jain 2011, Sec. 2.3): one tree and one choice of sizes.

#include <kinetree/export.hpp>
#include <kinetree/sko/tree.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace kinetree::sko {

/// Whether rows or columns are those of node velocities (m_k per node) or of joint velocities (n_k per node).
enum class Kind { node, joint };

/// Operators and stacked vectors of one SKO model share one Space; those of two models refuse to combine.
class KINETREE_EXPORT Space {
 public:
  /// node_size[k] = m_k >= 0, joint_size[k] = n_k >= 0. Throws std::invalid_argument on wrong lengths or signs.
  Space(std::string name, Tree tree, const std::vector<int>& node_size, const std::vector<int>& joint_size);

  const std::string& name() const { return name_; }
  const Tree& tree() const { return tree_; }
  int nodes() const { return tree_.size(); }
  /// Rows of node k, and the first of them in a stacked vector.
  int size(Kind kind, int k) const { return offset(kind, k + 1) - offset(kind, k); }
  int offset(Kind kind, int k) const {
    return (kind == Kind::node ? node_offset_ : joint_offset_)[static_cast<std::size_t>(k)];
  }
  int total(Kind kind) const { return offset(kind, nodes()); }

 private:
  std::string name_;
  Tree tree_;
  std::vector<int> node_offset_, joint_offset_;
};

using SpaceRef = std::shared_ptr<const Space>;

/// Thrown where operators of two models meet (Jain 2011, Sec. 2.3), or node rows meet joint rows; names both.
class KINETREE_EXPORT IncompatibleOperators : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws IncompatibleOperators unless both are the very same Space.
KINETREE_EXPORT void expect_same(const SpaceRef& a, const SpaceRef& b, const char* doing);
/// Throws IncompatibleOperators unless the kinds agree.
KINETREE_EXPORT void expect_same(Kind a, Kind b, const char* doing);

}  // namespace kinetree::sko
