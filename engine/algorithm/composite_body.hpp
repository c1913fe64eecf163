#pragma once
// Composite bodies: gather of rigid inertias (Jain 2011, Alg. 4.1), and the pattern of the mass matrix.

#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// The mass matrix by its nonzero lower rows: row r of a joint of body i holds the columns of the velocities of all
/// joints on the way from the ground to it, in order, its own up to r last (branch-induced sparsity).
template <class S>
struct MassMatrix {
  std::vector<int> before;       ///< over bodies: number of velocities of the joints inboard of its own
  std::vector<std::size_t> row;  ///< over velocities, and one more: offset of row r; its diagonal is row[r + 1] - 1
  std::vector<S> entry;
  std::vector<Transform<S>> arms;  ///< over bodies, see root_arms
  /// Over bodies: the first of the bodies on revolute joints, each carried by the one before, that end in this; of a
  /// body on another joint the one behind it.
  std::vector<int> series;

  static std::size_t entry_count(const ModelData& m) {
    std::size_t count = 0;
    std::vector<std::size_t> above(m.parent.size());
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const auto p = m.parent[i];
      if (p >= 0)
        above[i] = above[static_cast<std::size_t>(p)] + at(velocity_count(m.joint_type[static_cast<std::size_t>(p)]));
      const auto n = at(velocity_count(m.joint_type[i]));
      count += n * above[i] + n * (n + 1) / 2;
    }
    return count;
  }

  explicit MassMatrix(const ModelData& m)
      : before(m.parent.size()),
        row(at(m.v_index.back()) + 1),
        entry(entry_count(m)),
        arms(m.parent.size()),
        series(m.parent.size()) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const int p = m.parent[i];
      before[i] = p < 0 ? 0 : before[at(p)] + velocity_count(m.joint_type[at(p)]);
      const int body = static_cast<int>(i);
      series[i] = !is_revolute(m.joint_type[i]) ? body + 1 : p < 0 || p < body - 1 ? body : series[at(p)];
      for (int k = 0; k < velocity_count(m.joint_type[i]); ++k) {
        row[at(m.v_index[i] + k)] = offset;
        offset += at(before[i] + k + 1);
      }
    }
    row.back() = offset;
  }

  /// Whether no entry of the lower triangle is left out.
  bool full() const { return 2 * entry.size() == row.size() * (row.size() - 1); }
  /// Row r's first entry.
  S* at_row(int r) { return entry.data() + row[at(r)]; }
  const S* at_row(int r) const { return entry.data() + row[at(r)]; }
  std::size_t bytes() const { return bytes_of(before, row, entry, arms, series); }
};

template <class S>
struct CompositeBody {
  std::vector<RigidInertia<S>> I;     ///< of the body and all outboard of it, body coordinates
  std::vector<RigidInertia<S>> I_up;  ///< the same in the parent's
  explicit CompositeBody(const ModelData& m) : I(m.parent.size()), I_up(m.parent.size()) {}
  std::size_t bytes() const { return bytes_of(I, I_up); }
};

/// Gather (Alg. 4.1).
template <class S>
void composite_inertias(const Context<S>& x, const Kinematics<S>& k, CompositeBody<S>& b, int step) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) KINETREE_INLINE_LAMBDA {
    const std::span<const int> children = x.model->children_of(i);
    RigidInertia<S> own;
    own.take(x.link[at(i)].I);
    if (children.size() == 1)
      own += b.I_up[at(children.front())];
    else if (!children.empty())
      own += sum_of(children, b.I_up);
    b.I[at(i)].take(own);
    to_parent(k.X_up[at(i)], own);
    b.I_up[at(i)].take(own);
  });
}

/// Scatter: of a module's bodies, E from the axes of the tree's root body to the body's, and r from the parent's origin
/// to the body's, root's axes. A force that is known in those needs no turns on its way to the root. The parent's E is
/// read where it was just written: a copy of it that is held costs nine moves a body.
template <class S>
void root_arms(const Context<S>& x, const Kinematics<S>& k, MassMatrix<S>& H, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) KINETREE_INLINE_LAMBDA {
    const int p = x.parent(i);
    Transform<S> arm = Transform<S>::identity();
    if (p >= 0) {
      arm.E.take(H.arms[at(p)].E);
      extend(k.X_up[at(i)], arm);
    }
    H.arms[at(i)].take(arm);
  });
}

}  // namespace kinetree::inline inner
