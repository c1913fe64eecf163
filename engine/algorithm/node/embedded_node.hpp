#pragma once
// What is kept of an embedded aggregate, and its map from independent to spanning coordinates (Jain 2012 II, Sec. 4.3,
// 8).

#include <algorithm>
#include <kinetree/options.hpp>
#include <kinetree/status.hpp>
#include <memory>

#include "engine/algorithm/articulated_body.hpp"
#include "engine/model/branches.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// What a sweep asks of a member body; over an aggregate's bodies. In one place: a sweep over many states side by side
/// leaves none of it in the nearest cache, and waits for every list that it goes through.
struct EmbeddedMember {
  int body, column;             ///< its first velocity among the aggregate's columns
  int inboard = -1;             ///< the member it hangs from; -1: the aggregate's parent
  bool is_tip = false;          ///< nothing hangs from it
  bool carries_member = false;  ///< another member hangs from it
  bool begins = false;          ///< whether a gather, which descends, meets it first of the members on its inboard body
  // of a transmission, whose members a gather takes in descending order:
  bool after_tips = false;    ///< a tip, a member that carries no body, is gathered before this member
  bool after_others = false;  ///< a member that is no tip is gathered before this member
};

template <class S>
struct EmbeddedNode {
  const Aggregate* aggregate;
  int index;          ///< of the aggregate in its model
  int parent;         ///< the body that the aggregate hangs from; -1: the ground
  std::size_t slot;   ///< of its contribution
  bool transmission;  ///< whether it is one: see transmission.hpp
  std::vector<EmbeddedMember> member;
  std::vector<Force<S>> U;    ///< over freedoms: P S, in the parent's coordinates
  std::vector<S> D, u, x;     ///< freedoms x freedoms, factorized; freedoms; scratch
  std::vector<int> velocity;  ///< over the aggregate's columns: index in v
  RigidInertia<S> tips;       ///< of a transmission: composite of those in the parent's coordinates
  CoordinateMap<S> map;       ///< X_S and g
  ConstraintRows<S> rows;     ///< K and k
  std::vector<int> fixed;     ///< columns that stay independent, on the branch of `assembled`
  bool one_branch;            ///< whether states on others are refused: results are in that branch's coordinates
  std::unique_ptr<Branches> branches;  ///< where their ranks differ, else null
  std::vector<FoundRank> found;        ///< then, over the numbers of a Scalar
  std::vector<S> felt;                 ///< over columns: FeltInertia::most
  bool may_idle;  ///< whether in some state nothing may resist some motion: couplings alone add positive numbers
  // over members: what has come from members that hang from it
  std::vector<Force<S>> F;               ///< members x freedoms: force for a unit acceleration
  std::vector<ArticulatedInertia<S>> P;  ///< composite: independent coordinates held
  std::vector<Force<S>> z;

  EmbeddedNode(const ModelData& model, const NodeTable& nodes, int index_, const FeltInertia& inertia,
               IndependentCoordinates which)
      : aggregate(&model.aggregates[at(index_)]),
        index(index_),
        parent(aggregate->parent),
        slot(at(nodes.slot[at(aggregate->bodies.front())])),
        map(*aggregate),
        rows(model, *aggregate),
        fixed(independent_columns(model, *aggregate, which)),
        one_branch(which == IndependentCoordinates::models) {
    const Aggregate& a = *aggregate;
    if (a.branches()) {
      branches = std::make_unique<Branches>(model, a, map.in_float ? Branches::off_in_float : Branches::off);
      found.resize(at(Numbers<S>::count));
    }
    transmission = a.constant() && (a.freedoms == 1 || a.freedoms == 2) && at(a.velocities) == a.bodies.size();
    may_idle = !a.constant();
    for (const int i : a.bodies) {
      for (int v = model.v_index[at(i)]; v < model.v_index[at(i + 1)]; ++v)
        velocity.push_back(v), felt.push_back(S(inertia.most[at(v)]));
      may_idle = may_idle || std::binary_search(inertia.light.begin(), inertia.light.end(), i);
    }
    const auto n = at(a.most_freedoms()), m = a.bodies.size();
    for (std::size_t p = 0; p < m; ++p) {
      const int i = a.bodies[p];
      EmbeddedMember next{.body = i, .column = a.column[p]};
      next.is_tip = model.children_of(i).empty();
      if (model.parent[at(i)] != a.parent)
        next.inboard = model.aggregate_place[at(model.parent[at(i)])], transmission = false;
      member.push_back(next);
    }
    for (std::size_t p = m; p-- > 0;) {
      const auto beside = [&](const EmbeddedMember& other) { return other.inboard == member[p].inboard; };
      member[p].begins = std::none_of(member.begin() + static_cast<std::ptrdiff_t>(p) + 1, member.end(), beside);
      for (std::size_t later = p + 1; later < m; ++later)
        (member[later].is_tip ? member[p].after_tips : member[p].after_others) = true;
      if (member[p].inboard >= 0) member[at(member[p].inboard)].carries_member = true;
    }
    F.resize(m * n), P.resize(m), z.resize(m);
    U.resize(n), D.resize(n * n), u.resize(n), x.resize(n);
    find_constant_map(model);
  }

  /// X_S where no state changes it.
  void find_constant_map(const ModelData& model) {
    if (!aggregate->constant()) return;
    constraint_rows(model, *aggregate, AggregateState<S>{}, rows);  // of linear couplings alone, which look at no state
    choose_coordinates(*aggregate, fixed, rows, map);
  }

