#pragma once
// The mass matrix in independent coordinates, X_Sᵀ H X_S, of a model with aggregates (Jain 2012 II, Eq. 32).

#include "engine/algorithm/mass_solve.hpp"
#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/node/idle_motion.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// Which velocities are independent in this state, ascending, and the map from them: v_S = X_S v_R, velocity by
/// velocity.
template <class S>
struct IndependentVelocities {
  std::vector<int> velocity;                 ///< over independent ones: index in v
  std::vector<int> place;                    ///< over velocities: among the independent ones; -1: dependent
  std::vector<const EmbeddedNode<S>*> node;  ///< over velocities: the aggregate it belongs to, or null
  std::vector<int> column;                   ///< over velocities: within its aggregate

  explicit IndependentVelocities(const ModelData& m)
      : place(at(m.v_index.back())), node(at(m.v_index.back())), column(at(m.v_index.back())) {
    velocity.reserve(place.size());
  }

  /// `all`: every aggregate of the model.
  void find(const ModelData& m, const EmbeddedNodes<S>& all) {
    velocity.clear();
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      for (int v = m.v_index[i]; v < m.v_index[i + 1]; ++v) {
        const int a = aggregate_of(m, static_cast<int>(i));
        node[at(v)] = a < 0 ? nullptr : &all[at(a)];
        column[at(v)] = a < 0 ? 0 : m.aggregate_column[i] + v - m.v_index[i];
        bool independent = a < 0;
        if (a >= 0)
          for (const int c : all[at(a)].map.independent) independent = independent || c == column[at(v)];
        place[at(v)] = independent ? static_cast<int>(velocity.size()) : -1;
        if (independent) velocity.push_back(v);
      }
  }

  /// Calls use(place of an independent velocity, entry of X_S) for the nonzero entries of row v.
  template <class Use>
  void row(int v, Use&& use) const {
    const EmbeddedNode<S>* own = node[at(v)];
    if (own == nullptr) return use(place[at(v)], S(1));
    const int n = static_cast<int>(own->map.independent.size());
    for (int r = 0; r < n; ++r) use(place_of(*own, r), own->map.X[at(column[at(v)] * n + r)]);
  }

  std::size_t bytes() const { return bytes_of(velocity, place, node, column); }

  /// Place of an aggregate's r-th independent velocity.
  int place_of(const EmbeddedNode<S>& own, int r) const {
    return place[at(own.velocity[at(own.map.independent[at(r)])])];
  }
};

/// H_R = X_Sᵀ H X_S, row by row, of the last state; once factorized, L D Lᵀ in its place.
template <class S>
struct EmbeddedMassMatrix {
  EmbeddedNodes<S> nodes;
  IndependentVelocities<S> velocities;
  std::vector<S> all;          ///< H: all velocities, row by row, both triangles
  std::vector<S> half;         ///< scratch
  std::vector<S> independent;  ///< H_R
  std::vector<S> reduced;      ///< over independent velocities: scratch

  EmbeddedMassMatrix(const Context<S>& x, IndependentCoordinates which)
      : nodes(embedded_nodes<S>(x, which)), velocities(*x.model) {
    const auto n = at(x.model->v_index.back());
    all.resize(n * n), half.resize(n * n), independent.resize(n * n), reduced.resize(n);
  }

  /// After `embed` and the rows of H.
  void find(const Context<S>& x, const MassMatrix<S>& H) {
    const int n = x.model->v_index.back();
    velocities.find(*x.model, nodes);
    const int k = size();
    dense_mass_matrix(x, H, all.data());
    for (int i = 0; i < n * k; ++i) half[at(i)] = S(0);
    for (int v = 0; v < n; ++v)  // half = X_Sᵀ H
      velocities.row(v, [&](int r, const S& entry) {
        for (int j = 0; j < n; ++j) half[at(r * n + j)] += entry * all[at(v * n + j)];
      });
    for (int i = 0; i < k * k; ++i) independent[at(i)] = S(0);
    for (int v = 0; v < n; ++v)
      velocities.row(v, [&](int r, const S& entry) {
        for (int i = 0; i < k; ++i) independent[at(i * k + r)] += half[at(i * n + v)] * entry;
      });
  }

  void factor() { ldl_factor(independent.data(), size()); }

  /// After `factor`, what joint forces do: a = a₀ + X_S H_R⁻¹ X_Sᵀ force. `force` and `a` may be the same; `a_0` null:
  /// zero.
  void accelerations(const S* force, const S* a_0, S* a) {
    const int n = static_cast<int>(velocities.place.size()), k = size();
    std::fill_n(reduced.data(), k, S(0));
    for (int v = 0; v < n; ++v) velocities.row(v, [&](int r, const S& entry) { reduced[at(r)] += entry * force[v]; });
    ldl_solve(independent.data(), k, reduced.data());
    for (int v = 0; v < n; ++v) {
      S sum = a_0 == nullptr ? S(0) : a_0[v];
      velocities.row(v, [&](int r, const S& entry) { sum += entry * reduced[at(r)]; });
      a[v] = sum;
    }
  }

  /// After `factor`, a body that moves where nothing resists; -1: none. Bodies outside of aggregates are looked at only
  /// where `light`, that is, where some of them have next to no inertia.
  int idle_body(const ModelData& m, bool light, int lane) const {
    const FactorizedInertia<S> inertia{independent.data(), size(), lane};
    for (const EmbeddedNode<S>& node : nodes)
      if (node.may_idle)
        if (const int body = idle_member(inertia, node, [&](int r) { return velocities.place_of(node, r); }); body >= 0)
          return body;
    const int r = light ? idle_coordinate(inertia) : -1;
    return r < 0 ? -1 : body_of_velocity(m, velocities.velocity[at(r)]);
  }

  /// How many velocities are independent.
  int size() const { return static_cast<int>(velocities.velocity.size()); }
  std::size_t bytes() const { return bytes_of(nodes, velocities, all, half, independent, reduced); }
};

}  // namespace kinetree::inline inner
