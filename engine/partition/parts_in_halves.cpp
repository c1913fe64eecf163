#include "engine/partition/parts_in_halves.hpp"

#include <algorithm>
#include <kinetree/finding.hpp>
#include <numeric>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

SplitModel halves_for(const ModelData& m, const EndChains& chains) {
  std::vector<bool> split(m.parent.size(), false);
  bool any = false;
  for (const EndChain& chain : chains.all)
    for (int k = 0; chain.welds && k < chain.modules(); ++k) any = split[at(m.parent[at(chain.body_of(k, 0))])] = true;
  if (any) return split_bodies(m, split);
  SplitModel whole{std::shared_ptr<const ModelData>(std::shared_ptr<void>(), &m), std::vector<int>(m.parent.size()),
                   std::vector<int>(m.parent.size(), -1)};
  std::iota(whole.inboard.begin(), whole.inboard.end(), 0);
  return whole;
}

LaneGroup in_halves(const LaneGroup& limbs, const SplitModel& halves) {
  LaneGroup group = limbs;
  for (std::vector<int>& place : group.body)
    for (int& i : place)
      if (i >= 0) i = halves.inboard[at(i)];
  return group;
}

int base_of(const SplitModel& halves, const EndChain& chain, int module) {
  const int first = halves.inboard[at(chain.body_of(module, 0))];
  return chain.welds ? halves.model->parent[at(first)] : first;
}

ModelData chain_of_bases(const SplitModel& halves, const EndChain& chain, int count) {
  const JointType type = halves.model->joint_type[at(base_of(halves, chain, 0))];
  ModelData m;
  m.q_index.push_back(0), m.v_index.push_back(0);
  for (int k = 0; k < count; ++k) {
    m.parent.push_back(k - 1), m.joint_type.push_back(type);
    m.q_index.push_back((k + 1) * position_count(type)), m.v_index.push_back((k + 1) * velocity_count(type));
  }
  m.link.resize(at(count)), m.armature.resize(at(m.v_index.back()) + 1);
  connect(m);
  return m;
}

LaneGroup pack_of(const SplitModel& halves, const EndChain& chain, int width, int pack) {
  const ModelData& m = *halves.model;
  LaneGroup group;
  std::vector<int> body(at(width));
  const auto add = [&](int parent, auto&& of_module) {
    for (int lane = 0; lane < width; ++lane) body[at(lane)] = of_module(pack * width + lane);
    group.add_place(m, parent, body);
  };
  const int welds = chain.welds;
  const auto place_of = [&](int k) { return k < 0 ? welds - 1 : k + welds + (k >= chain.next); };
  const auto base = [&](int k) { return k < chain.modules() ? base_of(halves, chain, k) : -1; };
  std::vector<bool> known(m.aggregates.size(), false);
  if (chain.welds) add(-1, base);
  for (int k = 0; k <= chain.length(); ++k) {
    if (k == chain.next) add(place_of(chain.tip), [&](int module) { return base(module + 1); });
    if (k == chain.length()) break;
    add(place_of(chain.parent[at(k)]), [&](int module) { return halves.inboard[at(chain.body_of(module, k))]; });
    const int tie = aggregate_of(m, body.front());
    if (tie < 0 || known[at(tie)]) continue;
    known[at(tie)] = true;
    std::vector<int>& lanes = group.aggregate.emplace_back();
    for (const int i : body) lanes.push_back(m.aggregate_of[at(i)]);
  }
  return group;
}

}  // namespace kinetree::inline inner
