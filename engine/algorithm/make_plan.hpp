#pragma once
// The plan of options in which nothing is left open.

#include <kinetree/options.hpp>

#include "engine/algorithm/plan.hpp"

namespace kinetree::inline inner {

Plan make_plan(const Options& options);

}  // namespace kinetree::inline inner
