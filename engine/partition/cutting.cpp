#include "engine/partition/cutting.hpp"

#include <algorithm>
#include <kinetree/options.hpp>

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/split_bodies.hpp"
#include "engine/partition/uncut.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// The longest path from the ground to a tip, as the child on which each of its bodies goes on.
std::vector<int> longest_path(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> height(at(n), 1), next(at(n), -1);
  int top = -1;
  for (int i = n - 1; i >= 0; --i) {
    const int p = parent[at(i)];
    if (p < 0) {
      if (top < 0 || height[at(i)] >= height[at(top)]) top = i;
    } else if (height[at(i)] + 1 >= height[at(p)]) {
      height[at(p)] = height[at(i)] + 1;
      next[at(p)] = i;
    }
  }
  std::vector<int> path(at(n), -1);
  for (int i = top; i >= 0; i = next[at(i)]) path[at(i)] = next[at(i)];
  return path;
}

/// Over bodies: how many of the user's bodies each is. A split one is counted by the half that has its joint.
std::vector<int> body_counts(const ModelData& m) {
  std::vector<int> count(m.parent.size(), 1);
  for (std::size_t i = 0; i < count.size(); ++i)
    if (m.joint_type[i] == JointType::fixed && !m.whole.empty()) count[i] = 0;
  return count;
}

/// Over bodies: whether the joint is cut, and whether its force is a column of the module inboard.
struct Cutting {
  std::vector<bool> cut, carried;
};

/// Cuts each path in modules of `grain` bodies, counted from its tip, side branches included.
class PathCutter {
 public:
  PathCutter(const ModelData& model, int grain, const std::vector<int>& next, Cutting& all)
      : model_(model), grain_(grain), next_(next), all_(all), load_(body_counts(model)) {}

  /// `only`: the one path to cut; -1: every path. Tops are visited descending, so side paths come first.
  void run(int only) {
    const int n = static_cast<int>(model_.parent.size());
    std::vector<bool> top(at(n), true);
    for (int i = 0; i < n; ++i)
      if (next_[at(i)] >= 0) top[at(next_[at(i)])] = false;
    for (int i = n - 1; i >= 0; --i)
      if (top[at(i)]) cut_path(i, only < 0 || only == i);
  }

 private:
  void cut_path(int top, bool may) {
    path_.clear();
    for (int i = top; i >= 0; i = next_[at(i)]) path_.push_back(i);
    chosen_.clear();
    int in_module = 0;  // bodies since the last cut
    for (std::size_t k = path_.size(); k-- > 0;) {
      const int body = path_[k];
      in_module += load_[at(body)];
      // a cut takes away the inertia outboard: the body inboard must have its own, unless it gets it back by raking
      const bool inboard = k == 0 || model_.allows_cuts[at(path_[k - 1])];
      if (may && in_module >= grain_ && model_.may_cut[at(body)] && inboard) {
        chosen_.push_back(body);
        in_module = 0;
      }
    }
    // what is left at the top: a module of its own, or part of the one below if it is small
    if (in_module > 0 && !chosen_.empty() && model_.may_cut[at(top)]) {
      if (2 * in_module < grain_)
        chosen_.back() = top;
      else
        chosen_.push_back(top);
      in_module = 0;
    }
    if (chosen_.size() < 2) {  // one module: nothing to solve, plain articulated bodies
      chosen_.clear();
      in_module = 0;
      for (int body : path_) in_module += load_[at(body)];
    }
    for (int body : chosen_) all_.cut[at(body)] = all_.carried[at(body)] = true;
    if (!chosen_.empty()) all_.carried[at(chosen_.back())] = false;  // the topmost is raked into its parent body
    const int p = model_.parent[at(top)];
    if (p >= 0 && (chosen_.empty() || chosen_.back() != top)) load_[at(p)] += in_module;
  }

  const ModelData& model_;
  const int grain_;
  const std::vector<int>& next_;
  Cutting& all_;
  std::vector<int> load_;
  std::vector<int> path_, chosen_;
};

void cut_all(const ModelData& model, int grain, std::vector<bool>& cut) {
  const int n = static_cast<int>(model.parent.size());
  std::vector<int> load = body_counts(model), children(at(n), 0);
  for (int i = n - 1; i >= 0; --i) {
    const int p = model.parent[at(i)];
    // a cut takes away the inertia outboard: the body inboard must have its own
    cut[at(i)] = load[at(i)] >= grain && model.may_cut[at(i)] && (p < 0 || model.allows_cuts[at(p)]);
    if (children[at(i)] > 16)
      throw TooManyCuts("cuts: all makes a module with " + std::to_string(children[at(i)]) + " cut joints (at body " +
                        model.frames[at(model.body_frame[at(i)])].name +
                        "); at most 16 are solved together: take cuts: paths");
    if (p < 0) continue;
    if (cut[at(i)]) {
      ++children[at(p)];
    } else {
      load[at(p)] += load[at(i)];
      children[at(p)] += children[at(i)];
    }
  }
}

