#include "mpi/spread_plan.hpp"

#include <algorithm>
#include <kinetree/forward_dynamics.hpp>
#include <limits>
#include <string>

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "mpi/rank_layout.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {
namespace {

/// The time of a message, about 10 us, in sweeps of a body, about 60 ns.
constexpr double bodies_a_round = 150;

void refuse(const Options& options) {
  const auto fault = [](const char* what, const char* instead) {
    throw OptionError(std::string(what) + " is not known over ranks; " + instead);
  };
  if (options.algorithm == Algorithm::crb) fault("algorithm crb", "give ab, modular, cfa or automatic");
  if (options.formulation == Formulation::literal) fault("formulation literal", "give direct");
  if (options.limbs > 1 && options.algorithm == Algorithm::modular)
    fault("modular with `limbs` above 1", "give 0 or 1: ranks have limbs in lanes, and no modules");
}

/// The predicted time of a state, in sweeps of a body; infinite where a rank gets no share.
double predicted_bodies(const Model& model, const Plan& plan, int ranks) {
  const SpreadModules spread = spread_modules(model, plan, ranks);
  const std::vector<double> all = loads(spread, ranks);
  if (*std::min_element(all.begin(), all.end()) == 0) return std::numeric_limits<double>::infinity();
  return *std::max_element(all.begin(), all.end()) + 2 * bodies_a_round * rounds(spread.modules);
}

}  // namespace

Parts spread_parts(const Model& model, const Plan& plan, int ranks) {
  const ModuleOptions options = spread_method(model, plan, ranks).modules;
  Parts parts;
  parts.limbs =
      limbs_of(model.data(), plan, ranks > 1 ? processes_of_bodies(model.data(), options) : std::vector<int>{});
  return parts;
}

SpreadModules spread_modules(const Model& model, const Plan& plan, int ranks) {
  const ModuleOptions options = spread_method(model, plan, ranks).modules;
  if (plan.limbs <= 1) return {make_modules(model.data(), options)};
  PartModules made = modules_of_parts(model.data(), spread_parts(model, plan, ranks), options);
  return {std::move(made.modules), made.limbs.size()};
}

std::vector<double> loads(const SpreadModules& spread, int ranks) {
  const Modules& modules = spread.modules;
  std::vector<double> all(at(ranks), 0);
  for (const Step& step : modules.steps) {
    double& load = all[at(modules.process_of(step))];
    if (step.module < 0) {
      load += step_weight(modules, step);
      continue;
    }
    const Module& module = modules.modules[at(step.module)];
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i)
        load += at(step.module) < spread.in_lanes ? weight_in_lanes : sweep_weight(modules, i);
  }
  return all;
}

Method spread_method(const Model& model, const Plan& plan, int ranks) {
  Method method = one_method(plan);
  method.modules.processes = ranks;
  // enough parts at branches that shares can be even, and that each rank's threads have several
  method.modules.task_bodies = std::max(8, model.body_count() / (32 * ranks));
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
  if (plan.limbs < 4) plan.limbs = 1;  // in float fewer take longer than body by body
  if (!open && (options.algorithm != Algorithm::modular || options.grain > 0)) return on_threads(plan);
  Plan best = plan;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Plan& candidate, double sweeps) {
    const double predicted = sweeps * predicted_bodies(model, candidate, ranks);
    if (predicted < least) least = predicted, best = candidate;
  };
  if (open) {
    const int limbs = plan.algorithm == Algorithm::ab ? plan.limbs : 1;
    plan.algorithm = Algorithm::ab, plan.end_chains = 1, plan.grain = plan.refinements = 0;
    plan.limbs = 1;
    consider(plan, 1);
    if (limbs > 1) {
      plan.limbs = limbs;
      consider(plan, 1);
      plan.limbs = 1;
    }
  }
  plan.algorithm = Algorithm::modular;
  plan.refinements = options.refinements < 0 ? 1 : options.refinements;
  for (const double share : {1.25, 1.1, 1.0, 0.85, 0.7, 0.5, 0.35, 0.25}) {
    plan.grain = std::max(1, static_cast<int>(share * model.body_count() / ranks));
    consider(plan, 1 + 0.5 * plan.refinements);  // each sweeps once more
  }
  return on_threads(best);
}

}  // namespace kinetree::inline inner
