#include "parallel/dependences.hpp"

#include <utility>

#include "engine/scalar/index.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {
namespace {

int add(Dependences& d, Dependences::Node node) {
  d.nodes.push_back(std::move(node));
  return static_cast<int>(d.nodes.size()) - 1;
}

/// One node that all ends so far lead to.
int join(Dependences& d) { return d.ends.size() == 1 ? d.ends[0] : add(d, {.predecessors = d.ends}); }

}  // namespace

Dependences by_neighbours(std::span<const Pass> passes, const Tasks& tasks) {
  const auto n = at(tasks.count());
  std::vector<bool> leaf(n, true);
  for (int p : tasks.parent)
    if (p >= 0) leaf[at(p)] = false;

  Dependences d;
  std::vector<int> nodes;  // of the pass before, over tasks; empty at first, and after a pass without steps
  Direction last = Direction::once;
  const auto link = [&](int from, int to) { d.nodes[at(to)].predecessors.push_back(from); };
  for (int pass = 0; pass < static_cast<int>(passes.size()); ++pass) {
    const Direction direction = passes[at(pass)].direction;
    if (direction == Direction::once) {
      d.ends = {add(d, {pass, -1, d.ends})};
      nodes.clear();
      continue;
    }
    const bool carries = !nodes.empty() && direction != last && direction != Direction::each && last != Direction::each;
    const int joined = carries ? -1 : join(d);
    const std::vector<int> previous = std::move(nodes);
    nodes.assign(n, -1);
    for (std::size_t t = 0; t < n; ++t) nodes[t] = add(d, {pass, static_cast<int>(t)});
    d.ends.clear();
    for (std::size_t t = 0; t < n; ++t) {
      const int p = tasks.parent[t];
      const bool gather = direction == Direction::gather, scatter = direction == Direction::scatter;
      const bool first = gather ? leaf[t] : scatter ? p < 0 : true;
      const bool final = gather ? p < 0 : scatter ? leaf[t] : true;
      if (first) link(carries ? previous[t] : joined, nodes[t]);
      if (final) d.ends.push_back(nodes[t]);
      if (p >= 0 && gather) link(nodes[t], nodes[at(p)]);
      if (p >= 0 && scatter) link(nodes[at(p)], nodes[t]);
    }
    last = direction;
  }
  return d;
}

Dependences by_levels(std::span<const Pass> passes, const Tasks& tasks) {
  Stages stages;
  stages.prepare(passes, nullptr, tasks);
  Dependences d;
  int joined = 0;
  std::size_t last_stage = 0;
  int last_index = -1;
  stages.for_runs([&](std::size_t stage, int index, int pass, int task) {
    if (stage != last_stage) {
      joined = join(d);
      last_index = -1;
    }
    const bool begins = last_index < 0, goes_on = index == last_index;
    if (begins) d.ends.clear();
    const int node = add(d, {pass, task, {goes_on ? d.ends.back() : joined}});
    if (goes_on)
      d.ends.back() = node;
    else
      d.ends.push_back(node);
    last_stage = stage, last_index = index;
  });
  return d;
}

Dependences dependences(std::span<const Pass> passes, const Tasks& tasks, ExecutorKind executor) {
  return waits_for_levels(executor, static_cast<int>(tasks.levels.size())) ? by_levels(passes, tasks)
                                                                           : by_neighbours(passes, tasks);
}

}  // namespace kinetree::inline inner
