#include "engine/partition/module_list.hpp"

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

void list_modules(const ModelData& model, const std::vector<bool>& task_base, Modules& m) {
  const int n = static_cast<int>(model.parent.size());
  m.module_of.assign(at(n), -1);
  for (int i = 0; i < n; ++i) {
    const int p = model.parent[at(i)];
    const int cut = m.any_cut() ? m.cut_of[at(i)] : -1;
    const int aggregate = p >= 0 ? -1 : aggregate_of(model, i);
    if (const int first = aggregate < 0 ? i : model.aggregates[at(aggregate)].bodies.front(); first < i) {
      m.module_of[at(i)] = m.module_of[at(first)];  // several roots, one aggregate
    } else if (p < 0 || cut >= 0 || task_base[at(i)]) {
      m.module_of[at(i)] = static_cast<int>(m.modules.size());
      m.modules.push_back({.base = i, .cut = cut});
    } else {
      m.module_of[at(i)] = m.module_of[at(p)];
    }
  }
  // ranges of bodies: a module's next range starts wherever its predecessor in the numbering is another module's
  std::vector<int> count(m.modules.size(), 0);
  for (int i = 0; i < n; ++i)
    if (i == 0 || m.module_of[at(i)] != m.module_of[at(i - 1)]) ++count[at(m.module_of[at(i)])];
  int total = 0;
  for (std::size_t k = 0; k < m.modules.size(); ++k) {
    m.modules[k].first_range = m.modules[k].last_range = total;
    total += count[k];
  }
  m.ranges.resize(at(total));
  for (int i = 0; i < n; ++i) {
    Module& module = m.modules[at(m.module_of[at(i)])];
    if (i == 0 || m.module_of[at(i)] != m.module_of[at(i - 1)]) m.ranges[at(module.last_range++)].begin = i;
    m.ranges[at(module.last_range - 1)].end = i + 1;
  }
  // carried cuts by module
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

void add_module(Modules& all, const std::vector<int>& bodies) {
  const int index = static_cast<int>(all.modules.size()), first = static_cast<int>(all.ranges.size());
  for (const int i : bodies) {
    if (static_cast<int>(all.ranges.size()) > first && all.ranges.back().end == i)
      ++all.ranges.back().end;
    else
      all.ranges.push_back({i, i + 1});
    all.module_of[at(i)] = index;
  }
  all.modules.push_back(
      {.base = bodies.front(), .first_range = first, .last_range = static_cast<int>(all.ranges.size())});
}

}  // namespace kinetree::inline inner
