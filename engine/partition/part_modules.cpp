#include "engine/partition/part_modules.hpp"

#include <algorithm>
#include <kinetree/calibration.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/contraction.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/partition/module_offsets.hpp"
#include "engine/partition/parts_in_halves.hpp"
#include "engine/partition/processes.hpp"
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

namespace {

/// Cuts the joints of these bases; with each whether another module is inboard.
void cut_bases(const ModelData& model, std::vector<std::pair<int, bool>> bases, Modules& all) {
  std::sort(bases.begin(), bases.end());
  all.cut_of.assign(model.parent.size(), -1);
  for (const auto& [base, carried] : bases) {
    all.cut_of[at(base)] = static_cast<int>(all.cuts.size());
    const int rows = 6 - velocity_count(model.joint_type[at(base)]);
    all.cuts.push_back({.body = base, .rows = rows, .carried = carried, .lambda = all.lambda_count});
    all.lambda_count += rows;
  }
}

/// Packs of end chains, of which each is a module between two cut joints; behind a chain's last there is none.
class PackModules {
 public:
  explicit PackModules(PartModules& made) : made_(made), model_(*made.halves.model), modules_(made.modules) {}

  void add(const EndChain& chain, int width) {
    made_.nodes.contributors.push_back(base_of(made_.halves, chain, 0));
    for (int pack = 0; pack < chain.packs; ++pack) {
      std::vector<int> bodies;
      for (int k = pack * width; k < (pack + 1) * width; ++k) {
        if (chain.welds) bodies.push_back(base_of(made_.halves, chain, k));
        for (int place = 0; place < chain.length(); ++place)
          bodies.push_back(made_.halves.inboard[at(chain.body_of(k, place))]);
      }
      std::sort(bodies.begin(), bodies.end());
      bases_.emplace_back(bodies.front(), pack > 0);
      made_.nodes.packs.push_back({.kind = Node::Kind::pack, .index = static_cast<int>(modules_.modules.size())});
      own_.push_back(static_cast<int>(modules_.modules.size()));
      add_module(modules_, bodies);
    }
  }

  /// Once all are added.
  void join() {
    cut_bases(model_, bases_, modules_);
    for (const int k : own_) modules_.modules[at(k)].cut = modules_.cut_of[at(modules_.modules[at(k)].base)];
    list_carried(model_, modules_);
    modules_.passing.resize(model_.parent.size());
    modules_.through.resize(model_.aggregates.size());
  }

  /// The rest, of the first process, and packs from the ground outwards. `width`: lanes of a pack. By bodies, those of
  /// a pack times the default calibration's lanes: no price is asked.
  void share_out(int processes, int width) {
    const bool rest = modules_.modules.size() > own_.size();
    if (modules_.modules.size() > own_.size() + 1)
      throw std::logic_error("limbs beside end chains are not shared out among processes");
    std::vector<double> weights;
    const double of_body = Calibration{}.in_lanes(width) / width;
    if (rest) weights.push_back(body_count(modules_, modules_.modules.back()));
    for (const int k : own_) weights.push_back(of_body * body_count(modules_, modules_.modules[at(k)]));
    modules_.process = shares_of(processes, weights);
    if (rest) std::rotate(modules_.process.begin(), modules_.process.begin() + 1, modules_.process.end());
  }

 private:
  PartModules& made_;
  const ModelData& model_;
  Modules& modules_;
  std::vector<std::pair<int, bool>> bases_;  ///< over packs, chain after chain
  std::vector<int> own_;                     ///< their modules
};

/// Groups of limbs, packs, and the rest of the tree as one module.
void list_parts(const Parts& parts, const ModuleOptions& options, PartModules& made) {
  const ModelData& model = *made.halves.model;
  Modules& modules = made.modules;
  for (const LaneGroup& limbs : parts.limbs.groups) add_limbs(model, in_halves(limbs, made.halves), made);
  PackModules packs(made);
  for (const EndChain& chain : parts.end_chains.all) packs.add(chain, parts.end_chains.width);
  std::vector<int> rest;
  for (int i = 0; i < static_cast<int>(model.parent.size()); ++i)
    if (modules.module_of[at(i)] < 0) rest.push_back(i);
  if (!rest.empty()) add_module(modules, rest);
  if (parts.end_chains.all.empty()) return;
  packs.join();
  if (options.processes > 1) packs.share_out(options.processes, parts.end_chains.width);
}

}  // namespace

PartModules modules_of_parts(const ModelData& users, const Parts& parts, const ModuleOptions& options) {
  PartModules made;
  made.halves = halves_for(users, parts.end_chains);
  const ModelData& model = *made.halves.model;
  if (&model != &users) made.modules.split = made.halves.model;
  made.modules.module_of.assign(model.parent.size(), -1);
  if (options.processes > 1 && parts.end_chains.all.empty())
    list_shared_parts(model, parts.limbs, options, made);
  else
    list_parts(parts, options, made);
  make_steps(model, options.elimination, made.modules);
  return made;
}

Modules end_chain_modules(const ModelData& users, const EndChains& chains) {
  Modules all;
  const SplitModel halves = halves_for(users, chains);
  const ModelData& model = *halves.model;
  if (&model != &users) all.split = halves.model;
  std::vector<std::pair<int, bool>> bases;
  for (const EndChain& chain : chains.all)
    for (int k = 0; k < chain.modules(); ++k) bases.emplace_back(base_of(halves, chain, k), k > 0);
  cut_bases(model, std::move(bases), all);
  list_modules(model, std::vector<bool>(model.parent.size(), false), all);
  return all;
}

Modules modules_of_pack(const ModelData& modules, bool last) {
  Modules all;
  const int bodies = static_cast<int>(modules.parent.size());
  all.module_of.assign(at(bodies), -1);
  std::vector<std::pair<int, bool>> bases;
  for (int k = 0; k < bodies; ++k) bases.emplace_back(k, k > 0);
  cut_bases(modules, bases, all);
  for (int k = 0; k < (last ? bodies : bodies - 1); ++k) add_module(all, {k});
  list_carried(modules, all);
  make_steps(modules, Elimination::leaves_first, all);
  return all;
}

Modules module_of_pattern(const ModelData& pattern, int next) {
  Modules all;
  all.module_of.assign(pattern.parent.size(), -1), all.passing.resize(pattern.parent.size());
  std::vector<int> own(pattern.parent.size() - 1);
  std::iota(own.begin(), own.end(), 1);
  if (next > 0) {
    own.erase(own.begin() + next - 1);
    cut_bases(pattern, {{own.front(), false}, {next, true}}, all);
    for (int i = pattern.parent[at(next)]; i > 0; i = pattern.parent[at(i)]) all.passing[at(i)].end = all.cuts[1].rows;
  }
  give_epsilon(pattern, all);
  add_module(all, own);
  list_carried(pattern, all);
  make_steps(pattern, Elimination::cyclic, all);
  return all;
}

}  // namespace kinetree::inline inner
