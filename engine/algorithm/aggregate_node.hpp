#pragma once
// What is kept of an aggregate, and its maps from independent to spanning coordinates (Jain 2012 II, Sec. 4.3, 8).

#include <algorithm>
#include <kinetree/options.hpp>

#include "engine/algorithm/articulated_body.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// What a sweep asks of a member body; over an aggregate's bodies.
struct AggregateMember {
  int inboard = -1;  ///< the member it hangs from; -1: the aggregate's parent
  bool rigid;        ///< nothing hangs from it
  bool outboard;     ///< another member hangs from it
  bool begins;       ///< of what hangs from the same body, first to be met in a gather
  // of a fan: whether a gather has met such members before
  bool after_tips = false;    ///< that nothing hangs from
  bool after_others = false;  ///< that something hangs from
};

template <class S>
struct AggregateNode {
  int stand;  ///< the body that stands for the aggregate
  bool fan;   ///< whether it is one: see aggregate_fan.hpp
  std::vector<AggregateMember> member;
  std::vector<Force<S>> U;    ///< over freedoms: P S, in the parent's coordinates
  std::vector<S> D, u, x;     ///< freedoms x freedoms, factorized; freedoms; scratch
  std::vector<int> velocity;  ///< over the aggregate's columns: index in v
  RigidInertia<S> tips;       ///< of a fan: composite of those in the parent's coordinates
  CoordinateMap<S> map;       ///< X_S and g
  std::vector<double> own;    ///< over the aggregate's columns: what a member alone resists to a unit of it, at most
  // over members: what has come from members that hang from it
  std::vector<Force<S>> F;               ///< members x freedoms: force for a unit acceleration
  std::vector<ArticulatedInertia<S>> P;  ///< composite: independent coordinates held
  std::vector<Force<S>> z;

  AggregateNode(const ModelData& model, const Aggregate& a)
      : stand(a.bodies.front()),
        fan(a.constant() && (a.freedoms == 1 || a.freedoms == 2) && at(a.velocities) == a.bodies.size()) {
    for (const int i : a.bodies) {
      const RigidInertia<double>& I = model.link[at(i)].I;
      for (int v = model.v_index[at(i)]; v < model.v_index[at(i + 1)]; ++v) {
        velocity.push_back(v);
        own.push_back(std::max(I.mass, (I.I.xx + I.I.yy + I.I.zz) / 2));
      }
    }
    const auto n = at(a.freedoms), m = a.bodies.size();
    map.X.resize(at(a.velocities) * n);
    map.g.resize(at(a.velocities));
    map.dependent.reserve(at(a.velocities));
    map.independent.reserve(at(a.velocities));
    for (const int i : a.bodies) {
      AggregateMember next;
      next.rigid = model.children_of(i).empty();
      next.outboard = next.begins = false;
      if (model.parent[at(i)] != a.parent) next.inboard = model.aggregate_place[at(model.parent[at(i)])], fan = false;
      member.push_back(next);
    }
    for (std::size_t p = m; p-- > 0;) {
      const auto beside = [&](const AggregateMember& other) { return other.inboard == member[p].inboard; };
      member[p].begins = std::none_of(member.begin() + static_cast<std::ptrdiff_t>(p) + 1, member.end(), beside);
      for (std::size_t later = p + 1; later < m; ++later)
        (member[later].rigid ? member[p].after_tips : member[p].after_others) = true;
      if (member[p].inboard >= 0) member[at(member[p].inboard)].outboard = true;
    }
    F.resize(m * n), P.resize(m), z.resize(m);
    U.resize(n), D.resize(n * n), u.resize(n), x.resize(n);
  }
};

/// All aggregates of a model; empty where it has none.
template <class S>
struct Aggregates {
  std::vector<AggregateNode<S>> node;
  std::vector<ConstraintRows<S>> rows;
  std::vector<std::vector<int>> fixed;  ///< columns that stay independent

