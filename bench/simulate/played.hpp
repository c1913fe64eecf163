#pragma once
// A simulated motion as its page shows it, and its last state as a file of states.

#include <kinetree/model.hpp>
#include <string>
#include <vector>

#include "bench/player/page.hpp"
#include "bench/simulate/trajectory.hpp"
#include "engine/io/states.hpp"

namespace kinetree::bench {

/// Plots of energy, closure, positions, velocities and, where samples have them, joint forces; `more` behind them.
PlayedMotion played(const Model& model, const std::vector<Sample>& samples, std::vector<Plot> more);

/// One state, as `kinetree simulate --states` takes it: every joint, q and v with all digits, `tau` where it is not
/// empty, forces on links by name, and drives as they go on from the time `by`.
std::string states_text(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& tau, const std::vector<LinkForce>& forces,
                        const std::vector<DriveTable>& drives, double by);

}  // namespace kinetree::bench
