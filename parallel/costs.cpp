// Operations are those of the kernels in engine/algorithm: joint by joint for articulated bodies, and what modules,
// their columns and their merges add. Smaller terms are summed up in one number.
#include "parallel/costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <kinetree/model.hpp>
#include <utility>

#include "engine/algorithm/node/multipliers_choice.hpp"
#include "engine/algorithm/node/operation_counts.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double node_sum = 27;  // an articulated inertia and a force, to what the parent has

/// What a type of joint costs beside moving things across it.
struct OwnOperations {
  double kinematics, articulate, accelerate;
};

OwnOperations own_operations(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
      return {77, 51, 18};
    case JointType::prismatic:
      return {73, 63, 20};
    case JointType::helical:
      return {134, 151, 31};
    case JointType::cylindrical:
      return {157, 344, 60};
    case JointType::universal:
      return {217, 344, 60};
    case JointType::spherical:
      return {182, 251, 60};
    case JointType::planar:
      return {217, 581, 93};
    case JointType::floating:
    case JointType::fixed:
      break;
  }
  return {215, 112, 78};
}

bool has_rotor(const ModelData& m, int body) {
  return std::any_of(m.armature.begin() + m.v_index[at(body)], m.armature.begin() + m.v_index[at(body + 1)],
                     [](double x) { return x != 0; });
}

BodyOperations operations_of_body(const ModelData& m, int i) {
  const JointType type = m.joint_type[at(i)];
  const OwnOperations own = own_operations(type);
  const CrossingOperations crossing(m.link[at(i)]);
  const bool turns = is_revolute(type), rotor = has_rotor(m, i);
  BodyOperations sum{own.kinematics + crossing.move, own.articulate, own.accelerate + crossing.move};
  if (rotor) sum.articulate += turns ? -17 : 1;
  sum.articulate += node_sum * static_cast<double>(m.children_of(i).size());
  if (m.parent[at(i)] < 0) return sum;
  sum.articulate += crossing.move;
  if (turns && !rotor)  // an inertia without entries about the axis
    sum.articulate += crossing.free_congruent + 31;
  else if (type != JointType::floating || rotor)  // a floating joint shows none
    sum.articulate += crossing.congruent + 72;
  return sum;
}

// ---- modules --------------------------------------------------------------------------------------------------------

/// Passes between which all threads meet are one phase: modules balance in each phase or not at all.
enum Phase : std::size_t { compose, articulate, accelerate, close, correct, accelerate_again, close_again, phases };
constexpr std::array<double, phases> passes_of{1, 2, 1, 1, 1, 1, 1};
using Operations = std::array<double, phases>;

/// Operations of the steps. Those of refinements count once each.
class StepOperations {
 public:
  StepOperations(const ModelData& m, const Modules& modules, const std::vector<BodyOperations>& body)
      : m_(m), modules_(modules), body_(body) {}

  Operations of(const Step& step) const {
    Operations sum{};
    if (step.module >= 0)
      add_module(modules_.modules[at(step.module)], step.size, sum);
    else
      add_merge(step, sum);
    if (step.closes >= 0) add_rake(modules_.cuts[at(step.closes)], sum);
    sum[accelerate_again] += sum[accelerate];
    return sum;
  }

