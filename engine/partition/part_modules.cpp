#include "engine/partition/part_modules.hpp"

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

void add_step(Modules& all, int parent, const std::vector<int>& bodies) {
  const int index = static_cast<int>(all.steps.size()), first = static_cast<int>(all.ranges.size());
  for (const int i : bodies) {
    if (static_cast<int>(all.ranges.size()) > first && all.ranges.back().end == i)
      ++all.ranges.back().end;
    else
      all.ranges.push_back({i, i + 1});
    all.module_of[at(i)] = index;
  }
  all.modules.push_back({.base = bodies.empty() ? 0 : bodies.front(),
                         .first_range = first,
                         .last_range = static_cast<int>(all.ranges.size()),
                         .step = index});
  all.steps.push_back({.parent = parent, .module = index, .top_module = index});
}

}  // namespace

Modules modules_of_parts(int bodies, const std::vector<PartStep>& steps) {
  Modules all;
  all.module_of.assign(at(bodies), static_cast<int>(steps.size()));
  std::vector<bool> taken(at(bodies), false);
  for (const PartStep& step : steps) {
    add_step(all, step.parent < 0 ? static_cast<int>(steps.size()) : step.parent, step.bodies);
    for (const int i : step.bodies) taken[at(i)] = true;
  }
  std::vector<int> rest;
  for (int i = 0; i < bodies; ++i)
    if (!taken[at(i)]) rest.push_back(i);
  add_step(all, -1, rest);
  return all;
}

Modules module_of_pattern(int bodies) {
  Modules modules;
  modules.ranges = {{1, bodies}};
  modules.modules = {{.base = 1, .last_range = 1, .step = 0}};
  modules.steps = {{.module = 0, .top_module = 0}};
  return modules;
}

Modules module_between_cuts(const std::vector<int>& velocities) {
  Modules modules;
  constexpr int base = 1;
  const int bodies = static_cast<int>(velocities.size()), rows = 6 - velocities[base];
  modules.cuts = {{.body = base, .rows = rows, .lambda = 0},
                  {.body = bodies - 1, .rows = rows, .carried = true, .lambda = rows}};
  modules.cut_of.assign(at(bodies), -1);
  modules.cut_of[base] = 0, modules.cut_of.back() = 1;
  modules.carried = {1};
  modules.boundary = {0, 1};
  modules.ranges = {{base, bodies - 1}};
  modules.modules = {
      {.base = base, .cut = 0, .last_range = 1, .last_carried = 1, .lambda = rows, .columns = rows, .step = 0}};
  modules.passing.resize(at(bodies));
  for (int i = base; i < bodies - 1; ++i) {
    modules.passing[at(i)] = {0, rows, modules.epsilon_count};
    modules.epsilon_count += at(rows * velocities[at(i)]);
  }
  modules.lambda_count = 2 * rows;
  modules.omega_count = at(rows * rows);
  const auto matrix = at(4 * rows * rows), vector = at(2 * rows);
  modules.steps = {{.module = 0, .top_module = 0, .last_boundary = 2, .size = 2 * rows},
                   {.closes = 0, .size = rows, .matrix = matrix, .vector = vector}};
  modules.matrix_count = matrix + at(rows * rows);
  modules.vector_count = vector + at(rows);
  return modules;
}

}  // namespace kinetree::inline inner
