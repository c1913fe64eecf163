#include "parallel/work_and_span.hpp"

#include <algorithm>

#include "engine/scalar/index.hpp"
#include "parallel/clock.hpp"
#include "parallel/prices.hpp"
#include "parallel/readings.hpp"

namespace kinetree::inline inner {
namespace {

double median(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

/// The median time between two readings of the clock in a row.
double clock_overhead_ns() {
  std::vector<double> between(1001);
  Clock::time_point last = Clock::now();
  for (double& ns : between) {
    const Clock::time_point now = Clock::now();
    ns = Elapsed{last, now}.ns();
    last = now;
  }
  return median(between);
}

/// Calls done(pass, task) after each task of each pass. A parent's number is smaller than its children's.
template <class Done>
void run_tasks(const TimedRun& run, Done&& done) {
  for (std::size_t p = 0; p < run.passes.size(); ++p) {
    const Pass& pass = run.passes[p];
    const int count = run.tasks.count();
    if (pass.direction == Direction::once) {
      pass.kernel(run.space, -1);
      done(p, 0);
    } else if (pass.direction == Direction::gather) {
      for (int t = count - 1; t >= 0; --t) run.tasks.run(pass, run.space, t), done(p, t);
    } else {
      for (int t = 0; t < count; ++t) run.tasks.run(pass, run.space, t), done(p, t);
    }
  }
}

/// The length of the longest path through the dependences. A path is as long as the sum of node(k) over its nodes and
/// of edge(from, to) over its edges, in nanoseconds. `successors`: over nodes, the nodes that wait for each.
template <class OfNode, class OfEdge>
double longest_path(const Dependences& d, const std::vector<std::vector<int>>& successors, OfNode&& node,
                    OfEdge&& edge) {
  std::vector<std::size_t> waits(d.nodes.size());
  std::vector<double> end(d.nodes.size(), 0);
  std::vector<int> ready;
  for (std::size_t k = 0; k < d.nodes.size(); ++k)
    if ((waits[k] = d.nodes[k].predecessors.size()) == 0) ready.push_back(static_cast<int>(k));
  double last = 0;
  while (!ready.empty()) {
    const int k = ready.back();
    ready.pop_back();
    double begin = 0;
    for (const int from : d.nodes[at(k)].predecessors) begin = std::max(begin, end[at(from)] + edge(from, k));
    end[at(k)] = begin + node(k);
    last = std::max(last, end[at(k)]);
    for (const int to : successors[at(k)])
      if (--waits[at(to)] == 0) ready.push_back(to);
  }
  return last;
}

}  // namespace

Burden burden_of(const SchedulingCost& cost, int threads) {
  return {fork_join_ns(cost, threads), cost.task, cost.meet};
}

WorkAndSpan work_and_span(const Dependences& d, const TaskTimes& ns, const Burden& burden) {
  std::vector<std::vector<int>> successors(d.nodes.size());
  for (std::size_t k = 0; k < d.nodes.size(); ++k)
    for (const int from : d.nodes[k].predecessors) successors[at(from)].push_back(static_cast<int>(k));
  const auto runs = [&](int k) { return d.nodes[at(k)].pass >= 0; };
  const auto ns_of = [&](int k) {
    const Dependences::Node& node = d.nodes[at(k)];
    return runs(k) ? ns[at(node.pass)][at(std::max(node.task, 0))] : 0.0;
  };
  // An edge from the start costs nothing here, since burden.run counts it. An edge to a barrier costs nothing either,
  // since the edges from the barrier cost.
  const auto of_edge = [&](int from, int to) {
    const bool forks_or_joins =
        !runs(from) || successors[at(from)].size() > 1 || d.nodes[at(to)].predecessors.size() > 1;
    return from != 0 && runs(to) && forks_or_joins ? burden.edge : 0.0;
  };
  WorkAndSpan all;
  for (int k = 0; k < static_cast<int>(d.nodes.size()); ++k) all.work_ns += ns_of(k);
  all.span_ns = longest_path(d, successors, ns_of, [](int, int) { return 0.0; });
  all.burdened_span_ns = longest_path(
                             d, successors, [&](int k) { return runs(k) ? ns_of(k) + burden.task : 0.0; }, of_edge) +
                         burden.run + (d.ends.size() > 1 ? burden.edge : 0);
  return all;
}

TaskTimes task_times(const TimedRun& run, double seconds) {
  constexpr int fewest = 5, most = 1000;
  std::vector<std::vector<std::vector<double>>> all(run.passes.size());  // over passes, tasks, runs
  for (std::size_t p = 0; p < run.passes.size(); ++p)
    all[p].resize(run.passes[p].direction == Direction::once ? 1 : at(run.tasks.count()));
  run.next_state();
  run_tasks(run, [](std::size_t, int) {});  // warm
  const Clock::time_point until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (int k = 0; k < fewest || (k < most && Clock::now() < until); ++k) {
    run.next_state();
    Clock::time_point last = Clock::now();
    run_tasks(run, [&](std::size_t pass, int task) {
      const Clock::time_point now = Clock::now();
      all[pass][at(task)].push_back(Elapsed{last, now}.ns());
      last = Clock::now();  // what storing takes is no task's
    });
  }
  const double overhead = clock_overhead_ns();
  TaskTimes ns(all.size());
  for (std::size_t p = 0; p < all.size(); ++p)
    for (std::vector<double>& runs : all[p]) ns[p].push_back(std::max(0.0, median(runs) - overhead));
  return ns;
}

MeasuredWorkAndSpan measured_work_and_span(const TimedRun& run, const Dependences& dependences, const Burden& burden,
                                           double seconds) {
  const auto [first, second, disagreement] = two_that_agree(
      4, [&] { return work_and_span(dependences, task_times(run, seconds), burden); },
      [](const WorkAndSpan& a, const WorkAndSpan& b) {
        return std::max(apart(a.work_ns, b.work_ns, 1), apart(a.span_ns, b.span_ns, 1));
      });
  return {first.work_ns < second.work_ns ? first : second, disagreement};
}

}  // namespace kinetree::inline inner