  explicit Aggregates(const ModelData& m, IndependentCoordinates which = IndependentCoordinates::users) {
    for (const Aggregate& a : m.aggregates) {
      node.emplace_back(m, a);
      rows.emplace_back(a);
      fixed.push_back(independent_columns(m, a, which));
      if (!a.constant()) continue;
      constraint_rows(m, a, AggregateState<S>{}, rows.back());  // of couplings alone, which look at no state
      choose_coordinates(a, fixed.back(), rows.back(), node.back().map);
    }
  }
};

/// What a gather and a scatter of articulated bodies keep of the nodes of every kind.
template <class S>
struct Nodes : ArticulatedBody<S> {
  Aggregates<S> aggregates;

  /// `modules`: null where nothing is cut.
  explicit Nodes(const ModelData& m, const Modules* modules = nullptr)
      : ArticulatedBody<S>(m, SlotIndex(m, modules)), aggregates(m) {}
};

inline bool has_aggregates(const ModelData& m) { return !m.aggregates.empty(); }
/// The aggregate of body i; -1: none.
inline int aggregate_of(const ModelData& m, int i) { return has_aggregates(m) ? m.aggregate_of[at(i)] : -1; }
/// Whether body i stands for its aggregate: the first of its bodies, in a gather the last to be met.
inline bool stands_for(const ModelData& m, int i) {
  const int a = aggregate_of(m, i);
  return a >= 0 && m.aggregates[at(a)].bodies.front() == i;
}

/// The aggregate whose constraints have not the rank that was counted in this state, or contradict each other; -1:
/// none.
template <class S>
int singular_aggregate(const Aggregates<S>& all) {
  for (std::size_t k = 0; k < all.node.size(); ++k)
    if (!all.node[k].map.regular()) return static_cast<int>(k);
  return -1;
}

/// Whether some X_S depends on the state.
inline bool has_loops(const ModelData& m) {
  return std::any_of(m.aggregates.begin(), m.aggregates.end(), [](const Aggregate& a) { return !a.constant(); });
}

/// The largest rate of an aggregate's joints and members, squared: what the right-hand sides of its constraints are
/// measured by.
template <class S>
double squared_rate(const Context<S>& x, const Kinematics<S>& k, const Aggregate& a) {
  double rate = 0;
  const auto take = [&](const S& value) { rate = std::max(rate, std::abs(to_double(value))); };
  for (const int i : a.bodies) {
    for (int f = x.v_index(i); f < x.v_index(i + 1); ++f) take(x.state.v[f]);
    const Vector3<S>& turn = k.v[at(i)].angular;
    take(turn.x), take(turn.y), take(turn.z);
  }
  return rate * rate;
}

/// X_S and g of the aggregates of a module that have loops, outside the kernels: the one pass that looks at values to
/// choose coordinates.
template <class S>
void embed(const Context<S>& x, const Kinematics<S>& k, Aggregates<S>& all, int step) {
  if (!x.sweeps(step)) return;
  const ModelData& m = *x.model;
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    if (!stands_for(m, i)) return;
    const Aggregate& a = m.aggregates[at(m.aggregate_of[at(i)])];
    AggregateNode<S>& node = all.node[at(m.aggregate_of[at(i)])];
    if (a.constant()) return;
    ConstraintRows<S>& rows = all.rows[at(m.aggregate_of[at(i)])];
    constraint_rows(m, a, {k.X_up.data(), k.columns.data(), k.v.data(), k.c.data()}, rows);
    choose_coordinates(a, all.fixed[at(m.aggregate_of[at(i)])], rows, node.map);
    constexpr double still = CoordinateMap<S>::in_float ? 1e-4 : 1e-8;  // rad/s; velocities below are rounding
    if (node.map.asked > 0) node.map.asked /= squared_rate(x, k, a) + still * still;
  });
}

}  // namespace kinetree::inline inner