  /// Independent velocities in this state.
  int freedoms() const { return map.freedoms; }
  int members() const { return static_cast<int>(member.size()); }
  int body(int p) const { return member[at(p)].body; }
  std::size_t bytes() const {
    return bytes_of(member, U, D, u, x, velocity, map, rows, fixed, felt, F, P, z) + bytes_of(found) +
           (branches ? branches->bytes() : 0);
  }
};

/// The embedded aggregates of a model (NodeTable::embedded): neither held by multipliers nor swept in a lane pack.
template <class S>
using EmbeddedNodes = std::vector<EmbeddedNode<S>>;

template <class S>
EmbeddedNodes<S> embedded_nodes(const Context<S>& x, IndependentCoordinates which = IndependentCoordinates::users) {
  EmbeddedNodes<S> all;
  if (x.nodes.embedded.empty()) return all;
  const FeltInertia inertia = felt_inertia(*x.model, joint_cuts(*x.modules));
  for (const int index : x.nodes.embedded) all.emplace_back(*x.model, x.nodes, index, inertia, which);
  return all;
}

/// ok where the rank found for a state is `rank`, with which it was solved; singular_loop, with the pivot, where it has
/// no regular rank; other_branch, with that branch's degrees of freedom, where it has another. Names the first body.
inline Status fault_of_rank(const Aggregate& a, const FoundRank& found, int rank) {
  if (found.rank == rank) return {};
  if (!found.ok()) return {StatusCode::singular_loop, 0, a.bodies.front(), found.pivot};
  return {StatusCode::other_branch, 0, a.bodies.front(), static_cast<double>(a.velocities - found.rank)};
}

/// The first fault of a node's constraints. `lane`: of a pack, that state's.
template <class S>
Status loop_fault(const EmbeddedNode<S>& node, int lane = 0) {
  const Aggregate& a = *node.aggregate;
  if (node.branches)
    if (const Status s = fault_of_rank(a, node.found[at(lane)], a.velocities - node.freedoms()); !s.ok()) return s;
  const CoordinateRank rank = node.map.rank(lane);
  if (rank.regular()) return {};
  return {StatusCode::singular_loop, 0, a.bodies.front(), rank.pivot};
}
template <class S>
Status loop_fault(const EmbeddedNodes<S>& all, int lane = 0) {
  for (const EmbeddedNode<S>& node : all)
    if (const Status fault = loop_fault(node, lane); !fault.ok()) return fault;
  return {};
}

/// Whether some X_S depends on the state.
inline bool has_loops(const ModelData& m) {
  return std::any_of(m.aggregates.begin(), m.aggregates.end(), [](const Aggregate& a) { return !a.constant(); });
}

/// The largest rate of an aggregate's joints and members, squared: what the right-hand sides of its constraints are
/// measured by.
template <class S>
Magnitude<S> squared_rate(const Context<S>& x, const Kinematics<S>& k, const Aggregate& a) {
  Magnitude<S> rate(0);
  const auto take = [&](const S& value) { rate = largest(rate, magnitude(value)); };
  for (const int i : a.bodies) {
    for (int f = x.v_index(i); f < x.v_index(i + 1); ++f) take(x.state.v[f]);
    const Vector3<S>& turn = k.v[at(i)].angular;
    take(turn.x), take(turn.y), take(turn.z);
  }
  return rate * rate;
}

/// X_S and g of an aggregate with that number of freedoms.
template <class S>
void find_map(const Context<S>& x, const Kinematics<S>& k, EmbeddedNode<S>& node, int freedoms) {
  static const std::vector<int> none;
  const Aggregate& a = *node.aggregate;
  node.map.freedoms = freedoms;
  constraint_rows(*x.model, a, {k.X_up.data(), k.columns.data(), k.v.data(), k.c.data(), x.state.q, x.state.v},
                  node.rows);
  choose_coordinates(a, freedoms == a.freedoms ? node.fixed : none, node.rows, node.map);
  constexpr double still = CoordinateMap<S>::in_float ? 1e-4 : 1e-8;  // rad/s; velocities below are rounding
  node.map.asked /= squared_rate(x, k, a) + Magnitude<S>(still * still);
}

/// The branch of a state: that of `assembled` where pivots leave no doubt.
template <class S>
FoundRank find_branch(const Context<S>& x, Branches& branches, const Aggregate& a, const CoordinateRank& here,
                      int lane = 0) {
  if (const int rank = a.velocities - a.freedoms; branches.evident(rank, here)) return {rank, here.pivot};
  branches.set([&](int n) { return number_of(x.state.q[n], lane); });
  return branches.find();
}

/// X_S and g of an aggregate that has loops, outside the kernels: where coordinates are chosen by values. A pack takes
/// all its states to be on the branch of `assembled`; others fail in it, and are solved alone.
template <class S>
void embed(const Context<S>& x, const Kinematics<S>& k, EmbeddedNode<S>& node) {
  const Aggregate& a = *node.aggregate;
  if (a.constant()) return;
  find_map(x, k, node, a.freedoms);
  if (!node.branches) return;
  for (int lane = 0; lane < Numbers<S>::count; ++lane)
    node.found[at(lane)] = find_branch(x, *node.branches, a, node.map.rank(lane), lane);
  if constexpr (Numbers<S>::count == 1)
    if (const FoundRank& own = node.found[0]; own.ok() && !node.one_branch && own.rank != a.velocities - a.freedoms)
      find_map(x, k, node, a.velocities - own.rank);
}
/// Of a module.
template <class S>
void embed(const Context<S>& x, const Kinematics<S>& k, EmbeddedNodes<S>& all, int step) {
  if (!x.sweeps(step)) return;
  nodes_outwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded) embed(x, k, all[at(node.index)]);
  });
}

}  // namespace kinetree::inline inner
