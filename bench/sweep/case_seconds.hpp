#pragma once
// How long the parts of a case take, roughly: for the time that a sweep is said to take, and the time that is left.
// These seconds decide no plan, and are no prices (engine/partition/price_table.hpp).

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// Seconds until a case is ready: its solver is made, its plan predicted, its answers are checked.
double preparing_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c);
/// Seconds of one repetition, with what is measured beside it.
double repetition_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c);
/// Seconds that its work and span take to be measured.
double span_seconds(const LoadedModel& model, const Case& c);
/// All of it, counting operations aside.
double case_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c);

}  // namespace kinetree::bench
