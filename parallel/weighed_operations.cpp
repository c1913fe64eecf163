#include "parallel/weighed_operations.hpp"

#include <cmath>
#include <kinetree/calibration.hpp>
#include <map>
#include <memory>
#include <utility>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/partition/parts_in_halves.hpp"
#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Weighed operations of a node: `times` its counted ones, `more` in addition, and `of_body` for each of its bodies.
/// They are shared out over phases as its counted ones are.
struct NodeWeight {
  double times = 1, more = 0, of_body = 0;
};

NodeWeight weight_of(const ModelData& model, const NodeTable& nodes, const Node& node) {
  if (node.kind == Node::Kind::multipliers) return {.times = price::multipliers, .more = price::held};
  if (node.kind != Node::Kind::embedded) return {.more = price::node};
  const bool constant = model.aggregates[at(nodes.embedded[at(node.index)])].constant();
  return {.times = price::embedded, .of_body = constant ? 0 : price::search};
}

/// A pattern's own sweep. `next`: as module_of_pattern takes it.
Work of_pattern(const ModelData& model, const LaneGroup& group, int next, int width) {
  const ModelData pattern = pattern_of(model, group);
  const Modules module = module_of_pattern(pattern, next);
  WeighedOperations operations(pattern, module, std::vector<bool>{}, true);
  Work sum{.alone = {}, .in_lanes = operations.of(module.steps.front()).alone, .width = width, .filled = group.lanes()};
  for (int i = 0; i < static_cast<int>(pattern.parent.size()); ++i)
    sum.alone.of[Pass::articulate] += operations.of_lane(i) * group.lanes();
  return sum;
}

Work work_of(const ModelData& model, const LaneGroup& limbs, int width) {
  Work sum = of_pattern(model, limbs, 0, width);
  sum.alone.of[Pass::articulate] += price::of_pack(limbs.lanes(), static_cast<int>(sums_of(model, limbs).size()));
  return sum;
}

/// Modules of a pack, and what merges them one by one.
Work work_of(const SplitModel& halves, const EndChain& chain, int width, int pack) {
  const LaneGroup group = pack_of(halves, chain, width, pack);
  Work sum = of_pattern(*halves.model, group, next_place(chain) + 1, width);
  const bool last = pack + 1 == chain.packs;
  const ModelData joints = chain_of_bases(halves, chain, last ? width : width + 1);
  const Modules merged = modules_of_pack(joints, last);
  WeighedOperations merges(joints, merged, {});
  for (const Step& step : merged.steps)
    if (step.module < 0) add(sum.alone, 1, merges.of(step).alone);
  return sum;
}

std::vector<Work> work_of_packs(const PartModules& made, const Parts& parts) {
  std::vector<Work> all;
  for (const LaneGroup& group : made.limbs) all.push_back(work_of(*made.halves.model, group, parts.limbs.width));
  for (const EndChain& chain : parts.end_chains.all)
    for (int pack = 0; pack < chain.packs; ++pack)  // all but the last are alike
      all.push_back(pack > 0 && pack + 1 < chain.packs ? all.back()
                                                       : work_of(made.halves, chain, parts.end_chains.width, pack));
  return all;
}

}  // namespace

void add(Operations& sum, double times, const Operations& more) {
  for (std::size_t p = 0; p < Pass::phases; ++p) sum.of[p] += times * more.of[p];
}

double Work::all(int refinements) const {
  return alone.all(refinements) + Calibration{}.in_lanes(width) * in_lanes.all(refinements);
}

WeighedOperations::WeighedOperations(const ModelData& model, const Modules& modules, const NodeOptions& options,
                                     bool pattern)
    : modules_(modules),
      operations_(model, modules, options.multipliers),
      weight_(model.parent.size(), 1),
      uncounted_(model.parent.size(), 0),
      of_lane_(pattern ? model.parent.size() : 0, 0) {
  const NodeTable nodes = find_nodes(model, modules, options);
  for (const Node& node : nodes.nodes) {
    if (node.kind == Node::Kind::base || node.kind == Node::Kind::pack) continue;
    const std::size_t first = at(node.segment.begin);
    if (pattern && node.kind == Node::Kind::segment) {
      of_lane_[first] = price::contribution;
      continue;
    }
    const NodeWeight weight = weight_of(model, nodes, node);
    int bodies = 0;
    for (const Segment& segment : nodes.segments_of(node)) bodies += segment.end - segment.begin;
    if (const double counted = operations_.of_node(node.segment.begin).all(0); counted > 0)
      weight_[first] = weight.times + (weight.more + weight.of_body * bodies) / counted;
    const int parent = model.parent[first];
    if (parent >= 0 && nodes.contributions_to(parent).size() > 2) uncounted_[first] = price::contribution;
  }
}

WeighedOperations::WeighedOperations(const ModelData& model, const Modules& modules,
                                     const std::vector<bool>& multipliers, bool pattern)
    : WeighedOperations(model, modules, NodeOptions{.multipliers = multipliers}, pattern) {}

