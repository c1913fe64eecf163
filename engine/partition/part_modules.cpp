#include "engine/partition/part_modules.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/partition/parts_in_halves.hpp"
#include "engine/partition/shared_parts.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

std::vector<LimbSum> sums_of(const ModelData& model, const LaneGroup& group) {
  std::vector<LimbSum> sums;
  for (int lane = 0; lane < group.lanes(); ++lane) {
    const int limb = group.body.front()[at(lane)], parent = model.parent[at(limb)];
    if (parent < 0) continue;
    const auto same = [&](const LimbSum& sum) { return model.parent[at(sum.first)] == parent; };
    const auto found = std::find_if(sums.begin(), sums.end(), same);
    if (found != sums.end())
      found->lanes.push_back(lane);
    else
      sums.push_back({limb, {lane}});
  }
  return sums;
}

PartModules modules_of_parts(const ModelData& users, const Parts& parts, const ModuleOptions& options) {
  PartModules made;
  made.halves = halves_for(users, parts.end_chains);
  const ModelData& model = *made.halves.model;
  Modules& modules = made.modules;
  if (&model != &users) modules.split = made.halves.model;
  modules.module_of.assign(model.parent.size(), -1);
  if (options.processes > 1 && parts.end_chains.all.empty())
    return list_shared_parts(model, parts.limbs, options, made), made;
  auto rest = static_cast<int>(parts.limbs.groups.size());
  for (const EndChain& chain : parts.end_chains.all) rest += chain.packs + 1;
  int index = 0;
  const auto add = [&](int parent, std::vector<int>& bodies, int pack) {
    std::sort(bodies.begin(), bodies.end());
    add_module(modules, parent, bodies);
    made.nodes.packs.push_back({.kind = Node::Kind::lanes, .index = index, .pack = pack});
  };
  for (const LaneGroup& limbs : parts.limbs.groups) {
    const LaneGroup& group = made.limbs.emplace_back(in_halves(limbs, made.halves));
    std::vector<int> bodies = bodies_of(group);
    add(rest, bodies, 0);
    for (const LimbSum& sum : sums_of(model, group)) made.nodes.contributors.push_back(sum.first);
    ++index;
  }
  for (const EndChain& chain : parts.end_chains.all) {
    const int junction = static_cast<int>(modules.steps.size()) + chain.packs, width = parts.end_chains.width;
    std::vector<int> bodies;
    for (int k = 0; k < chain.modules(); ++k) {
      if (chain.welds) bodies.push_back(base_of(made.halves, chain, k));
      for (int place = 0; place < chain.length(); ++place)
        bodies.push_back(made.halves.inboard[at(chain.body_of(k, place))]);
      if ((k + 1) % width > 0) continue;
      add(junction, bodies, k / width);
      bodies.clear();
    }
    add(rest, bodies, -1);
    made.nodes.contributors.push_back(base_of(made.halves, chain, 0));
    ++index;
  }
  std::vector<int> others;
  for (int i = 0; i < static_cast<int>(model.parent.size()); ++i)
    if (modules.module_of[at(i)] < 0) others.push_back(i);
  add_module(modules, -1, others);
  if (parts.end_chains.all.empty()) return made;
  modules.cut_of.assign(model.parent.size(), -1);
  modules.passing.resize(model.parent.size());
  modules.through.resize(model.aggregates.size());
  return made;
}

Modules end_chain_modules(const ModelData& users, const EndChains& chains) {
  Modules all;
  const SplitModel halves = halves_for(users, chains);
  const ModelData& model = *halves.model;
  if (&model != &users) all.split = halves.model;
  all.cut_of.assign(model.parent.size(), -1);
  std::vector<std::pair<int, bool>> bases;  // and whether another module is inboard
  for (const EndChain& chain : chains.all)
    for (int k = 0; k < chain.modules(); ++k) bases.emplace_back(base_of(halves, chain, k), k > 0);
  std::sort(bases.begin(), bases.end());
  for (const auto& [base, carried] : bases) {
    all.cut_of[at(base)] = static_cast<int>(all.cuts.size());
    all.cuts.push_back({.body = base, .rows = 6 - velocity_count(model.joint_type[at(base)]), .carried = carried});
  }
  list_modules(model, std::vector<bool>(model.parent.size(), false), all);
  return all;
}

Modules module_of_pattern(const LaneGroup& group) {
  const int bodies = group.places() + 1;
  Modules modules;
  modules.ranges = {{1, bodies}};
  modules.modules = {{.base = 1, .last_range = 1, .step = 0}};
  modules.steps = {{.module = 0, .top_module = 0}};
  modules.passing.resize(at(bodies));
  modules.through.resize(group.aggregate.size());
  return modules;
}

Modules module_between_cuts(const ModelData& pattern, int next) {
  Modules modules;
  constexpr int base = 1;
  const int bodies = static_cast<int>(pattern.parent.size());
  const int rows = 6 - velocity_count(pattern.joint_type[base]);
  modules.cuts = {{.body = base, .rows = rows, .lambda = 0},
                  {.body = next, .rows = rows, .carried = true, .lambda = rows}};
  modules.cut_of.assign(at(bodies), -1);
  modules.cut_of[base] = 0, modules.cut_of[at(next)] = 1;
  modules.carried = {1};
  modules.boundary = {0, 1};
  modules.ranges = {{base, next}};
  if (next + 1 < bodies) modules.ranges.push_back({next + 1, bodies});
  modules.modules = {{.base = base,
                      .cut = 0,
                      .last_range = static_cast<int>(modules.ranges.size()),
                      .last_carried = 1,
                      .lambda = rows,
                      .columns = rows,
                      .step = 0}};
  modules.passing.resize(at(bodies));
  const auto lay_out = [&](Passing& passing, int freedoms) {
    passing.epsilon = modules.epsilon_count;
    modules.epsilon_count += at(passing.width()) * at(freedoms);
  };
  for (int i = base; i < next; ++i)
    if (pattern.subtree_end[at(i)] > next) {
      modules.passing[at(i)] = {0, rows};
      lay_out(modules.passing[at(i)], velocity_count(pattern.joint_type[at(i)]));
    }
  for (const Aggregate& a : pattern.aggregates) {
    Passing& through = modules.through.emplace_back();
    for (const int i : a.bodies) through.include(modules.passing[at(i)]);
    lay_out(through, coordinates_or_rows(a));
  }
  modules.lambda_count = 2 * rows;
  modules.omega_count = at(rows * rows);
  const auto matrix = at(4 * rows * rows), vector = at(2 * rows);
  modules.steps = {{.module = 0, .top_module = 0, .last_boundary = 2, .size = 2 * rows},
                   {.closes = 0, .size = rows, .matrix = matrix, .vector = vector}};
  modules.matrix_count = matrix + at(rows * rows);
  modules.vector_count = vector + at(rows);
  return modules;
}

}  // namespace kinetree::inline inner
