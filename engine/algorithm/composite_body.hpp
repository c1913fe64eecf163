#pragma once
// Composite bodies: gather of rigid inertias, and the mass matrix row by row (Jain 2011, Alg. 4.1, 4.2).

#include <array>

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
      : before(m.parent.size()), row(at(m.v_index.back()) + 1), entry(entry_count(m)), arms(m.parent.size()) {
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
  std::size_t bytes() const { return bytes_of(before, row, entry, arms); }
};

template <class S>
struct CompositeBody {
  std::vector<RigidInertia<S>> I;     ///< of the body and all outboard of it, body coordinates
  std::vector<RigidInertia<S>> I_up;  ///< the same in the parent's
  explicit CompositeBody(const ModelData& m) : I(m.parent.size()), I_up(m.parent.size()) {}
  std::size_t bytes() const { return bytes_of(I, I_up); }
};

/// Gather (Alg. 4.1). What the only child of a body hands to it stays in registers.
template <class S>
void composite_inertias(const Context<S>& x, const Kinematics<S>& k, CompositeBody<S>& b, int step) {
  RigidInertia<S> up{};  // of the body before, in the coordinates of `parent`
  int parent = -1;
  inwards(*x.modules, x.module_of_step(step), [&](int i) KINETREE_INLINE_LAMBDA {
    const std::span<const int> children = x.model->children_of(i);
    RigidInertia<S> own;
    own.take(x.link[at(i)].I);
    if (children.size() == 1)
      own += i == parent ? up : b.I_up[at(children.front())];
    else if (!children.empty())
      own += sum_of(children, b.I_up);
    b.I[at(i)].take(own);
    to_parent(k.X_up[at(i)], own);
    b.I_up[at(i)].take(own);
    up.take(own), parent = x.parent(i);
  });
}

/// Scatter: of a module's bodies, E from the axes of the tree's root body to the body's, and r from the parent's origin
/// to the body's, root's axes. A force that is known in those needs no turns on its way to the root.
template <class S>
void root_arms(const Context<S>& x, const Kinematics<S>& k, MassMatrix<S>& H, int step) {
  Matrix3<S> E{};  // of the body before, which stays in registers
  int before = -1;
  outwards(*x.modules, x.module_of_step(step), [&](int i) KINETREE_INLINE_LAMBDA {
    const int p = x.parent(i);
    Transform<S> arm = Transform<S>::identity();
    if (p >= 0) {
      arm.E.take(p == before ? E : H.arms[at(p)].E);
      extend(k.X_up[at(i)], arm);
    }
    H.arms[at(i)].take(arm);
    E.take(arm.E), before = i;
  });
}

namespace mass_rows_detail {

template <class S, int n>
using Forces = std::array<Force<S>, static_cast<std::size_t>(n)>;
template <class S, int n>
using Rows = std::array<S*, static_cast<std::size_t>(n)>;

/// Writes Sᵀ f of joint j to the forces' rows, for forces F about body j's origin, in the root's axes. Of the turned
/// forces f = E F it computes only the entries that S needs. `E`: body j's; `column`: where its velocities begin.
template <class S, class Forces, class Rows, class Subspace>
KINETREE_INLINE void write_entries(const Matrix3<S>& E, const Subspace& subspace, const Forces& F, const Rows& row,
                                   std::ptrdiff_t column) {
  for (std::size_t r = 0; r < F.size(); ++r)
    subspace.transpose_times(Force<S>{E * F[r].moment, E * F[r].force}, row[r] + column);
}

/// By one call, with copies: forces that are taken by reference could not stay in registers beside revolute joints.
template <class S, class Forces, class Rows>
[[gnu::noinline]] void write_entries_by_any(const Context<S>& x, const Kinematics<S>& k, const MassMatrix<S>& H, int j,
                                            const Forces F, const Rows row, std::ptrdiff_t column) {
  with_subspace(x, k, j, [&](auto subspace) { write_entries(H.arms[at(j)].E, subspace, F, row, column); });
}

}  // namespace mass_rows_detail

/// Each (Alg. 4.2): the rows of a module's bodies; every body walks to the root by itself. Moments are taken about the
/// origin of the body reached, so that they contain no lever arm from the root, which would cost digits.
/// `row(r)`: where row r stands; `column(j)`: how far from there the velocities of joint j do.
template <class S, class Row, class Column>
void mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, const MassMatrix<S>& H, int step,
               Row&& row_of, Column&& column_of) {
  using namespace mass_rows_detail;
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int v = x.v_index(i);
    with_subspace(x, k, i, [&](auto subspace) {
      constexpr int n = decltype(subspace)::freedoms;
      Forces<S, n> F;
      Rows<S, n> row;
      subspace.image(b.I[at(i)], F.data());
      for (int r = 0; r < n; ++r) {
        row[at(r)] = row_of(v + r);
        S own[n];
        subspace.transpose_times(F[at(r)], own);
        if (!x.rotors.empty()) own[r] += x.rotors[at(v + r)];
        for (int c = 0; c <= r; ++c) row[at(r)][column_of(i) + c] = own[c];
        const Matrix3<S>& E = H.arms[at(i)].E;
        F[at(r)] = {transpose_times(E, F[at(r)].moment), transpose_times(E, F[at(r)].force)};
      }
      for (int j = i, p = x.parent(i); p >= 0; j = p, p = x.parent(p)) {
        for (Force<S>& f : F) f.moment += cross(H.arms[at(j)].r, f.force);
        if (is_revolute(x.type(p))) [[likely]]
          write_entries(H.arms[at(p)].E, Revolute{}, F, row, column_of(p));
        else
          write_entries_by_any(x, k, H, p, F, row, column_of(p));
      }
    });
  });
}

/// To H's own rows, which have no zeros.
template <class S>
void mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, MassMatrix<S>& H, int step) {
  mass_rows(
      x, k, b, H, step, [&](int r) { return H.at_row(r); }, [&](int j) -> std::ptrdiff_t { return H.before[at(j)]; });
}

/// To the lower triangle of a dense nv x nv matrix, the rest of which is not written.
template <class S>
void dense_mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, const MassMatrix<S>& H,
                     S* dense, int step) {
  const std::ptrdiff_t nv = x.model->v_index.back();
  mass_rows(
      x, k, b, H, step, [&](int r) { return dense + r * nv; }, [&](int j) -> std::ptrdiff_t { return x.v_index(j); });
}

}  // namespace kinetree::inline inner
