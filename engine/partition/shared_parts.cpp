#include "engine/partition/shared_parts.hpp"

#include <algorithm>
#include <iterator>
#include <kinetree/calibration.hpp>
#include <map>
#include <type_traits>
#include <utility>

#include "engine/partition/module_list.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// All bodies of a group's limbs.
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
    for (const LaneGroup& group : limbs.groups) split(group, Calibration{}.in_lanes(limbs.width));
  }

  void list(PartModules& made) {
    Modules& modules = made.modules;
    for (auto& [group, process] : made_) {
      add_limbs(model_, std::move(group), made);
      modules.process.push_back(process);
    }
    std::vector<std::vector<int>> bodies(rests_.size());
    for (int i = 0; i < static_cast<int>(rest_of_.size()); ++i)
      if (rest_of_[at(i)] >= 0) bodies[at(rest_of_[at(i)])].push_back(i);
    for (std::size_t r = rests_.size(); r-- > 0;) {
      add_module(modules, bodies[r]);
      modules.process.push_back(rests_[r].process);
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

  /// By what limbs hang from. `pack`: what a pack takes over a limb alone.
  void split(const LaneGroup& group, double pack) {
    std::map<std::pair<int, int>, std::vector<int>> lanes;  // by process and rest
    for (int lane = 0; lane < group.lanes(); ++lane) {
      const int base = group.body.front()[at(lane)], p = model_.parent[at(base)];
      lanes[{process_[at(base)], p < 0 ? -1 : rest_of_[at(p)]}].push_back(lane);
    }
    for (const auto& [where, own] : lanes) {
      LaneGroup part = lanes_of(group, own);
      if (part.places() > 0 && static_cast<double>(own.size()) > pack) {
        made_.push_back({std::move(part), where.first});
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

void add_limbs(const ModelData& model, LaneGroup group, PartModules& made) {
  std::vector<int> bodies = bodies_of(group);
  std::sort(bodies.begin(), bodies.end());
  made.nodes.packs.push_back({.kind = Node::Kind::pack, .index = static_cast<int>(made.modules.modules.size())});
  add_module(made.modules, bodies);
  for (const LimbSum& sum : sums_of(model, group)) made.nodes.contributors.push_back(sum.first);
  made.limbs.push_back(std::move(group));
}

std::vector<int> processes_of_bodies(const ModelData& model, const ModuleOptions& options) {
  const Modules shares = make_modules(model, options);
  std::vector<int> process;
  for (const int module : shares.module_of) process.push_back(shares.process[at(module)]);
  return process;
}

void list_shared_parts(const ModelData& model, const Limbs& limbs, const ModuleOptions& options, PartModules& made) {
  SharedParts(model, limbs, options).list(made);
}

}  // namespace kinetree::inline inner
