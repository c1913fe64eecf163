#include "engine/algorithm/make_plan.hpp"

namespace kinetree::inline inner {

Plan make_plan(const Options& o) {
  Plan plan;
  plan.algorithm = o.algorithm == Algorithm::cfa ? Algorithm::modular : o.algorithm;
  plan.modules = {.grain = o.grain, .cuts = o.cuts, .elimination = o.elimination};
  plan.refinements = o.refinements;
  plan.formulation = o.formulation;
  plan.factorization = o.factorization;
  plan.loops = o.loops;
  return plan;
}

}  // namespace kinetree::inline inner
