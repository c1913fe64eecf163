#include "engine/partition/module_list.hpp"

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

void list_modules(const ModelData& model, const std::vector<bool>& task_base, Modules& m) {
  m.module_of.assign(model.parent.size(), -1);
  std::vector<std::vector<int>> bodies;  // over modules
  for (int i = 0; i < static_cast<int>(model.parent.size()); ++i) {
    const int p = model.parent[at(i)], aggregate = p < 0 ? aggregate_of(model, i) : -1;
    int& own = m.module_of[at(i)];
    if (const int first = aggregate < 0 ? i : model.aggregates[at(aggregate)].bodies.front(); first < i)
      own = m.module_of[at(first)];  // several roots, one aggregate
    else if (p >= 0 && !(m.any_cut() && m.cut_of[at(i)] >= 0) && !task_base[at(i)])
      own = m.module_of[at(p)];
    else
      own = static_cast<int>(bodies.size()), bodies.emplace_back();
    bodies[at(own)].push_back(i);
  }
  for (const std::vector<int>& own : bodies) add_module(m, own);
  list_carried(model, m);
}

void add_module(Modules& all, const std::vector<int>& bodies) {
  const int index = static_cast<int>(all.modules.size()), first = static_cast<int>(all.ranges.size());
  for (const int i : bodies) {
    if (static_cast<int>(all.ranges.size()) > first && all.ranges.back().end == i)
      ++all.ranges.back().end;
    else
      all.ranges.push_back({i, i + 1});
    all.module_of[at(i)] = index;
  }
  all.modules.push_back({.base = bodies.front(),
                         .cut = all.any_cut() ? all.cut_of[at(bodies.front())] : -1,
                         .first_range = first,
                         .last_range = static_cast<int>(all.ranges.size())});
}

std::vector<JointCut> joint_cuts(const Modules& m) {
  std::vector<JointCut> all;
  for (const int cut : m.cut_of)
    all.push_back(cut < 0 ? JointCut::none : m.cuts[at(cut)].carried ? JointCut::carried : JointCut::raked);
  return all;
}

void list_carried(const ModelData& model, Modules& m) {
  std::vector<std::vector<int>> carried(m.modules.size());
  for (int k = 0; k < static_cast<int>(m.cuts.size()); ++k)
    if (m.cuts[at(k)].carried) carried[at(m.module_of[at(model.parent[at(m.cuts[at(k)].body)])])].push_back(k);
  for (std::size_t k = 0; k < m.modules.size(); ++k) {
    Module& module = m.modules[k];
    module.first_carried = static_cast<int>(m.carried.size());
    for (int cut : carried[k]) {
      if (module.columns == 0) module.lambda = m.cuts[at(cut)].lambda;
      module.columns += m.cuts[at(cut)].rows;
      m.carried.push_back(cut);
    }
    module.last_carried = static_cast<int>(m.carried.size());
    module.omega = m.omega_count;
    m.omega_count += at(module.columns) * at(module.columns);
  }
}

}  // namespace kinetree::inline inner
