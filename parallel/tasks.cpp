#include "parallel/tasks.hpp"

#include <algorithm>
#include <numeric>

#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {
std::vector<double> task_work(const Tasks& tasks, const std::vector<double>& work) {
  std::vector<double> sum(tasks.parent.size(), 0);
  for (int t = 0; t < tasks.count(); ++t) tasks.for_steps(t, [&](int s) { sum[at(t)] += work[at(s)]; });
  return sum;
}

Tasks make_tasks(const Modules& modules, const std::vector<double>& work, double least) {
  const int count = static_cast<int>(modules.steps.size());
  // `open` and `current` have an entry for each step, and after these one for the ground.
  const auto parent_of = [&](int s) { return modules.steps[at(s)].parent < 0 ? count : modules.steps[at(s)].parent; };
  std::vector<double> open(at(count + 1), 0);   // work of children that wait in the current group
  std::vector<int> current(at(count + 1), -1);  // that group
  std::vector<int> group(at(count), -1);        // over steps: the group it waits in; -1: a task of its own
  std::vector<bool> closed;                     // over groups: whether it has become a task
  for (int s = 0; s < count; ++s) {
    const double rest = (work.empty() ? 0 : work[at(s)]) + open[at(s)];
    if (!work.empty() && rest >= least) continue;
    const int p = parent_of(s);
    if (current[at(p)] < 0) {
      current[at(p)] = static_cast<int>(closed.size());
      closed.push_back(p == count);  // a group at the ground is a task in any case: it has no step to join
    }
    group[at(s)] = current[at(p)];
    open[at(p)] += rest;
    if (!work.empty() && open[at(p)] >= least) {
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
  if (!work.empty()) tasks.weight = task_work(tasks, work);
  std::vector<int> level(tasks.parent.size(), 0);
  for (int t = 0; t < tasks.count(); ++t) {  // parents were numbered first
    level[at(t)] = tasks.parent[at(t)] < 0 ? 0 : level[at(tasks.parent[at(t)])] + 1;
    if (level[at(t)] >= static_cast<int>(tasks.levels.size())) tasks.levels.emplace_back();
    tasks.levels[at(level[at(t)])].push_back(t);
  }
  return tasks;
}

double task_operations(double all, int threads) {
  return std::max(price::least_task * operations_of_a_body(), all / (price::tasks_a_thread * threads));
}

Tasks shared_out(const Modules& modules, const std::vector<double>& work, int threads) {
  return make_tasks(modules, work, task_operations(std::accumulate(work.begin(), work.end(), 0.0), threads));
}

int task_bodies(int bodies, int threads) {
  return std::max(price::least_task, bodies / (price::tasks_a_thread * threads));
}

}  // namespace kinetree::inline inner
