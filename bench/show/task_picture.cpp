#include "bench/show/task_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/show/colours.hpp"
#include "bench/show/tree_picture.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/prices.hpp"

namespace kinetree::bench {
namespace {

/// 12,345
std::string grouped(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (int place = static_cast<int>(digits.size()) - 3; place > 0; place -= 3) digits.insert(at(place), ",");
  return digits;
}

/// The way from the ground outwards that is heaviest in order.
void find_critical_path(TaskGraph& g) {
  const int count = g.tasks.count();
  std::vector<double> below(at(count));  // of the heaviest way from a task outwards, itself included
  std::vector<int> next(at(count), -1);
  int first = -1;
  for (int t = count - 1; t >= 0; --t) {  // parents have the smaller numbers
    below[at(t)] = g.in_order[at(t)] + (next[at(t)] < 0 ? 0 : below[at(next[at(t)])]);
    const int p = g.tasks.parent[at(t)];
    int& best = p < 0 ? first : next[at(p)];
    if (best < 0 || below[at(t)] > below[at(best)]) best = t;
  }
  g.critical.assign(at(count), false);
  for (int t = first; t >= 0; t = next[at(t)]) g.critical[at(t)] = true;
  g.depth = g.at_once + (first < 0 ? 0 : below[at(first)]);
}

/// The bodies that a task sweeps, and its merges.
std::string about(const Model& parts, const TaskGraph& g, int t) {
  std::vector<std::string> bodies;
  std::size_t count = 0, merges = 0;
  g.tasks.for_steps(t, [&](int s) {
    const Step& step = g.modules.steps[at(s)];
    merges += step.module < 0;
    if (step.module < 0) return;
    const Module& module = g.modules.modules[at(step.module)];
    for (int k = module.first_range; k < module.last_range; ++k) {
      const Range bodies_of = g.modules.ranges[at(k)];
      count += at(bodies_of.end - bodies_of.begin);
      if (bodies.size() < 6)
        bodies.push_back(bodies_of.end - bodies_of.begin == 1
                             ? std::string(parts.body_name(bodies_of.begin))
                             : fmt::format("{} \xE2\x80\xA6 {}", parts.body_name(bodies_of.begin),
                                           parts.body_name(bodies_of.end - 1)));
      else if (bodies.size() == 6)
        bodies.push_back("\xE2\x80\xA6");
    }
  });
  return fmt::format(
      "task {}: {} operations of a state, {:.1f} % of all\n{} {}{}{}{}", t + 1, grouped(g.operations[at(t)]),
      100 * g.operations[at(t)] / g.work, count, count == 1 ? "body" : "bodies", bodies.empty() ? "" : ": ",
      fmt::join(bodies, ", "),
      merges == 0 ? ""
                  : fmt::format("\n{} of two modules", merges == 1 ? "a merge" : fmt::format("{} merges", merges)));
}

/// `constraints`: whether there are loops or couplings.
std::vector<std::string> captions(const TaskGraph& g, bool constraints) {
  std::vector<std::string> lines{
      "A box is a task, the part of a state's work that one thread does without asking, with its operations. In a "
      "gather "
      "a task waits for those",
      "that point to it, in a scatter for the one that it points to. Boxes at one distance from the ground are a "
      "level: "
      "they may run at once."};
  if (g.tasks.count() == 1) {
    lines.push_back(
        fmt::format("One task of {} operations: threads have nothing to share. Tasks take {} operations or more, "
                    "since less takes longer to hand over than to do.",
                    grouped(g.work), grouped(task_operations(0, g.threads))));
    return lines;
  }
  lines.push_back(fmt::format("{} operations in {} tasks on {} levels; the critical path (thick, red){} takes {}.",
                              grouped(g.work), g.tasks.count(), g.tasks.levels.size(),
                              g.at_once > 0 ? ", with what runs at once behind it," : "", grouped(g.depth)));
  lines.push_back(
      fmt::format("So any number of threads does the tasks at most {:.2f} times as fast as one; level by "
                  "level, as team and openmp run them, at most {:.2f} times.",
                  g.work / g.depth, g.work / g.level_depth));
  lines.push_back(
      fmt::format("Serial ab takes {} operations: over it at most {:.2f} times, on {} threads {:.2f} times.",
                  grouped(g.serial), g.serial / g.depth, g.threads, g.serial / std::max(g.depth, g.work / g.threads)));
  if (constraints)
    lines.push_back(
        "Constraints of loops and couplings are counted on the path, though a run solves all of them at once: the "
        "bounds "
        "may be somewhat higher.");
  return lines;
}

}  // namespace

TaskGraph task_graph(const Model& model, Method method, int threads) {
  TaskGraph g;
  g.threads = threads;
  Method serial;  // ab
  serial.loops = method.loops;
  g.serial = operations(model, serial);
  method.modules.task_bodies = task_bodies(model.body_count(), threads);
  g.modules = make_modules(model.data(), method.modules);
  g.tasks = shared_out(g.modules, step_work(model, g.modules, method), threads);
  StepOperations steps(g.modules.parts_of(model.data()), g.modules, multiplier_aggregates(model.data(), method.loops));
  constexpr std::array without_order{Pass::close, Pass::close_again};
  std::array<double, without_order.size()> heaviest{};
  for (int t = 0; t < g.tasks.count(); ++t) {
    Operations sum;
    g.tasks.for_steps(t, [&](int s) { sum += steps.of(g.modules.steps[at(s)]); });
    g.operations.push_back(sum.all(method.refinements));
    g.work += g.operations.back();
    g.in_order.push_back(g.operations.back());
    for (std::size_t k = 0; k < heaviest.size(); ++k) {
      const double part = Operations::runs(without_order[k], method.refinements) * sum.of[without_order[k]];
      g.in_order.back() -= part;
      heaviest[k] = std::max(heaviest[k], part);
    }
  }
  for (const double part : heaviest) g.at_once += part;
  find_critical_path(g);
  g.level_depth = g.at_once;
  for (const std::vector<int>& level : g.tasks.levels) {
    double most = 0;
    for (const int t : level) most = std::max(most, g.in_order[at(t)]);
    g.level_depth += most;
  }
  return g;
}

std::string task_picture(const Model& model, const TaskGraph& g, const DialSetting& setting) {
  const Model parts = g.modules.split ? Model(g.modules.split) : model;
  const int count = g.tasks.count();
  std::vector<int> parent;
  std::vector<std::string> name;
  TreePicture picture;
  for (int t = count - 1; t >= 0; --t) {  // tips first
    const int p = g.tasks.parent[at(t)];
    parent.push_back(p < 0 ? -1 : count - 1 - p);
    name.push_back(fmt::format("({})", grouped(g.operations[at(t)])));
    picture.number.push_back(t + 1);
    picture.colour.push_back(0);
    picture.tooltip.push_back(about(parts, g, t));
    picture.critical.push_back(count > 1 && g.critical[at(t)]);
  }
  const sko::Tree tree(std::move(parent), std::move(name));
  picture.title = fmt::format("{}: {} task{} on {} threads, {}", model.name(), count, count == 1 ? "" : "s", g.threads,
                              setting_words(setting));
  picture.captions = captions(g, !model.data().aggregates.empty());
  picture.tree = &tree;
  picture.arrows = true;
  return draw(picture);
}

}  // namespace kinetree::bench
