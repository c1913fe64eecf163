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

/// One state of a plan, its tasks timed one by one on this thread on the states in turn, and put together as the plan's
/// executor does, with the costs of the calibration of this process; nothing where one thread runs it.
std::optional<MeasuredWorkAndSpan> measured_span(const Model& model, const Plan& plan, const StateSet& states);

}  // namespace kinetree::bench
