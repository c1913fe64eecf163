#pragma once
// A plan that a caller gives is held to the table of options: nothing may be left open.

#include <kinetree/plan.hpp>

namespace kinetree::inline inner {

/// The options that name what one state of a plan goes by.
Options options_of(const Plan& plan);

/// Throws OptionError with all faults: what is out of range, left open, or of no use to the algorithm or
/// with a runner.
void check_plan(const Plan& plan, const Runner& runner = {});

}  // namespace kinetree::inline inner
