#include "mpi/spread_plan.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/calibration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <limits>
#include <span>
#include <string>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "mpi/assumed_messages.hpp"
#include "mpi/rank_layout.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {
namespace {

/// Fewer lanes take longer in float than body by body, and a plan over ranks is one for both scalars.
constexpr int least_lanes = 4;

/// Grains that are tried, as shares of an even one: which is taken is the prediction's to say.
constexpr double shares_in_lanes[]{1.0, 0.5, 0.33, 0.25},
    shares_one_by_one[]{1.25, 1.1, 1.0, 0.85, 0.7, 0.5, 0.35, 0.25};

void refuse(const Options& options) {
  const auto fault = [](const char* what, const char* instead) {
    throw OptionError(std::string(what) + " is not known over ranks; " + instead);
  };
  if (options.algorithm == Algorithm::crb) fault("algorithm crb", "give ab, modular, cfa or automatic");
  if (options.formulation == Formulation::literal) fault("formulation literal", "give direct");
}

/// Nanoseconds of a state by the rank that has most to do, and of the messages that it waits for at worst; infinite
/// where a rank gets no share, or where the plan has modules of end chains in lanes and the model has none. What a run
/// over ranks is predicted to take in full (predicted_ns.hpp) needs its solver, which a plan that is not taken need not
/// have.
double most_ns(const Model& model, const Plan& plan, int ranks, const Calibration& calibration) {
  const SpreadModules spread = spread_modules(model, plan, ranks);
  const std::vector<double> all = loads(spread, ranks);
  if (plan.end_chains > 1 && spread.parts.end_chains.all.empty()) return std::numeric_limits<double>::infinity();
  if (std::ranges::min(all) == 0) return std::numeric_limits<double>::infinity();
  const Messages& known = calibration.messages;
  const double measured = std::max(known.within.latency, known.between.latency);
  return calibration.ab * std::ranges::max(all) +
         2 * (measured > 0 ? measured : assumed_between.latency) * rounds(spread.modules);
}

/// How many modules of an end chain go side by side; 1: none. They are weighed beside embedded loops alone.
int modules_side_by_side(const Options& options) {
  const std::span<const int> widths = limb_widths(instruction_set());
  const bool open = options.algorithm == Algorithm::automatic && options.limbs == 0 && options.loops == Loops::embed &&
                    !widths.empty();
  const int width = open ? widths.back() : options.limbs;
  return width < least_lanes ? 1 : width;
}

}  // namespace

Parts spread_parts(const Model& model, const Plan& plan, int ranks) {
  std::vector<int> process;
  if (ranks > 1 && plan.limbs > 1)
    process = processes_of_bodies(model.data(), spread_method(model, plan, ranks).modules);
  return planned_parts(model.data(), plan, process);
}

SpreadModules spread_modules(const Model& model, const Plan& plan, int ranks) {
  const Method method = spread_method(model, plan, ranks);
  SpreadModules spread{{}, spread_parts(model, plan, ranks), {}};
  spread.modules = spread.parts.empty() ? make_modules(model.data(), method.modules)
                                        : modules_of_parts(model.data(), spread.parts, method.modules).modules;
  spread.work = step_work(model, spread.modules, method, spread.parts);
  return spread;
}

std::vector<double> loads(const SpreadModules& spread, int ranks) {
  std::vector<double> all(at(ranks), 0);
  for (std::size_t s = 0; s < spread.work.size(); ++s)
    all[at(spread.modules.process_of(spread.modules.steps[s]))] += spread.work[s];
  return all;
}

Method spread_method(const Model& model, const Plan& plan, int ranks) {
  Method method = one_method(plan);
  method.modules.processes = ranks;
  method.modules.module_work = &module_work;
  method.modules.task_bodies = part_bodies(model.body_count(), ranks);
  return method;
}

Plan spread_plan(const Model& model, const Options& options, int ranks) {
  check_options(options);
  refuse(options);
  Options one = options;
  one.threads = 1, one.pinning = Pinning::none;
  Plan plan = kinetree::ForwardDynamics(model, one).plan();
  const auto on_threads = [&](Plan chosen) {
    const bool serial = options.threads == 1 || options.executor == ExecutorKind::serial;
    chosen.executor = serial ? ExecutorKind::serial : options.executor;
    chosen.one_threads = serial ? 1 : options.threads;
    chosen.pinning = serial ? Pinning::none : options.pinning;
    return chosen;
  };
  const bool open = options.algorithm == Algorithm::automatic;
  if (plan.limbs < least_lanes) {
    plan.limbs = 1;
    if (plan.algorithm == Algorithm::ab) plan.grain = 0;
  }
  if (plan.end_chains < least_lanes) plan.end_chains = 1;
  if (!open && (options.algorithm != Algorithm::modular || options.grain > 0)) return on_threads(plan);
  Plan best = plan;
  double least = std::numeric_limits<double>::infinity();
  const Calibration calibration = kinetree::calibration();
  const auto consider = [&](const Plan& candidate) {
    const double predicted = most_ns(model, candidate, ranks, calibration);
    if (predicted < least) least = predicted, best = candidate;
  };
  if (open) {
    const int limbs = plan.algorithm == Algorithm::ab ? plan.limbs : 1;
    plan.algorithm = Algorithm::ab, plan.end_chains = 1, plan.grain = plan.refinements = 0;
    plan.limbs = 1;
    consider(plan);
    if (limbs > 1) {
      plan.limbs = limbs;
      consider(plan);
      plan.limbs = 1;
    }
  }
  plan.algorithm = Algorithm::modular;
  plan.refinements = options.refinements < 0 ? 1 : options.refinements;
  const auto with_grain = [&](double share) {
    plan.grain = std::max(1, static_cast<int>(share * model.body_count() / (ranks * plan.end_chains)));
    consider(plan);
  };
  plan.end_chains = modules_side_by_side(options);
  if (plan.end_chains > 1)
    for (const double share : shares_in_lanes) with_grain(share);
  plan.end_chains = 1;
  if (open || std::isinf(least))  // too few modules for all ranks to have some side by side
    for (const double share : shares_one_by_one) with_grain(share);
  return on_threads(best);
}

}  // namespace kinetree::inline inner
