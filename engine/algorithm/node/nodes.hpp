#pragma once
// Articulated bodies over the nodes of a module (design: The node): which kind has which kernels.

#include "engine/algorithm/factors.hpp"
#include "engine/algorithm/node/embedded.hpp"
#include "engine/algorithm/node/idle_motion.hpp"
#include "engine/algorithm/node/lane_parts.hpp"
#include "engine/algorithm/node/multipliers.hpp"

namespace kinetree::inline inner {

/// Whether kernels may choose by numbers, as those of loops do: not where a Scalar is several numbers.
template <class S>
inline constexpr bool may_choose = Numbers<S>::count == 1;

/// What a gather and a scatter of articulated bodies keep of the nodes of every kind.
template <class S>
struct Nodes : ArticulatedBody<S> {
  EmbeddedNodes<S> embedded;
  MultiplierNodes<S> multipliers;
  std::vector<std::shared_ptr<LaneParts<S>>> lanes;

  explicit Nodes(const Context<S>& x, std::vector<std::shared_ptr<LaneParts<S>>> parts = {})
      : ArticulatedBody<S>(*x.model, x.nodes),
        embedded(embedded_nodes<S>(x)),
        multipliers(multiplier_nodes<S>(*x.model, x.nodes)),
        lanes(std::move(parts)) {}
  /// Whether constraints depend on the state.
  bool has_constraints() const {
    return !multipliers.empty() ||
           std::ranges::any_of(embedded, [](const EmbeddedNode<S>& node) { return !node.aggregate->constant(); });
  }
  std::size_t bytes() const { return ArticulatedBody<S>::bytes() + bytes_of(embedded, multipliers, lanes); }
};

/// The limbs of a pack.
template <class S>
LaneLimbs<S>& limbs_of(const Nodes<S>& b, const Node& node) {
  return static_cast<LaneLimbs<S>&>(*b.lanes[at(node.index)]);
}

/// Each, between positions and inertias, over a module: what the state makes of constraints.
template <class S>
void constrain(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step) {
  if (!x.sweeps(step)) return;
  nodes_outwards(x, step, [&](const Node& node) {
    if (node.kind == Node::Kind::embedded) embed(x, k, b.embedded[at(node.index)]);
    if constexpr (may_choose<S>)
      if (node.kind == Node::Kind::multipliers) constrain(x, k, b.multipliers[at(node.index)]);
  });
}

/// Gather: inertia and bias of a node whose base is not cut and which no column passes.
template <class S>
KINETREE_INLINE void articulate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Node& node) {
  switch (node.kind) {
    case Node::Kind::segment:
      return articulate(x, k, b, node.segment);
    case Node::Kind::embedded:
      return articulate_embedded(x, k, b, b.embedded[at(node.index)]);
    case Node::Kind::multipliers:
      if constexpr (may_choose<S>) articulate_with_multipliers(x, k, b, node, b.multipliers[at(node.index)]);
      return;
    case Node::Kind::pack:  // modules are of the dial alone
      return limbs_of(b, node).articulate(x, k, b);
    case Node::Kind::base:  // of the dial alone
      return;
  }
}

/// Scatter: its accelerations.
template <class S>
KINETREE_INLINE void accelerate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Node& node) {
  switch (node.kind) {
    case Node::Kind::segment:
      return accelerate(x, k, b, node.segment);
    case Node::Kind::embedded:
      return accelerate_embedded(x, k, b, b.embedded[at(node.index)]);
    case Node::Kind::multipliers:
      if constexpr (may_choose<S>) accelerate_with_multipliers(x, k, b, node, b.multipliers[at(node.index)]);
      return;
    case Node::Kind::pack:
      return limbs_of(b, node).accelerate(x, b.a, RightSide::problem);
    case Node::Kind::base:
      return;
  }
}

/// The outermost body of a node whose D is not positive and finite (embedded: idle_member), in `lane`; -1: none.
template <class S>
int singular_body(const Context<S>& x, const Nodes<S>& b, const Node& node, int lane = 0) {
  switch (node.kind) {
    case Node::Kind::base:  // its joint is cut: its inertia is whole
      return -1;
    case Node::Kind::pack:
      return b.lanes[at(node.index)]->singular_body();
    case Node::Kind::embedded:
      return idle_member(b.embedded[at(node.index)], lane);
    case Node::Kind::segment:
    case Node::Kind::multipliers:
      break;
  }
  const std::span<const Segment> segments = x.nodes.segments_of(node);
  for (std::size_t s = segments.size(); s-- > 0;)
    for (int i = segments[s].last(); i >= segments[s].begin; --i)
      if (!positive(b, *x.model, i, lane)) return i;
  return -1;
}

/// Gather, over a module.
template <class S>
void articulate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step) {
  nodes_inwards(x, step, [&](const Node& node) { articulate(x, k, b, node); });
}

/// Scatter, over a module.
template <class S>
void accelerate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int step) {
  nodes_outwards(x, step, [&](const Node& node) { accelerate(x, k, b, node); });
}

/// Over all nodes at fault, the body of the one with the highest first body (inboard bodies inherit faults); -1: none.
template <class S>
int singular_body(const Context<S>& x, const Nodes<S>& b) {
  int found = -1, nearest = -1;  // nodes ascend by their first bodies within a module alone
  for (const Node& node : x.nodes.nodes)
    if (node.segment.begin > nearest)
      if (const int body = singular_body(x, b, node); body >= 0) found = body, nearest = node.segment.begin;
  return found;
}

}  // namespace kinetree::inline inner
