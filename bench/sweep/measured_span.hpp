#pragma once
// Work and span of a case in time, measured.

#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <optional>

#include "bench/sweep/random_states.hpp"
#include "parallel/work_and_span.hpp"

namespace kinetree::bench {

/// About how long measured_span takes, unless 10 runs take longer, in seconds.
inline constexpr double shortest_span_seconds = 0.05;

/// Times the tasks of a plan for one state one by one on this thread, on the states in turn, and puts them together as
/// the plan's executor would, with the costs of this process's calibration. Nothing where one thread runs the plan.
std::optional<MeasuredWorkAndSpan> measured_span(const Model& model, const Plan& plan, const StateSet& states);

}  // namespace kinetree::bench
