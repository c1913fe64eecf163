#include "engine/partition/nodes.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

class Finder {
 public:
  Finder(const ModelData& model, const Modules& modules, const NodeOptions& options)
      : m_(model), modules_(modules), options_(options) {}

  NodeTable find() && {
    number_aggregates();
    find_slots();
    table_.of_step.resize(modules_.steps.size());
    for (std::size_t k = 0; k < modules_.modules.size(); ++k) {
      const Module& module = modules_.modules[k];
      NodeTable::OfStep& own = table_.of_step[at(module.step)];
      own.nodes.begin = static_cast<int>(table_.nodes.size());
      own.segments.begin = static_cast<int>(table_.segments.size());
      if (is_pack(k))
        add_pack(options_.packs[k], module.base);
      else
        add_module(module);
      own.nodes.end = static_cast<int>(table_.nodes.size());
      own.segments.end = static_cast<int>(table_.segments.size());
    }
    return std::move(table_);
  }

 private:
  bool by_multipliers(int aggregate) const {
    return !options_.multipliers.empty() && options_.multipliers[at(aggregate)];
  }

  void number_aggregates() {
    for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
      index_.push_back(-1);
      if (in_pack(m_.aggregates[at(a)].bodies.front())) continue;
      std::vector<int>& kind = by_multipliers(a) ? table_.multipliers : table_.embedded;
      index_.back() = static_cast<int>(kind.size());
      kind.push_back(a);
    }
  }

  bool is_pack(std::size_t module) const { return module < options_.packs.size(); }
  bool in_pack(int i) const { return !options_.packs.empty() && is_pack(at(modules_.module_of[at(i)])); }

  bool contributes(int i) const {
    if (in_pack(i))
      return std::find(options_.contributors.begin(), options_.contributors.end(), i) != options_.contributors.end();
    const int a = aggregate_of(m_, i);
    return a < 0 || by_multipliers(a) || m_.aggregates[at(a)].bodies.front() == i;
  }

  bool embedded(int i) const { return aggregate_of(m_, i) >= 0 && !by_multipliers(aggregate_of(m_, i)); }

  /// Whether columns carry what body i contributes.
  bool is_carried(int i) const {
    const int cut = modules_.any_cut() ? modules_.cut_of[at(i)] : -1;
    return cut >= 0 && modules_.cuts[at(cut)].carried;
  }

  void find_slots() {
    const int bodies = static_cast<int>(m_.parent.size());
    for (int i = 0; i < bodies; ++i) contributes_.push_back(contributes(i));
    table_.slot.assign(at(bodies), 0);
    for (int i = bodies; i-- > 0;) {
      if (!contributes_[at(i)] || is_carried(i)) continue;
      int& slot = table_.slot[at(i)];
      // an aggregate gathers in the slot of one member while contributions to the others are still to be read
      if (!embedded(i))
        for (const int child : m_.children_of(i))
          if (slot == 0 && contributes_[at(child)]) slot = table_.slot[at(child)];
      if (slot == 0) slot = table_.slots++;
    }
    set_long_paths_apart();
    table_.contributions_begin.push_back(0);
    for (int i = 0; i < bodies; ++i) {
      for (const int child : m_.children_of(i))
        if (contributes_[at(child)]) table_.contributions.push_back(table_.slot[at(child)]);
      table_.contributions_begin.push_back(static_cast<int>(table_.contributions.size()));
    }
  }

  /// A path writes its slot at each of its bodies. If another thread's slot stood in the same line of the cache, each
  /// write would wait: two modules of chain:1024 took 96 us on two threads, 87 on one.
  void set_long_paths_apart() {
    constexpr int many = 32, gap = 3;  // bodies; slots, whose biases fill a line, in float too
    std::vector<int> bodies(at(table_.slots)), number(at(table_.slots));
    for (const int slot : table_.slot) ++bodies[at(slot)];
    int next = 1;
    for (std::size_t s = 1; s < number.size(); ++s) {
      if (s > 1 && std::max(bodies[s - 1], bodies[s]) >= many) next += gap;
      number[s] = next++;
    }
    for (int& slot : table_.slot) slot = number[at(slot)];
    table_.slots = next;
  }

  Segment of_one(int i) const {
    Segment segment{.begin = i, .end = i + 1};
    if (m_.joint_type[at(i)] == JointType::fixed) segment.joints = Segment::Joints::weld;
    if (m_.link[at(i)].axial && is_revolute(m_.joint_type[at(i)]))
      segment.joints =
          m_.armature[at(m_.v_index[at(i)])] == 0 ? Segment::Joints::revolute : Segment::Joints::revolute_rotor;
    return segment;
  }

  /// Whether body i, alone in `next`, prolongs a segment of the same node or module.
  bool prolongs(const Segment& segment, const Segment& next) const {
    const int parent = segment.last(), i = next.begin;
    return segment.joints != Segment::Joints::one && segment.joints == next.joints && m_.parent[at(i)] == parent &&
           table_.contributions_to(parent).size() == 1 && contributes_[at(i)] &&
           !m_.link[at(i)].placement.has_inboard();
  }

  Node& add(Node::Kind kind, const Segment& segment) {
    const int first = static_cast<int>(table_.segments.size());
    table_.segments.push_back(segment);
    return table_.nodes.emplace_back(
        Node{.kind = kind, .segment = segment, .first_segment = first, .last_segment = first + 1});
  }

  void add_pack(Node node, int first) {
    node.segment = {.begin = first, .end = first + 1};
    node.first_segment = node.last_segment = static_cast<int>(table_.segments.size());
    table_.nodes.push_back(node);
  }

  void add_module(const Module& module) {
    for (int r = module.first_range; r < module.last_range; ++r) {
      bool goes_on = false;  // whether the last node may be prolonged
      for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i) {
        const int aggregate = aggregate_of(m_, i);
        if (aggregate >= 0) {
          if (m_.aggregates[at(aggregate)].bodies.front() == i) add_aggregate(aggregate);
          goes_on = false;
        } else if (modules_.any_cut() && modules_.cut_of[at(i)] >= 0) {
          add(Node::Kind::base, of_one(i));
          goes_on = false;
        } else if (const Segment next = of_one(i); goes_on && prolongs(table_.segments.back(), next)) {
          table_.nodes.back().segment.end = table_.segments.back().end = next.end;
        } else {
          add(Node::Kind::segment, next);
          goes_on = true;
        }
      }
    }
  }

  void add_aggregate(int aggregate) {
    const std::vector<int>& bodies = m_.aggregates[at(aggregate)].bodies;
    const bool multipliers = by_multipliers(aggregate);
    Node& node = add(multipliers ? Node::Kind::multipliers : Node::Kind::embedded, of_one(bodies.front()));
    node.index = index_[at(aggregate)];
    for (std::size_t p = 1; p < bodies.size(); ++p) {
      const Segment next = of_one(bodies[p]);
      if (prolongs(table_.segments.back(), next))
        table_.segments.back().end = next.end;
      else
        table_.segments.push_back(next);
    }
    node.segment = table_.segments[at(node.first_segment)];
    node.last_segment = static_cast<int>(table_.segments.size());
  }

  const ModelData& m_;
  const Modules& modules_;
  const NodeOptions& options_;
  std::vector<int> index_;         ///< over aggregates: among those of their kind; -1: in a pack
  std::vector<bool> contributes_;  ///< over bodies
  NodeTable table_;
};

}  // namespace

NodeTable find_nodes(const ModelData& model, const Modules& modules, const NodeOptions& options) {
  return Finder(model, modules, options).find();
}

}  // namespace kinetree::inline inner
