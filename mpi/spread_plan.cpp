#include "mpi/spread_plan.hpp"

#include <algorithm>
#include <kinetree/forward_dynamics.hpp>
#include <limits>
#include <string>

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"
#include "library/planner.hpp"
#include "mpi/rank_run.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {
namespace {

/// What a message takes, in bodies' sweeps: of about 10 us, and of about 60 ns.
constexpr double bodies_a_round = 150;

void refuse(const Options& options) {
  const auto fault = [](const char* what, const char* instead) {
    throw OptionError(std::string(what) + " is not known over ranks; " + instead);
  };
  if (options.algorithm == Algorithm::crb) fault("algorithm crb", "give ab, modular, cfa or automatic");
  if (options.formulation == Formulation::literal) fault("formulation literal", "give direct");
  if (options.limbs > 1) fault("`limbs` above 1", "give 0 or 1: ranks sweep body by body");
}

/// Of a state's time, that part which depends on how it is parted; no plan that leaves a rank without a share.
double predicted_bodies(const Model& model, const Plan& plan, int ranks) {
  const Modules modules = make_modules(model.data(), spread_method(model, plan, ranks).modules);
  const std::vector<double> all = loads(modules, ranks);
  if (*std::min_element(all.begin(), all.end()) == 0) return std::numeric_limits<double>::infinity();
  return *std::max_element(all.begin(), all.end()) + 2 * bodies_a_round * RankRun::rounds(modules);
}

}  // namespace

std::vector<double> loads(const Modules& modules, int ranks) {
  std::vector<double> all(at(ranks), 0);
  for (const Step& step : modules.steps) {
    double& load = all[at(modules.process_of(step))];
    if (step.module < 0) {
      load += step_weight(modules, step);
      continue;
    }
    const Module& module = modules.modules[at(step.module)];
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i) load += sweep_weight(modules, i);
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
  refuse(options);
  Options one = options;
  one.threads = 1, one.pinning = Pinning::none, one.grain = 0;
  one.algorithm = Algorithm::ab;
  if (options.algorithm != Algorithm::automatic) {
    one = options;
    one.threads = 1, one.pinning = Pinning::none;
  }
  Plan plan = kinetree::ForwardDynamics(model, one).plan();
  plan.executor = options.threads == 1 ? ExecutorKind::serial : options.executor;
  plan.one_threads = options.threads;
  const bool open = options.algorithm == Algorithm::automatic;
  if (!open && (options.algorithm != Algorithm::modular || options.grain > 0)) return plan;
  Plan best = plan;
  double least = open ? predicted_bodies(model, plan, ranks) : std::numeric_limits<double>::infinity();
  plan.algorithm = Algorithm::modular;
  plan.refinements = options.refinements < 0 ? 1 : options.refinements;
  for (const double share : {1.25, 1.1, 1.0, 0.85, 0.7, 0.5, 0.35, 0.25}) {
    plan.grain = std::max(1, static_cast<int>(share * model.body_count() / ranks));
    // a refinement sweeps once more
    const double predicted = predicted_bodies(model, plan, ranks) * (1 + 0.5 * plan.refinements);
    if (predicted < least) least = predicted, best = plan;
  }
  return best;
}

}  // namespace kinetree::inline inner