 private:
  void add_module(const Module& module, double size, Operations& sum) const {
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i)
        add_body(i, i == module.base && module.cut >= 0, size, sum);
    if (module.cut < 0) return;
    sum[close] += 89;
    sum[close_again] += m_.parent[at(module.base)] < 0 ? 57 : 95;
  }

  void add_body(int i, bool cut, double size, Operations& sum) const {
    constexpr double joint = 3;        // of kinematics, what needs no neighbour
    constexpr double gyroscopic = 69;  // found anew for a residual
    const BodyOperations& body = body_[at(i)];
    const CrossingOperations crossing(m_.link[at(i)]);
    const double f = velocity_count(m_.joint_type[at(i)]);
    const Passing& pass = modules_.passing[at(i)];
    const double width = pass.end - pass.begin;
    sum[compose] += joint + width / 5 * (crossing.move + 7 + crossing.lead);  // a cut joint has five columns, mostly
    sum[articulate] += body.kinematics - joint;
    if (cut) {  // P's factors and the module's own system
      sum[articulate] +=
          node_sum * static_cast<double>(m_.children_of(i).size()) + 186 + 53 * size + 6 * size * (size + 1);
      sum[accelerate] += 72 + 12 * size;
      sum[correct] += 170 + gyroscopic + 14 * size;
    } else {
      sum[articulate] +=
          body.articulate + width * (crossing.move + (f == 1 ? 9 : 13) + 14 * f) + f * width * (width + 1);
      sum[accelerate] += body.accelerate + 2 * f * width;
      sum[correct] += 2 * crossing.move + 61 + gyroscopic + 14 * f + 2 * f * width;
    }
    for (const int child : m_.children_of(i)) {
      const int k = modules_.cut_of[at(child)];
      if (k < 0 || !modules_.cuts[at(k)].carried) continue;
      sum[articulate] += modules_.cuts[at(k)].rows * (CrossingOperations(m_.link[at(child)]).move + 4) + 60 - node_sum;
      sum[correct] += 130;
    }
  }

  void add_merge(const Step& step, Operations& sum) const {
    const double m = modules_.cuts[at(step.cut)].rows, n = step.size;
    const Step& lower = modules_.steps[at(step.lower)];
    const double vector = m * m + 3 * m * n;
    sum[compose] += 111 * (lower.last_boundary - lower.first_boundary - 1);
    sum[articulate] +=
        48 + m * (m + 1) / 2 + factorization_operations(m, m) + m * (m - 1) * n + m * n + m * n * (n + 1) + vector;
    sum[accelerate] += m * m + 2 * m * n;
    sum[correct] += vector;
  }

  /// A finished group of modules, into the body it hangs from.
  void add_rake(const CutJoint& cut, Operations& sum) const {
    const double m = cut.rows, move = CrossingOperations(m_.link[at(cut.body)]).move;
    sum[articulate] += factorization_operations(m, m) + 9;
    sum[accelerate] += move + 12 * m + 2 * m * m;
    if (m_.parent[at(cut.body)] < 0) return;
    sum[articulate] += m * (move + 48) + 6 * m * (m - 1) + 2 * m * m + 12 * m + move;
    sum[correct] += 2 * m * m + 12 * m + move;
  }

  const ModelData& m_;
  const Modules& modules_;
  const std::vector<BodyOperations>& body_;
};

/// How often a phase runs.
double repeats(std::size_t phase, int refinements) { return phase >= correct ? refinements : 1; }

}  // namespace

std::vector<BodyOperations> body_operations(const ModelData& m, Loops loops) {
  std::vector<BodyOperations> all;
  all.reserve(m.parent.size());
  for (int i = 0; i < static_cast<int>(m.parent.size()); ++i) all.push_back(operations_of_body(m, i));
  for (const Aggregate& aggregate : m.aggregates) {
    for (const int i : aggregate.bodies) all[at(i)].articulate = all[at(i)].accelerate = 0;
    const LoopCost cost = loop_cost(m, aggregate);
    all[at(aggregate.bodies.front())].articulate =
        takes_multipliers(m, aggregate, loops) ? cost.multipliers : cost.embed;
  }
  return all;
}

double operations(const Model& model, const Method& method) {
  const std::vector<BodyOperations> body = body_operations(model.data(), method.loops);
  const Modules modules = make_modules(model.data(), method.modules);
  double sum = 0;
  if (!modules.any_cut()) {
    for (const BodyOperations& b : body) sum += b.all();
    return sum;
  }
  const StepOperations steps(model.data(), modules, body);
  for (const Step& step : modules.steps) {
    const Operations of_step = steps.of(step);
    for (std::size_t p = 0; p < phases; ++p) sum += repeats(p, method.refinements) * of_step[p];
  }
  return sum;
}

/// What a run takes before and after all tasks.
static double handing_over(const SchedulingCost& cost, int threads) { return cost.fork + cost.thread * (threads - 2); }

Costs::Costs(Model model, Loops loops, const Calibration& calibration)
    : model_(std::move(model)), calibration_(calibration), body_(body_operations(model_.data(), loops)) {
  std::vector<double> path(body_.size());
  for (std::size_t i = 0; i < body_.size(); ++i) {
    const int p = model_.data().parent[i];
    path[i] = body_[i].all() + (p < 0 ? 0 : path[at(p)]);
    work_ += body_[i].all();
    path_ = std::max(path_, path[i]);
  }
  constexpr double bytes_of_body = 850;  // its link, transform, inertia, factors and the rest
  constexpr double ns_of_byte = 0.04;    // one core, tree:2x16 and chain:65536
  const double bytes = bytes_of_body * static_cast<double>(body_.size());
  // others have their part of the cache
  if (calibration.cache > 0) memory_ns_ = std::clamp(bytes / calibration.cache - 0.5, 0.0, 1.0) * bytes * ns_of_byte;
}

