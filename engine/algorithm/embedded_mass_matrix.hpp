#pragma once
// The mass matrix in independent coordinates, X_Sᵀ H X_S, of a model with aggregates (Jain 2012 II, Eq. 32).

#include "engine/algorithm/aggregate_node.hpp"
#include "engine/algorithm/mass_solve.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Which velocities are independent in this state, ascending, and the map from them: v_S = X_S v_R, velocity by
/// velocity.
template <class S>
struct IndependentVelocities {
  std::vector<int> velocity;                  ///< over independent ones: index in v
  std::vector<int> place;                     ///< over velocities: among the independent ones; -1: dependent
  std::vector<const AggregateNode<S>*> node;  ///< over velocities: the aggregate it belongs to, or null
  std::vector<int> column;                    ///< over velocities: within its aggregate

  explicit IndependentVelocities(const ModelData& m)
      : place(at(m.v_index.back())), node(at(m.v_index.back())), column(at(m.v_index.back())) {
    velocity.reserve(place.size());
  }

  void find(const ModelData& m, const Aggregates<S>& all) {
    velocity.clear();
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      for (int v = m.v_index[i]; v < m.v_index[i + 1]; ++v) {
        const int a = aggregate_of(m, static_cast<int>(i));
        node[at(v)] = a < 0 ? nullptr : &all.node[at(a)];
        column[at(v)] = a < 0 ? 0 : m.aggregate_column[i] + v - m.v_index[i];
        bool independent = a < 0;
        if (a >= 0)
          for (const int c : all.node[at(a)].map.independent) independent = independent || c == column[at(v)];
        place[at(v)] = independent ? static_cast<int>(velocity.size()) : -1;
        if (independent) velocity.push_back(v);
      }
  }

  /// Calls use(place of an independent velocity, entry of X_S) for the nonzero entries of row v.
  template <class Use>
  void row(int v, Use&& use) const {
    const AggregateNode<S>* own = node[at(v)];
    if (own == nullptr) return use(place[at(v)], S(1));
    const int n = static_cast<int>(own->map.independent.size());
    for (int r = 0; r < n; ++r) use(place_of(*own, r), own->map.X[at(column[at(v)] * n + r)]);
  }

  /// Place of an aggregate's r-th independent velocity.
  int place_of(const AggregateNode<S>& own, int r) const {
    return place[at(own.velocity[at(own.map.independent[at(r)])])];
  }
};

/// H_R = X_Sᵀ H X_S, row by row, from H (all velocities, row by row, both triangles). `half`: scratch of H's size.
template <class S>
void embed_mass_matrix(const IndependentVelocities<S>& map, const S* H, S* half, S* H_R) {
  const int n = static_cast<int>(map.place.size()), k = static_cast<int>(map.velocity.size());
  for (int i = 0; i < n * k; ++i) half[i] = S(0);
  for (int v = 0; v < n; ++v)  // half = X_Sᵀ H
    map.row(v, [&](int r, const S& x) {
      for (int j = 0; j < n; ++j) half[r * n + j] += x * H[v * n + j];
    });
  for (int i = 0; i < k * k; ++i) H_R[i] = S(0);
  for (int v = 0; v < n; ++v)
    map.row(v, [&](int r, const S& x) {
      for (int i = 0; i < k; ++i) H_R[i * k + r] += half[i * n + v] * x;
    });
}

}  // namespace kinetree::inline inner
