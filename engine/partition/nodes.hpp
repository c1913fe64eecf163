#pragma once
// The table of nodes (design: The node): which bodies of a module are swept as one, and which contribution
// each body gathers. Made once for a model, its modules, and the aggregates that multipliers hold.

#include <kinetree/export.hpp>
#include <span>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// A serial chain of joints of one kind, length one where joints differ: bodies [begin, end), each the only contributor
/// to the one before. Sweeps take it in one loop, in which what a body passes to the next stays in registers.
struct Segment {
  enum class Joints : unsigned char {
    one,             ///< of any type
    revolute,        ///< placed by screws, without rotors
    revolute_rotor,  ///< placed by screws, each with a rotor
    weld,            ///< of a split body's halves; always cut
  };
  int begin = 0, end = 0;
  Joints joints = Joints::one;

  int last() const { return end - 1; }
};

/// A node contributes an inertia and a bias to the body that it hangs from, in the slot of its first body; by
/// multipliers, in the slots of all members that hang from that body.
struct Node {
  enum class Kind : unsigned char {
    segment,
    base,         ///< one body, the base of a module whose joint is cut
    embedded,     ///< an aggregate by constraint embedding
    multipliers,  ///< an aggregate by multipliers
    pack,         ///< limbs side by side, or modules of an end chain
  };
  Kind kind = Kind::segment;
  int index = -1;     ///< of an aggregate: in NodeTable::embedded or multipliers; in lanes: among all that are
  Segment segment{};  ///< in lanes the first body alone
  int first_segment = 0, last_segment = 0;  ///< all its segments, in NodeTable::segments; `segment` is the first
};

struct NodeOptions {
  std::vector<bool> multipliers{};  ///< over aggregates: left to multipliers; empty: none
  std::vector<Node> packs{};        ///< of the first modules, each module's node: it is swept in lanes
  std::vector<int> contributors{};  ///< bodies in whose slots packs contribute
};

struct NodeTable {
  /// Where the nodes of one module stand, and their segments.
  struct OfStep {
    Range nodes, segments;
  };

  std::vector<Node> nodes;                 ///< module after module; parents first
  std::vector<Segment> segments;           ///< node after node
  std::vector<int> embedded, multipliers;  ///< the aggregates of each kind, but for those in packs
  /// Over steps; a merge has none. By steps, since what a pass looks up before a node's kernel begins is waited for:
  /// star:64x3, whose packs the nearest cache does not hold, took 1.07 times as long by steps, modules, and modules'
  /// nodes.
  std::vector<OfStep> of_step;
  /// Over bodies, the slot of a body's contribution to its parent. The parent alone reads a contribution, and reads it
  /// before it writes its own, so one slot serves a whole path and stays in the cache. A body that contributes nothing
  /// has slot 0, which stays zero: one that is carried as columns, and a member but the first of an embedded aggregate.
  std::vector<int> slot;
  int slots = 1;
  std::vector<int> contributions, contributions_begin;  ///< slots; over bodies, and one more: where the body's begin

  std::span<const Node> nodes_of(int step) const { return part(nodes, of_step[at(step)].nodes); }
  std::span<const Segment> segments_of(int step) const { return part(segments, of_step[at(step)].segments); }
  std::span<const Segment> segments_of(const Node& node) const {
    return part(segments, {node.first_segment, node.last_segment});
  }
  /// The slots of what hangs from body i, by ascending bodies.
  std::span<const int> contributions_to(int i) const {
    return part(contributions, {contributions_begin[at(i)], contributions_begin[at(i + 1)]});
  }
  std::size_t bytes() const {
    return bytes_of(nodes, segments, embedded, multipliers, of_step, slot, contributions, contributions_begin);
  }

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& list, const Range& range) {
    return {list.data() + range.begin, list.data() + range.end};
  }
};

KINETREE_EXPORT NodeTable find_nodes(const ModelData& model, const Modules& modules, const NodeOptions& options = {});

}  // namespace kinetree::inline inner
