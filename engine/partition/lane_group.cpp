#include "engine/partition/lane_group.hpp"

#include <algorithm>
#include <kinetree/finding.hpp>
#include <map>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<Link<double>> links_alike(const ModelData& m, const std::vector<int>& body) {
  Link<double> padding = m.link[at(body.front())];
  padding.I = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  std::vector<Link<double>> links;
  for (const int i : body) links.push_back(i < 0 ? padding : m.link[at(i)]);
  bool axial = true;
  AxialPlacement<double> all = links.front().placement;
  for (const Link<double>& link : links) {
    const AxialPlacement<double>& own = link.placement;
    axial = axial && link.axial;
    all.outboard_slides = all.outboard_slides || own.outboard_slides;
    all.x_slides = all.x_slides || own.x_slides;
    all.inboard_slides = all.inboard_slides || own.inboard_slides;
    if (own.x_turn != all.x_turn) all.x_turn = Turning::any;
    if (own.inboard_turn != all.inboard_turn) all.inboard_turn = Turning::any;
  }
  for (Link<double>& link : links) {
    AxialPlacement<double>& own = link.placement;
    link.axial = axial;
    own.outboard_slides = all.outboard_slides, own.x_slides = all.x_slides, own.inboard_slides = all.inboard_slides;
    own.x_turn = all.x_turn, own.inboard_turn = all.inboard_turn;
  }
  return links;
}

}  // namespace

void LaneGroup::add_place(const ModelData& model, int parent_place, const std::vector<int>& bodies) {
  parent.push_back(parent_place);
  body.push_back(bodies);
  link.push_back(links_alike(model, bodies));
}

namespace {

/// Adds the aggregates of the first lane to the pattern.
class AggregatesOfPattern {
 public:
  AggregatesOfPattern(const ModelData& from, const LaneGroup& group, ModelData& to) : from_(from), to_(to) {
    for (int place = 0; place < group.places(); ++place) body_[group.body[at(place)].front()] = place + 1;
  }

  void add(const Aggregate& whole) {
    Aggregate a = whole;
    a.ranks.clear();  // lanes are on one branch, that of `assembled`
    a.rounding.couplings.clear();
    a.parent = body(whole.parent);
    std::transform(whole.bodies.begin(), whole.bodies.end(), a.bodies.begin(), [&](int i) { return body(i); });
    std::sort(a.bodies.begin(), a.bodies.end());
    int column = 0;
    for (std::size_t p = 0; p < a.bodies.size(); ++p) {
      const auto i = at(a.bodies[p]);
      to_.aggregate_of[i] = static_cast<int>(to_.aggregates.size());
      to_.aggregate_place[i] = static_cast<int>(p);
      to_.aggregate_column[i] = a.column[p] = column;
      column += to_.v_index[i + 1] - to_.v_index[i];
    }
    for (int& v : a.independent) v = velocity(v);
    std::sort(a.independent.begin(), a.independent.end());
    for (int& index : a.loops) {
      Loop& loop = to_.loops.emplace_back(from_.loops[at(index)]);
      loop.first = body(loop.first), loop.second = body(loop.second), loop.meet = body(loop.meet);
      index = static_cast<int>(to_.loops.size()) - 1;
    }
    for (int& index : a.couplings) {
      Coupling& coupling = to_.couplings.emplace_back(from_.couplings[at(index)]);
      for (auto& term : coupling.terms) term.first = body(term.first);
      index = static_cast<int>(to_.couplings.size()) - 1;
    }
    to_.aggregates.push_back(std::move(a));
  }

 private:
  /// The pattern's body for body i of the model; 0 where body i is not in the first lane.
  int body(int i) const {
    const auto found = body_.find(i);
    return found == body_.end() ? 0 : found->second;
  }
  int velocity(int v) const {
    const int i = body_of_velocity(from_, v);
    return to_.v_index[at(body(i))] + v - from_.v_index[at(i)];
  }

  const ModelData& from_;
  ModelData& to_;
  std::map<int, int> body_;  ///< from the bodies of the first lane to those of the pattern
};

}  // namespace

ModelData pattern_of(const ModelData& model, const LaneGroup& group) {
  ModelData m;
  m.gravity = model.gravity;
  const auto add = [&](int parent, JointType type, const Link<double>& link, int positions, int velocities) {
    m.parent.push_back(parent);
    m.joint_type.push_back(type);
    m.link.push_back(link);
    m.q_index.push_back((m.q_index.empty() ? 0 : m.q_index.back()) + positions);
    m.v_index.push_back((m.v_index.empty() ? 0 : m.v_index.back()) + velocities);
  };
  m.q_index.push_back(0), m.v_index.push_back(0);
  add(-1, JointType::revolute, group.link.front().front(), 0, 0);
  for (int p = 0; p < group.places(); ++p) {
    const JointType type = model.joint_type[at(group.body[at(p)].front())];
    add(group.parent[at(p)] + 1, type, group.link[at(p)].front(), position_count(type), velocity_count(type));
  }
  m.armature.resize(at(m.v_index.back()));
  for (int p = 0; p < group.places(); ++p)
    for (const int body : group.body[at(p)])
      for (int f = 0; f < m.v_index[at(p + 2)] - m.v_index[at(p + 1)]; ++f) {
        double& largest = m.armature[at(m.v_index[at(p + 1)] + f)];
        largest =
            std::max(largest, body < 0 ? LaneGroup::padding_rotor : model.armature[at(model.v_index[at(body)] + f)]);
      }
  connect(m);
  if (group.aggregate.empty()) return m;
  m.aggregate_of.assign(m.parent.size(), -1);
  m.aggregate_place.resize(m.parent.size()), m.aggregate_column.resize(m.parent.size());
  AggregatesOfPattern aggregates(model, group, m);
  for (const std::vector<int>& index : group.aggregate) aggregates.add(model.aggregates[at(index.front())]);
  return m;
}

}  // namespace kinetree::inline inner
