#pragma once
// The table of nodes (design: section 1, "the node"): which bodies of a module are swept as one, and which contribution
// each body gathers. Made once for a model, its modules, and the aggregates that multipliers hold.

#include <span>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// A serial chain of joints of one kind, length one where joints differ: bodies [begin, end), each the only contributor
/// to the one before. Sweeps take it in one loop, in which what a body passes to the next stays in registers.
struct Segment {
  enum class Joints : unsigned char {
    one,             ///< of any type
    revolute,        ///< placed by screws, without rotors
    revolute_rotor,  ///< placed by screws, each with a rotor
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
    limbs,        ///< isomorphic limbs side by side
    end_chain,    ///< some modules of an end chain side by side, or the junction of all of them
  };
  Kind kind = Kind::segment;
  int index = -1;     ///< of an aggregate: in NodeTable::embedded or multipliers; of others among those of its kind
  int pack = -1;      ///< of an end chain: which modules; -1: the junction
  Segment segment{};  ///< of limbs and end chains the first body alone
  int first_segment = 0, last_segment = 0;  ///< all its segments, in NodeTable::segments; `segment` is the first
};

struct NodeOptions {
  std::vector<bool> multipliers{};  ///< over aggregates: left to multipliers; empty: none
  std::vector<Node> packs{};        ///< of the first modules, each module's node: it is swept in lanes
  std::vector<int> contributors{};  ///< bodies in whose slots packs contribute
};

struct NodeTable {
  std::vector<Node> nodes;                       ///< module after module; parents first
  std::vector<Segment> segments;                 ///< node after node
  std::vector<int> embedded, multipliers;        ///< the aggregates of each kind, but for those in packs
  std::vector<int> nodes_begin, segments_begin;  ///< over modules, and one more: where the module's begin
  /// Over bodies, the slot of a body's contribution to its parent. The parent alone reads a contribution, and reads it
  /// before it writes its own, so one slot serves a whole path and stays in the cache. A body that contributes nothing
  /// has slot 0, which stays zero: one that is carried as columns, and a member but the first of an embedded aggregate.
  std::vector<int> slot;
  int slots = 1;
  std::vector<int> contributions, contributions_begin;  ///< slots; over bodies, and one more: where the body's begin

  std::span<const Node> nodes_of(int module) const { return part(nodes, nodes_begin, module); }
  std::span<const Segment> segments_of(int module) const { return part(segments, segments_begin, module); }
  std::span<const Segment> segments_of(const Node& node) const {
    return {segments.data() + node.first_segment, segments.data() + node.last_segment};
  }
  /// The slots of what hangs from body i, by ascending bodies.
  std::span<const int> contributions_to(int i) const { return part(contributions, contributions_begin, i); }
  std::size_t bytes() const {
    return bytes_of(nodes, segments, embedded, multipliers, nodes_begin, segments_begin, slot, contributions,
                    contributions_begin);
  }

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& list, const std::vector<int>& begin, int index) {
    const auto k = static_cast<std::size_t>(index);
    return {list.data() + begin[k], list.data() + begin[k + 1]};
  }
};

NodeTable find_nodes(const ModelData& model, const Modules& modules, const NodeOptions& options = {});

}  // namespace kinetree::inline inner
