#include "engine/algorithm/solver/step_operations.hpp"

#include <algorithm>
#include <cstdint>
#include <kinetree/finding.hpp>
#include <mutex>
#include <utility>

#include "engine/model/digest.hpp"
#include "engine/partition/lane_group.hpp"
#include "engine/partition/module_offsets.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

enum Kind : int { node, open_columns, merge, rake };  // of specimens

/// An aggregate that takes more is not embedded to be counted, which might take seconds.
constexpr double most_counted = 1e8;

/// A digest of the numbers of an aggregate with loops: elimination passes over those that are zero.
std::uint64_t numbers_of(const ModelData& m, const Aggregate& a) {
  Digest digest;
  for (const int i : a.bodies) {
    digest.add(m.link[at(i)].X_tree);
    for (int q = m.q_index[at(i)]; q < m.q_index[at(i + 1)] && !m.assembled.empty(); ++q)
      digest.add(m.assembled[at(q)]);
  }
  for (const int l : a.loops) digest.add(m.loops[at(l)].X_first), digest.add(m.loops[at(l)].X_second);
  for (const int v : a.independent) digest.add(a.chosen_by_user ? v - m.v_index[at(a.bodies.front())] : -1);
  return digest.value();
}

/// All that decides which operations move things across a joint and eliminate it.
int shape_of(const ModelData& m, int i) {
  const Link<double>& link = m.link[at(i)];
  const AxialPlacement<double>& p = link.placement;
  int shape = static_cast<int>(kind_of(m.joint_type[at(i)]));
  const auto add = [&](int what, int of) { shape = shape * of + what; };
  add(m.armature[at(m.v_index[at(i)])] != 0, 2);
  add(link.axial, 2);
  if (!link.axial) return -shape;
  add(p.outboard_slides, 2), add(p.x_slides, 2), add(p.inboard_slides, 2);
  add(static_cast<int>(p.x_turn), 5), add(static_cast<int>(p.inboard_turn), 5);
  return shape;
}

/// Of a node's members, one body or an aggregate's.
std::span<const int> members(const ModelData& m, const int& i, int aggregate) {
  if (aggregate < 0) return {&i, 1};
  return m.aggregates[at(aggregate)].bodies;
}

}  // namespace

double least_operations_embedded(const Aggregate& a) {
  const double n = a.freedoms;
  return a.velocities * n * (n + 1);
}

StepOperations::StepOperations(const ModelData& model, const Modules& modules, std::vector<bool> multipliers)
    : m_(model), modules_(modules), multipliers_(std::move(multipliers)) {
  if (!m_.aggregates.empty()) units_.emplace(m_, std::vector<bool>{});
}

Operations StepOperations::of(const Step& step) {
  Operations sum;
  if (step.module >= 0) {
    const Module& module = modules_.modules[at(step.module)];
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i) sum += of_node(i);
    if (module.cut < 0 && module.columns > 0) sum += of_open_columns(module);
  } else {
    sum += of_merge(step);
  }
  if (step.closes >= 0) sum += of_rake(modules_.cuts[at(step.closes)]);
  return sum;
}

