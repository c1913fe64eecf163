#pragma once
// How many digits of a simulated motion hold: the same motion by steps that err less, held against its rows.

#include <functional>
#include <kinetree/simulation/simulation.hpp>
#include <string>
#include <vector>

#include "bench/simulate/trajectory.hpp"

namespace kinetree::bench {

/// How the second motion is taken: a hundredth of the adaptive integrator's tolerance (2e-14 at least, near which steps
/// are rounding) and no step longer than half the time between rows, which may be what sets the steps; or half the
/// steps of equal length.
SimulationOptions finer(const SimulationOptions& how, double every);

/// Begins `again`, which has finer options, where the samples begin, and brings it from sample to sample by `advance`.
/// One line: the digits that q and v share at the end and at worst, as -log10(|difference| / (1 + |value|)) of the
/// number that differs most; or why the second motion ended early.
std::string agreement(Simulation& again, const SimulationOptions& how, const std::vector<Sample>& samples,
                      const std::function<Status(double time)>& advance);

/// A line that says how to compare with a finer motion; empty where nothing moved.
std::string agreement_hint(const SimulationOptions& how, double every, const std::vector<Sample>& samples);

}  // namespace kinetree::bench
