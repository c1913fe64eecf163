#include "parallel/tasks.hpp"

#include <algorithm>
#include <kinetree/model.hpp>

#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
double step_weight(const Modules& modules, const Step& step) {
  if (step.module < 0) return 2;  // a merge of two 5-row joints costs about as much as two bodies
  const Module& module = modules.modules[at(step.module)];
  const double bodies = body_count(modules, module);
  return module.columns > 0 ? 1.6 * bodies : bodies;
}

std::vector<double> task_weights(const Tasks& tasks, const Modules& modules) {
  std::vector<double> weight(tasks.parent.size(), 0);
  for (int t = 0; t < tasks.count(); ++t)
    tasks.for_steps(t, [&](int s) { weight[at(t)] += step_weight(modules, modules.steps[at(s)]); });
  return weight;
}

Tasks make_tasks(const Modules& modules, double weight) {
  const int count = static_cast<int>(modules.steps.size());
  // `open` and `current` have an entry for each step, and after these one for the ground.
  const auto parent_of = [&](int s) { return modules.steps[at(s)].parent < 0 ? count : modules.steps[at(s)].parent; };
  std::vector<double> open(at(count + 1), 0);   // weight of children that wait in the current group
  std::vector<int> current(at(count + 1), -1);  // that group
  std::vector<int> group(at(count), -1);        // over steps: the group it waits in; -1: a task of its own
  std::vector<bool> closed;                     // over groups: whether it has become a task
  for (int s = 0; s < count; ++s) {
    const double rest = step_weight(modules, modules.steps[at(s)]) + open[at(s)];
    if (rest >= weight) continue;
    const int p = parent_of(s);
    if (current[at(p)] < 0) {
      current[at(p)] = static_cast<int>(closed.size());
      closed.push_back(p == count);  // a group at the ground is a task in any case: it has no step to join
    }
    group[at(s)] = current[at(p)];
    open[at(p)] += rest;
    if (open[at(p)] >= weight) {
      closed[at(current[at(p)])] = true;
      current[at(p)] = -1;
      open[at(p)] = 0;
    }
  }
  Tasks tasks;
  std::vector<int> task_of(at(count)), task_of_group(closed.size(), -1);
  for (int s = count - 1; s >= 0; --s) {
    const int p = modules.steps[at(s)].parent, g = group[at(s)];
    const int above = p < 0 ? -1 : task_of[at(p)];
    if (g >= 0 && !closed[at(g)]) {
      task_of[at(s)] = above;
      continue;
    }
    if (g >= 0 && task_of_group[at(g)] >= 0) {
      task_of[at(s)] = task_of_group[at(g)];
      continue;
    }
    task_of[at(s)] = tasks.count();
    if (g >= 0) task_of_group[at(g)] = tasks.count();
    tasks.parent.push_back(above);
  }
  std::vector<std::vector<Range>> ranges(tasks.parent.size());
  for (int s = 0; s < count; ++s) {
    std::vector<Range>& r = ranges[at(task_of[at(s)])];
    if (!r.empty() && r.back().end == s)
      r.back().end = s + 1;
    else
      r.push_back({s, s + 1});
  }
  tasks.first_range.push_back(0);
  for (const std::vector<Range>& r : ranges) {
    tasks.ranges.insert(tasks.ranges.end(), r.begin(), r.end());
    tasks.first_range.push_back(static_cast<int>(tasks.ranges.size()));
  }
  tasks.weight = task_weights(tasks, modules);
  std::vector<int> level(tasks.parent.size(), 0);
  for (int t = 0; t < tasks.count(); ++t) {  // parents were numbered first
    level[at(t)] = tasks.parent[at(t)] < 0 ? 0 : level[at(tasks.parent[at(t)])] + 1;
    if (level[at(t)] >= static_cast<int>(tasks.levels.size())) tasks.levels.emplace_back();
    tasks.levels[at(level[at(t)])].push_back(t);
  }
  return tasks;
}

int task_bodies(const Model& model, int threads) { return std::max(16, model.body_count() / (8 * threads)); }

}  // namespace kinetree::inline inner