/// By key_, else by count().
const Operations& StepOperations::known(const std::function<Operations()>& count) {
  const auto [mine, fresh] = counts_.try_emplace(key_);
  if (!fresh) return mine->second;
  static std::mutex mutex;
  static std::map<Key, Operations> all;
  const std::lock_guard lock(mutex);
  const auto [found, first] = all.try_emplace(key_);
  if (first) found->second = count();
  return mine->second = found->second;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

bool StepOperations::contributes(int i) const {
  const int a = aggregate_of(m_, i);
  return a < 0 || by_multipliers(a) || m_.aggregates[at(a)].bodies.front() == i;
}

template <class Use>
void StepOperations::for_columns(int i, Use&& use) const {
  const Passing pass = passing(i);
  if (pass.end == pass.begin) return;
  const Module& module = modules_.modules[at(modules_.module_of[at(i)])];
  for (int c = module.first_carried; c < module.last_carried; ++c) {
    const int cut = modules_.carried[at(c)], column = modules_.cuts[at(cut)].lambda - module.lambda;
    if (column >= pass.begin && column < pass.end) use(cut, column);
  }
}

template <class Use>
void StepOperations::for_outboard(int i, int aggregate, Use&& use) const {
  for (const int child : m_.children_of(i))
    if ((aggregate < 0 || aggregate_of(m_, child) != aggregate) && contributes(child)) use(child);
}

const Operations& StepOperations::of_node(int i) {
  static const Operations none;
  const int a = aggregate_of(m_, i);
  if (a >= 0 && m_.aggregates[at(a)].bodies.front() != i) return none;
  name_node(i, a);
  return known([&] { return count_node(i, a); });
}

/// Nodes with equal names take equally many operations.
void StepOperations::name_node(int i, int aggregate) {
  key_ = {node, modules_.any_cut(), m_.parent[at(i)] < 0, cut_of(i) >= 0, passing(i).begin};
  if (aggregate >= 0) {
    const Key own = units_->key(i);
    key_.insert(key_.end(), own.begin(), own.end());
    key_.push_back(by_multipliers(aggregate));
    if (const Aggregate& a = m_.aggregates[at(aggregate)]; !a.constant()) {
      const std::uint64_t numbers = numbers_of(m_, a);
      key_.insert(key_.end(), {static_cast<int>(numbers), static_cast<int>(numbers >> 32)});
    }
  } else {
    key_.back() = 0;
  }
  for (const int member : members(m_, i, aggregate)) {
    const Passing pass = passing(member);
    int plain = 0;
    key_.insert(key_.end(), {shape_of(m_, member), pass.end - pass.begin, aggregate < 0 ? 0 : pass.begin});
    for_columns(member, [&](int, int column) { key_.push_back(column - pass.begin); });
    key_.push_back(-1);
    for_outboard(member, aggregate, [&](int child) {
      if (const int cut = cut_of(child); cut >= 0)
        key_.insert(key_.end(), {shape_of(m_, child), modules_.cuts[at(cut)].carried});
      else
        ++plain;
    });
    key_.insert(key_.end(), {plain, static_cast<int>(m_.children_of(member).size())});
  }
}

Operations StepOperations::count_node(int first, int aggregate) const {
  const bool embeds = aggregate >= 0 && !by_multipliers(aggregate);
  if (embeds && least_operations_embedded(m_.aggregates[at(aggregate)]) > most_counted) {
    Operations bound;
    bound.of[Pass::articulate] = least_operations_embedded(m_.aggregates[at(aggregate)]);
    return bound;
  }
  // the members; what hangs from each; and, of columns that begin further out, the cut joints
  LaneGroup group;
  std::map<int, int> body;     // of the model, to the specimen's
  std::map<int, int> columns;  // of the module, to cut joints
  const auto add = [&](int parent, int i) {
    group.add_place(m_, parent - 1, {i});
    return body[i] = group.places();
  };
  bool multipliers = aggregate >= 0 && !embeds;  // all in the specimen or none
  std::vector<int> raked;
  for (const int i : members(m_, first, aggregate)) {
    const auto inboard = body.find(m_.parent[at(i)]);
    const int own = add(inboard == body.end() ? 0 : inboard->second, i);
    for_columns(i, [&](int cut, int column) { columns[column] = cut; });
    for_outboard(i, aggregate, [&](int child) {
      if (const int cut = cut_of(child); cut >= 0) {
        add(own, child);
        if (!modules_.cuts[at(cut)].carried) raked.push_back(cut);
        return;
      }
      const int tied = modules_.any_cut() ? aggregate_of(m_, child) : -1;  // whole, where all members are felt
      if (tied >= 0 && m_.aggregates[at(tied)].bodies.front() != child) return;
      if (tied >= 0) group.aggregate.push_back({tied}), multipliers = multipliers || (!embeds && by_multipliers(tied));
      for (const int m : members(m_, child, tied)) {
        const int outboard = add(body.contains(m_.parent[at(m)]) ? body[m_.parent[at(m)]] : own, m);
        for_columns(m, [&](int further, int) {
          if (!body.contains(modules_.cuts[at(further)].body)) add(outboard, modules_.cuts[at(further)].body);
        });
      }
    });
  }
  if (aggregate >= 0) group.aggregate.push_back({aggregate});
  Specimen s(m_, group, m_.parent[at(first)] < 0);
  Module& module = s.modules.modules.front();
  for (const int i : members(m_, first, aggregate)) s.sweep(body[i]);
  if (modules_.any_cut()) {
    s.use_dial();
    const auto cut = [&](int index, bool carried) {
      return s.cut(body[modules_.cuts[at(index)].body], modules_.cuts[at(index)].rows, carried);
    };
    std::vector<int> open;
    if (cut_of(first) >= 0) open.push_back(module.cut = cut(cut_of(first), false));
    module.lambda = s.modules.lambda_count;
    for (const auto& [column, index] : columns) open.push_back(cut(index, true));
    s.carry(s.modules.lambda_count - module.lambda);
    for (const int index : raked) cut(index, false);
    for (const int i : members(m_, first, aggregate)) {
      const Passing pass = passing(i);
      const int begin = columns.empty() ? 0 : columns.begin()->first;
      s.modules.passing[at(body[i])] = {pass.begin - begin, pass.end - begin};
    }
    give_epsilon(s.model, s.modules);
    s.open(0, open);
    if (module.cut < 0) s.modules.steps.front().size = 0;  // the module's system is not this node's
  }
  return s.count(multipliers ? Loops::multipliers : Loops::embed);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

/// The system of a module that stands on the ground.
const Operations& StepOperations::of_open_columns(const Module& module) {
  key_ = {open_columns, module.columns};
  return known([&] {
    LaneGroup group;
    group.add_place(m_, -1, {module.base});
    Specimen s(m_, group, false);
    s.use_dial();
    s.carry(module.columns);
    s.open(0, {s.cut(1, module.columns, true)});
    return s.count(Loops::embed);
  });
}

const Operations& StepOperations::of_merge(const Step& step) {
  const Step* both[] = {&modules_.steps[at(step.upper)], &modules_.steps[at(step.lower)]};
  key_ = {merge};
  for (const Step* s : both) {
    for (int o = s->first_boundary; o < s->last_boundary; ++o) {
      const int cut = modules_.boundary[at(o)], rows = modules_.cuts[at(cut)].rows;
      key_.push_back(cut == step.cut ? -1 - rows : rows);
    }
    key_.push_back(-1);
  }
  return known([&] {
    LaneGroup group;
    group.add_place(m_, -1, {modules_.cuts[at(step.cut)].body});
    Specimen s(m_, group, false);
    s.use_dial();
    std::map<int, int> cut;  // of the model, to the specimen's
    std::vector<int> open[2], left;
    for (const int k : {0, 1})
      for (int o = both[k]->first_boundary; o < both[k]->last_boundary; ++o) {
        const int c = modules_.boundary[at(o)];
        if (!cut.contains(c)) cut[c] = s.cut(1, modules_.cuts[at(c)].rows, true);
        open[k].push_back(cut[c]);
        if (c != step.cut) left.push_back(cut[c]);
      }
    s.modules.modules.front().step = 2;
    s.modules.steps = {{.top_module = 0, .upper = 2, .lower = 1, .cut = cut[step.cut]},
                       {.parent = 0, .module = 1, .top_module = 1},
                       {.parent = 0, .module = 0, .top_module = 0}};
    s.open(2, open[0]), s.open(1, open[1]), s.open(0, left);
    return s.count(Loops::embed, true);
  });
}

/// A finished group of modules, into the body it hangs from.
const Operations& StepOperations::of_rake(const CutJoint& cut) {
  const bool on_ground = m_.parent[at(cut.body)] < 0;
  key_ = {rake, on_ground, cut.rows, shape_of(m_, cut.body)};
  return known([&] {
    LaneGroup group;
    group.add_place(m_, -1, {cut.body});
    Specimen s(m_, group, on_ground);
    s.use_dial();
    const int own = s.modules.steps.front().closes = s.cut(1, cut.rows, false);
    s.open(0, {own});
    return s.count(Loops::embed);
  });
}

}  // namespace kinetree::inline inner
