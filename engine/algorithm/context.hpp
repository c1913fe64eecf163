#pragma once
// What every kernel reads: the model, its modules and nodes, its constants on this scalar, and the state to work on.

#include <span>
#include <type_traits>
#include <vector>

#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/index.hpp"
#include "engine/spatial/articulated_inertia.hpp"

namespace kinetree::inline inner {

/// One state, SI units, contiguous, in the model's order. f_ext: 6 per body of the user, world axes, moment first and
/// about the origin of the body's own link; or null. Inverse dynamics reads `a`, forward dynamics `tau`; others: null.
/// Products read a state's directions at `tau`, one after another.
template <class S>
struct State {
  const S* q = nullptr;
  const S* v = nullptr;
  const S* f_ext = nullptr;
  const S* tau = nullptr;
  const S* a = nullptr;
  S* result = nullptr;
};

template <class S>
struct Context {
  const ModelData* model = nullptr;  ///< the modules': some bodies may be in halves
  const Modules* modules = nullptr;
  std::vector<Link<S>> link;
  Motion<S> ground_acceleration{};  ///< minus gravity: the ground accelerates upwards instead of weights pulling down
  State<S> state;
  std::vector<S> rotors;  ///< over velocities: reflected inertias; empty where the model has none
  NodeTable nodes;

  Context(const ModelData& m, const Modules& parts, const NodeOptions& options = {})
      : model(&parts.parts_of(m)), modules(&parts), nodes(find_nodes(*model, parts, options)) {
    link.reserve(model->link.size());
    for (const Link<double>& l : model->link) link.push_back(cast<S>(l));
    ground_acceleration = {{S(0), S(0), S(0)}, {S(-m.gravity[0]), S(-m.gravity[1]), S(-m.gravity[2])}};
    for (const double inertia : m.armature)
      if (inertia != 0) rotors.resize(m.armature.size());
    for (std::size_t k = 0; k < rotors.size(); ++k) rotors[k] = S(m.armature[k]);
  }

  int bodies() const { return static_cast<int>(model->parent.size()); }
  int parent(int i) const { return model->parent[at(i)]; }
  JointType type(int i) const { return model->joint_type[at(i)]; }
  int v_index(int i) const { return model->v_index[at(i)]; }
  /// Reflected inertias of the rotors of the joint that carries body i; null where it has none.
  const S* rotor(int i) const {
    return !rotors.empty() && model->armature[at(v_index(i))] != 0 ? &rotors[at(v_index(i))] : nullptr;
  }
  /// Where body i contributes to P_up and z_up.
  std::size_t slot(int i) const { return at(nodes.slot[at(i)]); }
  const S* q(int i) const { return state.q + model->q_index[at(i)]; }
  const S* v(int i) const { return state.v + model->v_index[at(i)]; }
  const Module& module_of_step(int step) const { return modules->modules[at(modules->steps[at(step)].module)]; }
  bool sweeps(int step) const { return modules->steps[at(step)].module >= 0; }
  std::size_t bytes() const { return bytes_of(link, rotors, nodes); }
};

/// Calls kernel(body) for a module's bodies, parents first.
template <class Kernel>
KINETREE_INLINE void outwards(const Modules& modules, const Module& module, Kernel&& kernel) {
  for (int r = module.first_range; r < module.last_range; ++r)
    for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i) kernel(i);
}

/// The same, children first.
template <class Kernel>
KINETREE_INLINE void inwards(const Modules& modules, const Module& module, Kernel&& kernel) {
  for (int r = module.last_range; r-- > module.first_range;)
    for (int i = modules.ranges[at(r)].end; i-- > modules.ranges[at(r)].begin;) kernel(i);
}

/// Calls kernel(node) for the nodes of the module that a step sweeps, parents first.
template <class S, class Kernel>
KINETREE_INLINE void nodes_outwards(const Context<S>& x, int step, Kernel&& kernel) {
  for (const Node& node : x.nodes.nodes_of(step)) kernel(node);
}

/// Calls kernel(node) for the nodes of the module that a step sweeps, children first.
template <class S, class Kernel>
KINETREE_INLINE void nodes_inwards(const Context<S>& x, int step, Kernel&& kernel) {
  const std::span<const Node> nodes = x.nodes.nodes_of(step);
  for (std::size_t n = nodes.size(); n-- > 0;) kernel(nodes[n]);
}

/// term(first) + ... + term(last - 1) as a balanced tree over ascending indices: the same bits whoever computes it,
/// and depth O(log) at a hub.
template <class T, class Term>
T pairwise_sum(int first, int last, Term&& term) {
  if (last - first == 1) return term(first);
  const int middle = first + (last - first) / 2;
  T sum = pairwise_sum<T>(first, middle, term);
  sum += pairwise_sum<T>(middle, last, term);
  return sum;
}

namespace context_detail {
/// Not inlined: inlined, its loop makes the compiler spill to memory what the caller holds in registers.
template <class T, class All>
[[gnu::noinline]] T sum_of_several(std::span<const int> indices, const All& all) {
  return pairwise_sum<T>(0, static_cast<int>(indices.size()), [&](int k) -> T { return all[at(indices[at(k)])]; });
}
}  // namespace context_detail

/// The sum over some indices of `all`.
template <class All>
KINETREE_INLINE auto sum_of(std::span<const int> indices, const All& all) {
  using T = std::remove_cvref_t<decltype(all[0])>;
  T sum{};
  if (indices.empty()) return sum;
  sum = all[at(indices[0])];
  if (indices.size() > 1) sum += context_detail::sum_of_several<T>(indices.subspan(1), all);
  return sum;
}

/// `own` plus that over the children of body i.
template <class S, class T, class All>
KINETREE_INLINE T plus_children(const Context<S>& x, int i, T own, const All& all) {
  if (const std::span<const int> children = x.model->children_of(i); !children.empty()) own += sum_of(children, all);
  return own;
}

}  // namespace kinetree::inline inner
