#include "engine/partition/limb_units.hpp"

#include <algorithm>

#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/partition/lane_group.hpp"

namespace kinetree::inline inner {

LimbUnits::LimbUnits(const ModelData& model, const std::vector<bool>& by_multipliers)
    : model_(model), unit_(model.parent.size()), members_(model.parent.size()) {
  for (std::size_t i = 0; i < unit_.size(); ++i) {
    const int a = aggregate_of(model, static_cast<int>(i));
    const bool whole = a >= 0 && (by_multipliers.empty() || !by_multipliers[at(a)]);
    unit_[i] = whole ? model.aggregates[at(a)].bodies.front() : static_cast<int>(i);
    has_ties_.push_back(whole);
    members_[at(unit_[i])].push_back(static_cast<int>(i));
  }
}

int LimbUnits::inboard(int unit) const {
  const int parent = model_.parent[at(unit)];
  return parent < 0 ? -1 : of(parent);
}

std::vector<int> LimbUnits::key(int unit) const {
  std::vector<int> key;
  const auto kind = [&](int i) { return static_cast<int>(kind_of(model_.joint_type[at(i)])); };
  if (!has_ties(unit)) return {kind(unit)};
  const Aggregate& a = model_.aggregates[at(model_.aggregate_of[at(unit)])];
  const auto member = [&](int i) { return i >= 0 && of(i) == unit ? model_.aggregate_place[at(i)] : -1; };
  for (const int i : a.bodies) key.insert(key.end(), {kind(i), member(model_.parent[at(i)])});
  for (const int index : a.loops) {
    const Loop& loop = model_.loops[at(index)];
    key.insert(key.end(), {-2, static_cast<int>(loop.type), member(loop.first), member(loop.second)});
    if (loop.rounded) key.insert(key.end(), {-6, row_count(loop)});
  }
  for (const int index : a.couplings) {
    key.push_back(model_.couplings[at(index)].linear() ? -3 : -7);
    for (const auto& term : model_.couplings[at(index)].terms) key.push_back(member(term.first));
  }
  key.insert(key.end(), {-4, a.freedoms});
  if (a.branches()) key.insert(key.end(), {-5, unit});  // on branches of its own, state by state
  if (!a.chosen_by_user) return key;
  for (std::size_t p = 0; p < a.bodies.size(); ++p)
    for (int v = model_.v_index[at(a.bodies[p])]; v < model_.v_index[at(a.bodies[p] + 1)]; ++v)
      key.push_back(std::binary_search(a.independent.begin(), a.independent.end(), v));
  return key;
}

template <class Holds>
std::vector<std::vector<int>> LimbUnits::members_side_by_side(const std::vector<int>& body, Holds&& holds) const {
  std::vector<std::vector<int>> all;
  const std::vector<int>& pattern = members(of(body.front()));
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    if (!holds(pattern[p])) continue;
    std::vector<int>& lanes = all.emplace_back();
    for (const int i : body) lanes.push_back(i < 0 ? -1 : members(of(i))[p]);
  }
  return all;
}

std::vector<std::vector<int>> LimbUnits::roots_side_by_side(const std::vector<int>& units) const {
  return members_side_by_side(units, [&](int member) { return is_root(member); });
}

std::vector<std::vector<int>> LimbUnits::members_below(const std::vector<int>& body) const {
  return members_side_by_side(body, [&](int member) { return model_.parent[at(member)] == body.front(); });
}

std::vector<int> LimbUnits::aggregates(const std::vector<int>& body) const {
  std::vector<int> all;
  for (const int i : body) all.push_back(i < 0 ? -1 : model_.aggregate_of[at(i)]);
  return all;
}

}  // namespace kinetree::inline inner