Cutting cut_bodies(const ModelData& model, const ModuleOptions& options) {
  const int n = static_cast<int>(model.parent.size());
  Cutting all{std::vector<bool>(at(n), false), std::vector<bool>(at(n), false)};
  if (options.cuts == Cuts::all) {
    cut_all(model, options.grain, all.cut);
    for (int i = 0; i < n; ++i) all.carried[at(i)] = all.cut[at(i)] && model.parent[at(i)] >= 0;
    return all;
  }
  const bool main = options.cuts == Cuts::main;
  const std::vector<int> next = main ? longest_path(model.parent) : strahler_paths(model.parent);
  int only = -1;
  if (main)  // the path begins at the root that has a next body; at any root where every tree is a single body
    for (int root : model.roots)
      if (only < 0 || next[at(root)] >= 0) only = root;
  PathCutter(model, options.grain, next, all).run(only);
  return all;
}

/// Cuts the model with all bodies in halves that may help, and puts together those whose welds were not cut.
Cutting cut_and_split(const ModelData& model, const ModuleOptions& options, Modules& modules) {
  std::vector<bool> split = bodies_worth_splitting(model);
  if (std::find(split.begin(), split.end(), true) == split.end()) return cut_bodies(model, options);
  const SplitModel most = split_bodies(model, split);
  const Cutting of_halves = cut_bodies(*most.model, options);
  for (std::size_t i = 0; i < split.size(); ++i) split[i] = split[i] && of_halves.cut[at(most.outboard[i])];
  const SplitModel left = split_bodies(model, split);
  Cutting all{std::vector<bool>(left.model->parent.size()), std::vector<bool>(left.model->parent.size())};
  const auto take = [&](int from, int to) {
    all.cut[at(to)] = of_halves.cut[at(from)], all.carried[at(to)] = of_halves.carried[at(from)];
  };
  for (std::size_t i = 0; i < split.size(); ++i) {
    take(most.inboard[i], left.inboard[i]);
    if (split[i]) take(most.outboard[i], left.outboard[i]);
  }
  if (left.model->parent.size() > model.parent.size()) modules.split = left.model;
  return all;
}

void add_notices(const ModelData& model, Modules& modules) {
  const int bodies = static_cast<int>(model.parent.size());
  const int welds = static_cast<int>(modules.parts_of(model).parent.size()) - bodies;
  int refused = 0, example = -1, because[5]{};
  for (int i = 0; i < bodies; ++i)
    if (!model.may_cut[at(i)]) {
      ++because[static_cast<int>(why_uncut(model, i))];
      if (refused++ == 0) example = i;
    }
  const auto count = [&](Uncut why) { return std::to_string(because[static_cast<int>(why)]); };
  if (refused > 0)
    modules.notices.push_back(std::to_string(refused) + " joint(s) may not be cut (" + count(Uncut::aggregate) +
                              " in aggregates, " + count(Uncut::rotor) + " with a rotor, " + count(Uncut::inertia) +
                              " by the inertia outboard); the first is \"" + model.joint_name[at(example)] +
                              "\": " + reason_uncut(model, example));
  if (welds > 0)
    modules.notices.push_back(std::to_string(welds) + " of " + std::to_string(bodies) +
                              " bodies are split in halves beside such joints");
  const int left = bodies - (static_cast<int>(modules.cuts.size()) - welds);
  if (left > 0)
    modules.notices.push_back(std::to_string(left) + " of " + std::to_string(bodies) +
                              " joints stay uncut and are swept by articulated bodies");
}

}  // namespace

std::vector<int> strahler_paths(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  // highest order among the children so far, how many have it, and which was the last of them
  std::vector<int> highest(at(n), 0), count(at(n), 0), which(at(n), -1), next(at(n), -1);
  for (int i = n - 1; i >= 0; --i) {
    const int order = count[at(i)] > 1 ? highest[at(i)] + 1 : std::max(highest[at(i)], 1);
    if (count[at(i)] == 1) next[at(i)] = which[at(i)];
    const int p = parent[at(i)];
    if (p < 0) continue;
    if (order > highest[at(p)]) {
      highest[at(p)] = order;
      count[at(p)] = 1;
      which[at(p)] = i;
    } else if (order == highest[at(p)]) {
      ++count[at(p)];
    }
  }
  return next;
}

void choose_cuts(const ModelData& model, const ModuleOptions& options, Modules& modules) {
  if (options.grain <= 0) return;
  const Cutting all = cut_and_split(model, options, modules);
  const ModelData& parts = modules.parts_of(model);
  const int n = static_cast<int>(parts.parent.size());
  for (int i = 0; i < n; ++i) {
    if (!all.cut[at(i)]) continue;
    if (modules.cut_of.empty()) modules.cut_of.assign(at(n), -1);
    modules.cut_of[at(i)] = static_cast<int>(modules.cuts.size());
    // a joint without constraint force has no column to carry: what hangs from it is separate already
    const int rows = 6 - velocity_count(parts.joint_type[at(i)]);
    modules.cuts.push_back({.body = i, .rows = rows, .carried = all.carried[at(i)] && rows > 0});
  }
  add_notices(model, modules);
}

}  // namespace kinetree::inline inner
