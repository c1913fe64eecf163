#include "engine/model/segments.hpp"

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

Segment alone(const ModelData& m, const Modules& modules, int i) {
  Segment segment{.begin = i, .end = i + 1};
  if (!m.aggregate_of.empty() && m.aggregate_of[at(i)] >= 0)
    segment.role = Segment::Role::member;
  else if (modules.any_cut() && modules.cut_of[at(i)] >= 0)
    segment.role = Segment::Role::cut;
  if (segment.role != Segment::Role::member && m.link[at(i)].axial && is_revolute(m.joint_type[at(i)]))
    segment.joints =
        m.armature[at(m.v_index[at(i)])] == 0 ? Segment::Joints::revolute : Segment::Joints::revolute_rotor;
  return segment;
}

/// Whether a segment goes on with the next one, in the same module.
bool goes_on(const ModelData& m, const Segment& segment, const Segment& next) {
  const int parent = segment.last(), i = next.begin;
  return segment.joints != Segment::Joints::one && segment.joints == next.joints &&
         segment.role == Segment::Role::joints && next.role == Segment::Role::joints &&
         !m.link[at(i)].placement.has_inboard() && m.parent[at(i)] == parent && m.nodes_of(parent).size() == 1 &&
         m.nodes_of(parent).front() == i;
}

}  // namespace

Segments find_segments(const ModelData& model, const Modules& modules, const std::vector<bool>& begins) {
  Segments found;
  for (const Module& module : modules.modules) {
    found.of_module.push_back(static_cast<int>(found.all.size()));
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i) {
        const Segment next = alone(model, modules, i);
        const bool range_begins = i == modules.ranges[at(r)].begin, must_begin = !begins.empty() && begins[at(i)];
        if (!range_begins && !must_begin && goes_on(model, found.all.back(), next))
          found.all.back().end = next.end;
        else
          found.all.push_back(next);
      }
  }
  found.of_module.push_back(static_cast<int>(found.all.size()));
  return found;
}

}  // namespace kinetree::inline inner
