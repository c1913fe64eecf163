#include "library/plan_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "library/option_table.hpp"

namespace kinetree::inline inner {
Options options_of(const Plan& plan) {
  return {.algorithm = plan.algorithm,
          .executor = plan.executor,
          .threads = std::max(plan.one_threads, plan.batch_threads),
          .pinning = plan.pinning,
          .lanes = plan.lanes,
          .limbs = plan.algorithm == Algorithm::modular ? plan.end_chains : plan.limbs,
          .grain = plan.grain,
          .cuts = plan.cuts,
          .refinements = plan.refinements,
          .elimination = plan.elimination,
          .formulation = plan.formulation,
          .factorization = plan.factorization,
          .loops = plan.loops};
}

void check_plan(const Plan& plan, const Runner& runner) {
  Options options = options_of(plan);
  std::vector<std::string> faults = all_faults(options);
  options.threads = std::max(options.threads, 2);  // one is no fault of a plan's: it may be what was chosen
  for (std::string& fault : runner_faults(options, runner)) faults.push_back(std::move(fault));
  const auto word_of = [](Algorithm algorithm) {
    return value_of(option_entry("algorithm"), {.algorithm = algorithm});
  };
  const auto at_least = [&](const char* word, int value, int least) {
    if (value < least)
      faults.push_back(std::string(word) + " is " + std::to_string(value) + ", which leaves it open; give at least " +
                       std::to_string(least) + ", or Options in place of a plan");
  };
  if (plan.algorithm == Algorithm::automatic)
    faults.push_back("algorithm is automatic, which leaves it open; name one, or give Options in place of a plan");
  if (plan.batch_algorithm != plan.algorithm && plan.batch_algorithm != Algorithm::ab)
    faults.push_back("batch_algorithm is " + word_of(plan.batch_algorithm) + ", and algorithm is " +
                     word_of(plan.algorithm) + "; give ab, or the algorithm itself");
  at_least("one_threads", plan.one_threads, 1);
  at_least("batch_threads", plan.batch_threads, 1);
  at_least("batch_from", plan.batch_from, 2);
  at_least("lanes", plan.lanes, 1);
  at_least("limbs", plan.limbs, 1);
  at_least("end_chains", plan.end_chains, 1);
  if (plan.end_chains > 1 && plan.algorithm != Algorithm::modular)
    faults.push_back("end_chains is " + std::to_string(plan.end_chains) + ", and algorithm is " +
                     word_of(plan.algorithm) + "; give 1, or modular");
  if (plan.limbs > 1 && plan.algorithm == Algorithm::modular) {
    if (plan.end_chains <= 1)
      faults.push_back("limbs is " + std::to_string(plan.limbs) +
                       ", and modular has limbs only beside end chains; give 1, or end_chains above 1");
    Options limbs;
    limbs.limbs = plan.limbs;
    for (std::string& fault : processor_faults(limbs)) faults.push_back(std::move(fault));
  }
  at_least("refinements", plan.refinements, 0);
  if (plan.algorithm == Algorithm::modular || plan.algorithm == Algorithm::cfa) at_least("grain", plan.grain, 1);
  refuse(faults);
}

}  // namespace kinetree::inline inner
