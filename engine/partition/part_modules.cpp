#include "engine/partition/part_modules.hpp"

#include <algorithm>
#include <iterator>
#include <kinetree/lane_costs.hpp>
#include <map>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/partition/parts_in_halves.hpp"
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

std::vector<int> bodies_of(const LaneGroup& group) {
  std::vector<int> bodies;
  for (const std::vector<int>& place : group.body)
    std::copy_if(place.begin(), place.end(), std::back_inserter(bodies), [](int i) { return i >= 0; });
  return bodies;
}

/// Some of a group's lanes, and the places where these have bodies; empty where no lane has bodies at all of those.
LaneGroup lanes_of(const LaneGroup& group, std::vector<int> lanes) {
  const auto has = [&](int place, int lane) { return group.body[at(place)][at(lane)] >= 0; };
  std::vector<int> places, place_of(at(group.places()), -1);
  for (int p = 0; p < group.places(); ++p)
    if (std::any_of(lanes.begin(), lanes.end(), [&](int lane) { return has(p, lane); })) {
      place_of[at(p)] = static_cast<int>(places.size());
      places.push_back(p);
    }
  const auto whole = std::find_if(lanes.begin(), lanes.end(), [&](int lane) {
    return std::all_of(places.begin(), places.end(), [&](int p) { return has(p, lane); });
  });
  if (whole == lanes.end()) return {};
  std::iter_swap(lanes.begin(), whole);
  LaneGroup part;
  const auto some = [&](const auto& all) {
    std::remove_cvref_t<decltype(all)> taken;
    for (const int lane : lanes) taken.push_back(all[at(lane)]);
    return taken;
  };
  for (const int p : places) {
    const int parent = group.parent[at(p)];
    part.parent.push_back(parent < 0 ? -1 : place_of[at(parent)]);
    part.body.push_back(some(group.body[at(p)]));
    part.link.push_back(some(group.link[at(p)]));
  }
  for (const std::vector<int>& of_lanes : group.aggregate) {
    std::vector<int> taken = some(of_lanes);
    if (taken.front() >= 0) part.aggregate.push_back(std::move(taken));
  }
  return part;
}

/// Limbs and the rest of a tree, of several processes.
class SharedParts {
 public:
  SharedParts(const ModelData& model, const Limbs& limbs, const ModuleOptions& options)
      : model_(model), process_(processes_of_bodies(model, options)), rest_of_(model.parent.size(), -1) {
    std::vector<bool> in_limb(rest_of_.size(), false);
    for (const LaneGroup& group : limbs.groups)
      for (const int i : bodies_of(group)) in_limb[at(i)] = true;
    for (int i = 0; i < static_cast<int>(rest_of_.size()); ++i)
      if (!in_limb[at(i)]) rest_of_[at(i)] = rest_with(i);
    for (const LaneGroup& group : limbs.groups) split(group, default_lane_costs(limbs.width).limb_body);
  }

  void list(PartModules& made) {
    Modules& modules = made.modules;
    if (rests_.empty()) rests_.push_back({0, -1});
    const auto groups = static_cast<int>(made_.size()), rests = static_cast<int>(rests_.size());
    const auto step_of = [&](int rest) { return rest < 0 ? -1 : groups + rests - 1 - rest; };
    for (int k = 0; k < groups; ++k) {
      const auto& [group, rest, process] = made_[at(k)];
      std::vector<int> bodies = bodies_of(group);
      std::sort(bodies.begin(), bodies.end());
      add_step(modules, step_of(rest), bodies);
      modules.process.push_back(process);
      made.nodes.packs.push_back({.kind = Node::Kind::lanes, .index = k, .pack = 0});
      for (const LimbSum& sum : sums_of(model_, group)) made.nodes.contributors.push_back(sum.first);
      made.limbs.push_back(group);
    }
    std::vector<std::vector<int>> bodies(rests_.size());
    for (int i = 0; i < static_cast<int>(rest_of_.size()); ++i)
      if (rest_of_[at(i)] >= 0) bodies[at(rest_of_[at(i)])].push_back(i);
    for (int r = rests; r-- > 0;) {
      add_step(modules, step_of(rests_[at(r)].parent), bodies[at(r)]);
      modules.process.push_back(rests_[at(r)].process);
    }
  }

 private:
  /// Bodies of one process that hang from one other rest, or from the ground: -1.
  struct Rest {
    int process, parent;
    auto operator<=>(const Rest&) const = default;
  };
  struct Shared {
    LaneGroup group;
    int rest;  ///< that it hangs from; -1: the ground
    int process;
  };

  /// The rest that body i belongs to, whose parent's is known.
  int rest_with(int i) {
    const int p = model_.parent[at(i)];
    if (p >= 0 && process_[at(p)] == process_[at(i)]) return rest_of_[at(p)];
    const Rest own{process_[at(i)], p < 0 ? -1 : rest_of_[at(p)]};
    const auto [known, is_new] = index_.emplace(own, static_cast<int>(rests_.size()));
    if (is_new) rests_.push_back(own);
    return known->second;
  }

  /// By what limbs hang from. `body_in_lanes`: what a body takes with those of other lanes beside it.
  void split(const LaneGroup& group, double body_in_lanes) {
    std::map<std::pair<int, int>, std::vector<int>> lanes;  // by process and rest
    for (int lane = 0; lane < group.lanes(); ++lane) {
      const int base = group.body.front()[at(lane)], p = model_.parent[at(base)];
      lanes[{process_[at(base)], p < 0 ? -1 : rest_of_[at(p)]}].push_back(lane);
    }
    for (const auto& [where, own] : lanes) {
      LaneGroup part = lanes_of(group, own);
      if (part.places() > 0 && static_cast<double>(own.size()) > body_in_lanes) {
        made_.push_back({std::move(part), where.second, where.first});
        continue;
      }
      for (const std::vector<int>& place : group.body)  // inboard places first
        for (const int lane : own) {
          if (const int i = place[at(lane)]; i >= 0) rest_of_[at(i)] = rest_with(i);
        }
    }
  }

  const ModelData& model_;
  std::vector<int> process_, rest_of_;  ///< over bodies; rest -1: in a group
  std::vector<Rest> rests_;             ///< parents first
  std::map<Rest, int> index_;
  std::vector<Shared> made_;
};

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

std::vector<int> processes_of_bodies(const ModelData& model, const ModuleOptions& options) {
  const Modules shares = make_modules(model, options);
  std::vector<int> process;
  for (const int module : shares.module_of) process.push_back(shares.process[at(module)]);
  return process;
}

PartModules modules_of_parts(const ModelData& users, const Parts& parts, const ModuleOptions& options) {
  PartModules made;
  made.halves = halves_for(users, parts.end_chains);
  const ModelData& model = *made.halves.model;
  Modules& modules = made.modules;
  if (&model != &users) modules.split = made.halves.model;
  modules.module_of.assign(model.parent.size(), -1);
  if (options.processes > 1 && parts.end_chains.all.empty())
    return SharedParts(model, parts.limbs, options).list(made), made;
  auto rest = static_cast<int>(parts.limbs.groups.size());
  for (const EndChain& chain : parts.end_chains.all) rest += chain.packs + 1;
  int index = 0;
  const auto add = [&](int parent, std::vector<int>& bodies, int pack) {
    std::sort(bodies.begin(), bodies.end());
    add_step(modules, parent, bodies);
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
  add_step(modules, -1, others);
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