double Costs::predicted_ns(Method method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1 && method.algorithm == Algorithm::ab) return work_ * calibration_.ab + memory_ns_;
  if (threads == 1) return operations(model_, method) * calibration_.dial + memory_ns_;
  method.modules.task_bodies = task_bodies(model_, threads);
  const Modules modules = make_modules(model_.data(), method.modules);
  const Tasks tasks = make_tasks(modules, method.modules.task_bodies);
  const SchedulingCost& cost = calibration_.of(on.executor);
  const auto with_scheduling = [&](double ns, int passes) {
    const int levels = static_cast<int>(tasks.levels.size());
    return ns + handing_over(cost, threads) + cost.meet * meetings(on.executor, levels, passes);
  };
  std::vector<double> ns(at(tasks.count()));
  const auto for_steps = [&](auto&& use) {
    for (int t = 0; t < tasks.count(); ++t)
      for (int r = tasks.first_range[at(t)]; r < tasks.first_range[at(t + 1)]; ++r)
        for (int s = tasks.ranges[at(r)].begin; s < tasks.ranges[at(r)].end; ++s) use(t, modules.steps[at(s)]);
  };
  if (!modules.any_cut()) {
    const int passes = model_.data().aggregates.empty() ? 3 : 4;
    const double memory_ns_of_body = memory_ns_ / static_cast<double>(body_.size());
    std::fill(ns.begin(), ns.end(), passes * cost.task);
    for_steps([&](int t, const Step& step) {
      const Module& module = modules.modules[at(step.module)];
      for (int r = module.first_range; r < module.last_range; ++r)
        for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i)
          ns[at(t)] += body_[at(i)].all() * calibration_.ab + memory_ns_of_body;
    });
    return with_scheduling(makespan(tasks, ns, threads, on.executor) / cost.efficiency, passes);
  }
  const StepOperations steps(model_.data(), modules, body_);
  std::vector<Operations> operations(at(tasks.count()), Operations{});
  for_steps([&](int t, const Step& step) {
    const Operations of_step = steps.of(step);
    for (std::size_t p = 0; p < phases; ++p) operations[at(t)][p] += of_step[p];
  });
  double sum = 0, passes = 0;
  for (std::size_t p = 0; p < phases; ++p) {
    for (int t = 0; t < tasks.count(); ++t)
      ns[at(t)] = passes_of[p] * cost.task + calibration_.dial * operations[at(t)][p];
    sum += repeats(p, method.refinements) * makespan(tasks, ns, threads, on.executor) / cost.efficiency;
    passes += repeats(p, method.refinements) * passes_of[p];
  }
  return with_scheduling(sum + memory_ns_ / threads, static_cast<int>(passes));
}

double Costs::predicted_ns(const PartsCost& bodies, int meetings, double fetches, const Threads& on) const {
  // in bodies outside aggregates; what aggregates take beyond that goes to no lane
  const ModelData& m = model_.data();
  double plain = 0, count = 0;
  for (std::size_t i = 0; i < body_.size(); ++i)
    if (m.aggregates.empty() || m.aggregate_of[i] < 0) plain += body_[i].all(), ++count;
  const double body = (count > 0 ? plain / count : work_ / static_cast<double>(body_.size())) * calibration_.ab;
  const double tied = m.aggregates.empty() ? 0 : work_ * calibration_.ab - body * static_cast<double>(body_.size());
  const int threads = std::max(1, on.count);
  if (threads == 1) return body * bodies.all() + tied + fetches * memory_ns_;
  const SchedulingCost& cost = calibration_.of(on.executor);
  constexpr double fetched = 2;  // what is joined comes from other threads' caches (measured: chain:512 to chain:2048)
  // no thread helps another with a pack
  const double packs = bodies.packs > 0 ? std::ceil(bodies.packs / bodies.largest - 1e-9) : 0;
  const double rounds = std::ceil(packs / threads);
  const int busy = std::clamp(static_cast<int>(packs), 1, threads);
  return body * (rounds * bodies.largest / cost.efficiency + fetched * bodies.joins + bodies.rest) + tied +
         fetches * memory_ns_ / busy + handing_over(cost, threads) + cost.meet * meetings;
}

double Costs::least_ns(const Method& method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1) return work_ * std::min(calibration_.ab, calibration_.dial);
  const SchedulingCost& cost = calibration_.of(on.executor);
  const double fork = handing_over(cost, threads);
  if (method.algorithm == Algorithm::ab)
    return std::max(work_ / threads, path_) * calibration_.ab / cost.efficiency + fork;
  return work_ / threads * std::min(calibration_.ab, calibration_.dial) / cost.efficiency + fork;
}

int meetings(ExecutorKind executor, int levels, int passes) {
  return executor == ExecutorKind::openmp || levels <= most_plain_levels ? (levels - 1) * passes + 1 : 0;
}

}  // namespace kinetree::inline inner
