// From a model and a dial setting to modules, columns and steps. See cutting.cpp for which joints are cut and
// contraction.cpp for the order in which modules are merged.
#include "engine/partition/make_modules.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/contraction.hpp"
#include "engine/partition/cutting.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/partition/module_offsets.hpp"
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Splits uncut parts where about `task_bodies` have come together and no column passes. A body whose parent has no
/// other child stays with it: nothing would run beside it.
std::vector<bool> task_bases(const ModelData& model, const Modules& m, const ModuleOptions& options) {
  const int n = static_cast<int>(model.parent.size());
  std::vector<bool> base(at(n), false);
  std::vector<int> load(at(n), 1);
  for (int i = n - 1; i >= 0; --i) {
    const bool cut = m.any_cut() && m.cut_of[at(i)] >= 0;
    const bool passed = m.any_cut() && m.passing[at(i)].end > m.passing[at(i)].begin;
    const int p = model.parent[at(i)];
    if (cut || passed || p < 0) continue;
    if (aggregate_of(model, i) >= 0) {  // its members are swept together
      load[at(p)] += load[at(i)];
      continue;
    }
    const bool alone = model.children_of(p).size() == 1;
    if (options.task_bodies > 0 && load[at(i)] >= options.task_bodies && (!alone || options.split_chains))
      base[at(i)] = true;
    else
      load[at(p)] += load[at(i)];
  }
  return base;
}

/// Over bodies, the columns that pass: those of carried cut joints outboard with no other cut joint in between.
void find_passing(const ModelData& model, Modules& m) {
  const int n = static_cast<int>(model.parent.size());
  m.passing.assign(at(n), {});
  // the numerical module of a body is named by its base: the nearest cut body above, or its root
  std::vector<int> base(at(n)), bodies(at(n));
  for (int i = 0; i < n; ++i) {
    const int p = model.parent[at(i)];
    const int a = p >= 0 ? -1 : aggregate_of(model, i);  // of several roots, maybe
    base[at(i)] = a >= 0 ? model.aggregates[at(a)].bodies.front() : p < 0 || m.cut_of[at(i)] >= 0 ? i : base[at(p)];
  }
  for (const int b : base) ++bodies[at(b)];
  // carried cuts grouped by that base, ascending; lambda of each group consecutive. Columns of a long module are
  // written at each of its bodies: they share no line of the cache with those of another.
  bool last_is_long = false;
  const auto set_apart = [&](bool is_long) {
    constexpr int line = 16;  // numbers, in float too
    if (m.lambda_count > 0 && (is_long || last_is_long)) m.lambda_count += line;
    last_is_long = is_long;
  };
  constexpr int many = 32;  // bodies
  std::vector<std::vector<int>> below(at(n));
  for (int k = 0; k < static_cast<int>(m.cuts.size()); ++k)
    if (m.cuts[at(k)].carried) below[at(base[at(model.parent[at(m.cuts[at(k)].body)])])].push_back(k);
  for (int b = 0; b < n; ++b) {
    if (below[at(b)].empty()) continue;
    set_apart(bodies[at(b)] >= many);
    int width = 0;
    for (int k : below[at(b)]) {
      CutJoint& cut = m.cuts[at(k)];
      cut.lambda = m.lambda_count;
      m.lambda_count += cut.rows;
      // every body from the parent of the cut up to the base sees these columns; ascending bodies keep ranges
      // contiguous
      for (int i = model.parent[at(cut.body)]; i >= 0; i = model.parent[at(i)]) {
        Passing& p = m.passing[at(i)];
        if (p.end == p.begin) p.begin = width;
        p.end = width + cut.rows;
        if (i == b) break;
      }
      width += cut.rows;
    }
  }
  set_apart(false);
  for (CutJoint& cut : m.cuts)
    if (!cut.carried) {
      cut.lambda = m.lambda_count;
      m.lambda_count += cut.rows;
    }
  give_epsilon(model, m);
}

}  // namespace

Modules make_modules(const ModelData& model, const ModuleOptions& options) {
  Modules m;
  choose_cuts(model, options, m);
  const ModelData& parts = m.parts_of(model);
  if (m.any_cut()) find_passing(parts, m);
  list_modules(parts, task_bases(parts, m, options), m);
  if (options.processes > 1)
    share_out(options.processes, options.module_work ? options.module_work(parts, m) : std::vector<double>{}, m);
  make_steps(parts, options.elimination, m);
  return m;
}

}  // namespace kinetree::inline inner
