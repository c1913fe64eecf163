#pragma once
// What a state takes over ranks, predicted: each rank's steps and messages one after another, as a run would have them,
// steps by their prices (parallel/prices.hpp) and messages by latency and bandwidth.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <optional>

#include "parallel/prices.hpp"

namespace kinetree::inline inner {

/// Returns nanoseconds of a plan that mpi::ForwardDynamics made with one thread a rank. Ranks fill one machine after
/// another. Nothing where the calibration has no messages of that kind, or a rank would get no share.
std::optional<double> predicted_over_ranks(const Model& model, const Plan& plan, const Processes& on,
                                           const Calibration& calibration);

}  // namespace kinetree::inline inner
