#pragma once
// Composite bodies: gather of rigid inertias, and the mass matrix row by row (Jain 2011, Alg. 4.1, 4.2).

#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// The mass matrix by its nonzero lower rows: row r of a joint of body i holds the columns of the velocities of all
/// joints on the way from the ground to it, in order, its own up to r last (branch-induced sparsity).
template <class S>
struct MassMatrix {
  std::vector<int> before;       ///< over bodies: velocities of the joints strictly above
  std::vector<std::size_t> row;  ///< over velocities: offset of the row; the entry above r's own is row[r] + length - 1
  std::vector<S> entry;

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
      : before(m.parent.size()), row(at(m.v_index.back()) + 1), entry(entry_count(m)) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const int p = m.parent[i];
      before[i] = p < 0 ? 0 : before[at(p)] + velocity_count(m.joint_type[at(p)]);
      for (int k = 0; k < velocity_count(m.joint_type[i]); ++k) {
        row[at(m.v_index[i] + k)] = offset;
        offset += at(before[i] + k + 1);
      }
    }
    row.back() = offset;
  }

  /// Row r's first entry.
  S* at_row(int r) { return entry.data() + row[at(r)]; }
  const S* at_row(int r) const { return entry.data() + row[at(r)]; }
  std::size_t bytes() const { return bytes_of(before, row, entry); }
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
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    b.I[at(i)] = plus_children(x, i, x.link[at(i)].I, b.I_up);
    b.I_up[at(i)] = congruence(k.X_up[at(i)], b.I[at(i)]);
  });
}

/// Each (Alg. 4.2): the rows of a module's bodies, every body walking to the ground on its own.
template <class S>
void mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, MassMatrix<S>& H, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int v = x.v_index(i);
    with_subspace(x.type(i), &k.columns[at(v)], [&](auto subspace) {
      constexpr int n = decltype(subspace)::freedoms;
      Force<S> F[n];
      for (int r = 0; r < n; ++r) {
        S unit[n];
        for (int c = 0; c < n; ++c) unit[c] = S(c == r ? 1 : 0);
        Motion<S> m{};
        subspace.add(unit, m);
        F[r] = b.I[at(i)] * m;
        S own[n];
        subspace.transpose_times(F[r], own);
        if (!x.rotors.empty()) own[r] += x.rotors[at(v + r)];
        for (int c = 0; c <= r; ++c) H.at_row(v + r)[H.before[at(i)] + c] = own[c];
      }
      for (int j = i; x.parent(j) >= 0;) {
        for (int r = 0; r < n; ++r) F[r] = transpose_times(k.X_up[at(j)], F[r]);
        j = x.parent(j);
        with_subspace(x.type(j), &k.columns[at(x.v_index(j))], [&](auto above) {
          for (int r = 0; r < n; ++r) above.transpose_times(F[r], H.at_row(v + r) + H.before[at(j)]);
        });
      }
    });
  });
}

}  // namespace kinetree::inline inner