WeighedOperations::WeighedOperations(const ModelData& model, const Modules& modules,
                                     const std::vector<bool>& multipliers, const PartModules& made, const Parts& parts)
    : WeighedOperations(
          model, modules,
          {.multipliers = multipliers, .packs = made.nodes.packs, .contributors = made.nodes.contributors}, false) {
  packs_ = work_of_packs(made, parts);
}

WeighedOperations weighed(const ModelData& users, const Modules& modules, const std::vector<bool>& multipliers,
                          const ModuleOptions& options, const Parts& parts) {
  const ModelData& model = modules.parts_of(users);
  if (parts.empty()) return {model, modules, multipliers};
  return {model, modules, multipliers, modules_of_parts(users, parts, options), parts};
}

Operations WeighedOperations::of_node(int i) {
  Operations sum;
  add(sum, weight_[at(i)], operations_.of_node(i));
  sum.of[Pass::articulate] += uncounted_[at(i)];
  return sum;
}

Work WeighedOperations::of(const Step& step) {
  if (step.module >= 0 && at(step.module) < packs_.size()) return packs_[at(step.module)];
  return {.alone = one_by_one(step), .in_lanes = {}};
}

std::vector<Work> WeighedOperations::of_steps() {
  std::vector<Work> all;
  for (const Step& step : modules_.steps) all.push_back(of(step));
  return all;
}

Operations WeighedOperations::one_by_one(const Step& step) {
  Operations sum;
  add(sum, step.module < 0 ? price::merge : 1, operations_.of(step));
  double& gathered = sum.of[Pass::articulate];
  if (step.closes >= 0) gathered += price::factorization;
  if (step.module < 0 || modules_.modules[at(step.module)].cut >= 0) gathered += price::factorization;
  if (step.module < 0) return sum;
  const Module& module = modules_.modules[at(step.module)];
  for (int r = module.first_range; r < module.last_range; ++r)
    for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i)
      if (weight_[at(i)] > 1) {  // a node begins there, whose counted operations are in `sum` once
        add(sum, weight_[at(i)] - 1, operations_.of_node(i));
        gathered += uncounted_[at(i)];
      }
  return sum;
}

double WeighedOperations::all(int refinements) {
  double sum = price::solve;
  for (const Step& step : modules_.steps) sum += of(step).all(refinements);
  return sum;
}

double weighed_operations(const Model& model, const Method& method) {
  const Modules modules = make_modules(model.data(), method.modules);
  return WeighedOperations(modules.parts_of(model.data()), modules, multiplier_aggregates(model.data(), method.loops))
      .all(method.refinements);
}

std::vector<BodyPrice> body_prices(const ModelData& model, const std::vector<bool>& multipliers) {
  const Modules uncut = make_modules(model, {});
  WeighedOperations alone(model, uncut, multipliers), pattern(model, uncut, multipliers, true);
  std::vector<BodyPrice> all;
  for (int i = 0; i < static_cast<int>(model.parent.size()); ++i)
    all.push_back({alone.of_node(i).all(0), pattern.of_node(i).all(0), pattern.of_lane(i)});
  return all;
}

Limbs limbs_that_pay(const ModelData& model, int width, const std::vector<bool>& by_multipliers, int most_bodies,
                     const std::vector<int>& process) {
  return find_limbs(model, width, body_prices(model, by_multipliers), by_multipliers, most_bodies, process);
}

double operations_of_a_body() {
  static const double counted = [] {
    const Model chain = make_model("chain:4");
    const Modules uncut;
    return StepOperations(chain.data(), uncut).of_node(1).all(0);  // neither at the ground nor at the tip
  }();
  return counted;
}

std::vector<double> module_work(const ModelData& model, const Modules& modules) {
  StepOperations operations(model, modules);
  std::vector<double> all;
  for (const Module& module : modules.modules) {
    double& sum = all.emplace_back(0);
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i) sum += operations.of_node(i).all(0);
  }
  return all;
}

std::vector<double> step_work(const Model& model, const Modules& modules, const Method& method, const Parts& parts) {
  WeighedOperations operations =
      weighed(model.data(), modules, multiplier_aggregates(model.data(), method.loops), method.modules, parts);
  std::vector<double> all;
  for (const Step& step : modules.steps) all.push_back(operations.of(step).all(method.refinements));
  return all;
}

Pays packs_may_pay(const ModelData& model, const std::vector<BodyPrice>& prices, int width, int refinements) {
  // chains alike are priced once; the key holds what decides: welds, work of the bodies, parents
  auto known = std::make_shared<std::map<std::vector<int>, bool>>();
  return [known, width, refinements, &model, &prices](const EndChain& chain) {
    double alone = 0;
    for (std::size_t k = 0; k < at(width * chain.length()); ++k) alone += prices[at(chain.body[k])].alone;
    std::vector<int> key{chain.welds, static_cast<int>(std::lround(alone))};
    key.insert(key.end(), chain.parent.begin(), chain.parent.end());
    const auto [found, fresh] = known->try_emplace(std::move(key));
    if (fresh) {
      const SplitModel halves = halves_for(model, {.width = width, .all = {chain}, .taken = {}});
      const Work pack = work_of(halves, chain, width, 0);
      found->second = pack.alone.all(refinements) + pack.in_lanes.all(refinements) < alone;
    }
    return found->second;
  };
}

}  // namespace kinetree::inline inner
