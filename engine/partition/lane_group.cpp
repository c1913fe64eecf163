#include "engine/partition/lane_group.hpp"

#include <algorithm>
#include <kinetree/finding.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<Link<double>> links_alike(const ModelData& m, const std::vector<int>& body) {
  Link<double> padding;
  padding.I = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}};
  padding.X_tree = {Matrix3<double>::identity(), {0, 0, 0}};
  padding.constant[0] = m.link[at(body.front())].constant[0];
  padding.constant[1] = m.link[at(body.front())].constant[1];
  padding.axial = true;
  padding.placement = m.link[at(body.front())].placement;
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

bool LaneGroup::padded(int place) const {
  const std::vector<int>& bodies = body[at(place)];
  return std::find(bodies.begin(), bodies.end(), -1) != bodies.end();
}

void LaneGroup::add_place(const ModelData& model, int parent_place, const std::vector<int>& bodies) {
  parent.push_back(parent_place);
  body.push_back(bodies);
  link.push_back(links_alike(model, bodies));
}

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
      for (int f = 0; body >= 0 && f < m.v_index[at(p + 2)] - m.v_index[at(p + 1)]; ++f) {
        double& largest = m.armature[at(m.v_index[at(p + 1)] + f)];
        largest = std::max(largest, model.armature[at(model.v_index[at(body)] + f)]);
      }
  connect(m);
  return m;
}

}  // namespace kinetree::inline inner
