#pragma once
// How a mechanism is parted among ranks: at branches alone, or at cut joints too, and of how many bodies a module is.

#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/parts.hpp"

namespace kinetree::inline inner {

/// On rank 0. Throws OptionError where options ask for what there is not over ranks, or make no sense. No choice
/// depends on the number of threads, so bits do not either.
Plan spread_plan(const Model& model, const Options& options, int ranks);

/// What a rank solves by that plan.
Method spread_method(const Model& model, const Plan& plan, int ranks);

/// The parts of a state that it has side by side: each group of limbs, and each pack of an end chain, is one rank's.
Parts spread_parts(const Model& model, const Plan& plan, int ranks);

/// The modules that ranks share out, and over their steps what each takes (Work::all).
struct SpreadModules {
  Modules modules;
  Parts parts;
  std::vector<double> work;
};
SpreadModules spread_modules(const Model& model, const Plan& plan, int ranks);

/// Over ranks: the work of the steps of each.
std::vector<double> loads(const SpreadModules& spread, int ranks);

}  // namespace kinetree::inline inner
