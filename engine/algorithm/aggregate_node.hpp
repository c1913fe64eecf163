#pragma once
// What is kept of an aggregate, and its maps from independent to spanning coordinates (Jain 2012 II, Sec. 4.3, 8).

#include <kinetree/algorithm/kinematics.hpp>
#include <kinetree/model/coordinates.hpp>

namespace kinetree {

template <class S>
struct AggregateNode {
  CoordinateMap<S> map;     ///< X_S and g
  std::vector<Force<S>> F;  ///< over members x freedoms: force for a unit acceleration, then handed inboard
  std::vector<ArticulatedInertia<S>> P;  ///< over members: own and what hangs from outside, then composite
  std::vector<Force<S>> z;               ///< over members: the same for the bias
  std::vector<Force<S>> U;               ///< over freedoms: P S, in the parent's coordinates
  std::vector<S> D, u, x;                ///< freedoms x freedoms, factorized; freedoms; scratch
  std::vector<int> velocity;             ///< over the aggregate's columns: index in v
  std::vector<bool> rigid;               ///< over members: nothing hangs from it, so that its P is a rigid body's
  std::vector<bool> inner;               ///< over members: another member hangs from it

  AggregateNode(const ModelData& model, const Aggregate& a) {
    for (const int i : a.bodies)
      for (int v = model.v_index[at(i)]; v < model.v_index[at(i + 1)]; ++v) velocity.push_back(v);
    const auto n = at(a.freedoms), m = a.bodies.size();
    map.X.resize(at(a.velocities) * n);
    map.g.resize(at(a.velocities));
    map.dependent.reserve(at(a.velocities));
    map.independent.reserve(at(a.velocities));
    F.resize(m * n), P.resize(m), z.resize(m), rigid.resize(m), inner.resize(m);
    for (std::size_t p = 0; p < m; ++p) {
      const int i = a.bodies[p];
      rigid[p] = model.children_begin[at(i)] == model.children_begin[at(i + 1)];
      for (const int other : a.bodies) inner[p] = inner[p] || model.parent[at(other)] == i;
    }
    U.resize(n), D.resize(n * n), u.resize(n), x.resize(n);
  }
};

/// All aggregates of a model; empty where it has none.
template <class S>
struct Aggregates {
  std::vector<AggregateNode<S>> node;
  std::vector<ConstraintRows<S>> rows;
  std::vector<std::vector<int>> fixed;  ///< columns the user wants independent

  /// `named`: the model's own choice of independent coordinates in every state, instead of the best for each.
  explicit Aggregates(const ModelData& m, bool named = false) {
    for (const Aggregate& a : m.aggregates) {
      node.emplace_back(m, a);
      rows.emplace_back(a);
      fixed.emplace_back();
      if (!a.chosen_by_user && !named) continue;
      for (std::size_t b = 0; b < a.bodies.size(); ++b)
        for (int k = 0; k < velocity_count(m.joint_type[at(a.bodies[b])]); ++k)
          for (const int v : a.independent)
            if (v == m.v_index[at(a.bodies[b])] + k) fixed.back().push_back(a.column[b] + k);
    }
  }
};

inline bool has_aggregates(const ModelData& m) { return !m.aggregates.empty(); }
/// The aggregate of body i; -1: none.
inline int aggregate_of(const ModelData& m, int i) { return has_aggregates(m) ? m.aggregate_of[at(i)] : -1; }
/// Whether body i stands for its aggregate: the first of its bodies, in a gather the last to be met.
inline bool stands_for(const ModelData& m, int i) {
  const int a = aggregate_of(m, i);
  return a >= 0 && m.aggregates[at(a)].bodies.front() == i;
}

/// The aggregate whose constraints have lost rank in this state, so that its coordinates are not determined; -1: none.
template <class S>
int singular_aggregate(const Aggregates<S>& all) {
  for (std::size_t k = 0; k < all.node.size(); ++k)
    if (!(all.node[k].map.pivot > 1e-10)) return static_cast<int>(k);
  return -1;
}

/// X_S and g of the aggregates of a module, outside the kernels: the one pass that looks at values to choose
/// coordinates. Constant maps are found at the first call.
template <class S>
void embed(const Context<S>& x, const Kinematics<S>& k, Aggregates<S>& all, int step) {
  if (!x.sweeps(step)) return;
  const ModelData& m = *x.model;
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    if (!stands_for(m, i)) return;
    const Aggregate& a = m.aggregates[at(m.aggregate_of[at(i)])];
    AggregateNode<S>& node = all.node[at(m.aggregate_of[at(i)])];
    if (a.constant() && !node.map.independent.empty()) return;
    ConstraintRows<S>& rows = all.rows[at(m.aggregate_of[at(i)])];
    constraint_rows(m, a, {k.X_up.data(), k.columns.data(), k.v.data(), k.c.data()}, rows);
    choose_coordinates(a, all.fixed[at(m.aggregate_of[at(i)])], rows, node.map);
  });
}

/// Rotor inertias of a joint whose velocities begin at j; null where the model has none.
template <class S>
const S* rotors(const Context<S>& x, int j) {
  return x.armature() == nullptr ? nullptr : x.armature() + j;
}

}  // namespace kinetree
