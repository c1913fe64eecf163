#include "engine/partition/part_modules.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

void add_step(Modules& all, int parent, const std::vector<int>& bodies) {
  const int index = static_cast<int>(all.steps.size()), first = static_cast<int>(all.ranges.size());
  for (const int i : bodies) {
    if (static_cast<int>(all.ranges.size()) > first && all.ranges.back().end == i)
      ++all.ranges.back().end;
    else
      all.ranges.push_back({i, i + 1});
    all.module_of[at(i)] = index;
  }
  all.modules.push_back({.base = bodies.empty() ? 0 : bodies.front(),
                         .first_range = first,
                         .last_range = static_cast<int>(all.ranges.size()),
                         .step = index});
  all.steps.push_back({.parent = parent, .module = index, .top_module = index});
}

/// The bodies of no step, in a step of their own, the last.
void add_rest(Modules& all) {
  std::vector<int> rest;
  for (int i = 0; i < static_cast<int>(all.module_of.size()); ++i)
    if (all.module_of[at(i)] < 0) rest.push_back(i);
  add_step(all, -1, rest);
}

PartModules modules_of_limbs(const ModelData& model, const Limbs& limbs) {
  PartModules parts;
  parts.modules.module_of.assign(model.parent.size(), -1);
  const int groups = static_cast<int>(limbs.groups.size());
  for (int g = 0; g < groups; ++g) {
    std::vector<int> bodies;
    for (const std::vector<int>& place : limbs.groups[at(g)].body)
      std::copy_if(place.begin(), place.end(), std::back_inserter(bodies), [](int i) { return i >= 0; });
    std::sort(bodies.begin(), bodies.end());
    add_step(parts.modules, groups, bodies);
    parts.nodes.packs.push_back({.kind = Node::Kind::limbs, .index = g});
    for (const LimbSum& sum : sums_of(model, limbs.groups[at(g)])) parts.nodes.contributors.push_back(sum.first);
  }
  add_rest(parts.modules);
  return parts;
}

PartModules modules_of_end_chains(const ModelData& model, const EndChains& chains) {
  PartModules parts;
  parts.modules.module_of.assign(model.parent.size(), -1);
  int rest = 0;
  for (const EndChain& chain : chains.all) rest += chain.packs + 1;
  int index = 0;
  for (const EndChain& chain : chains.all) {
    const int junction = static_cast<int>(parts.modules.steps.size()) + chain.packs;
    std::vector<int> bodies(at(chain.length * chains.width));
    for (int pack = 0; pack < chain.packs; ++pack) {
      std::iota(bodies.begin(), bodies.end(), chain.first + pack * chain.length * chains.width);
      add_step(parts.modules, junction, bodies);
      parts.nodes.packs.push_back({.kind = Node::Kind::end_chain, .index = index, .pack = pack});
    }
    add_step(parts.modules, rest, {});
    parts.nodes.packs.push_back({.kind = Node::Kind::end_chain, .index = index++});
    parts.nodes.contributors.push_back(chain.first);
  }
  add_rest(parts.modules);
  parts.modules.cut_of.assign(model.parent.size(), -1);
  parts.modules.passing.resize(model.parent.size());
  return parts;
}

}  // namespace

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

PartModules modules_of_parts(const ModelData& model, const Parts& parts) {
  return parts.limbs.groups.empty() ? modules_of_end_chains(model, parts.end_chains)
                                    : modules_of_limbs(model, parts.limbs);
}

Modules module_of_pattern(int bodies) {
  Modules modules;
  modules.ranges = {{1, bodies}};
  modules.modules = {{.base = 1, .last_range = 1, .step = 0}};
  modules.steps = {{.module = 0, .top_module = 0}};
  return modules;
}

Modules module_between_cuts(const std::vector<int>& velocities) {
  Modules modules;
  constexpr int base = 1;
  const int bodies = static_cast<int>(velocities.size()), rows = 6 - velocities[base];
  modules.cuts = {{.body = base, .rows = rows, .lambda = 0},
                  {.body = bodies - 1, .rows = rows, .carried = true, .lambda = rows}};
  modules.cut_of.assign(at(bodies), -1);
  modules.cut_of[base] = 0, modules.cut_of.back() = 1;
  modules.carried = {1};
  modules.boundary = {0, 1};
  modules.ranges = {{base, bodies - 1}};
  modules.modules = {
      {.base = base, .cut = 0, .last_range = 1, .last_carried = 1, .lambda = rows, .columns = rows, .step = 0}};
  modules.passing.resize(at(bodies));
  for (int i = base; i < bodies - 1; ++i) {
    modules.passing[at(i)] = {0, rows, modules.epsilon_count};
    modules.epsilon_count += at(rows * velocities[at(i)]);
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
