#pragma once
// The states that benchmarks and checks run on.

#include <Eigen/Core>
#include <cstdint>
#include <kinetree/model.hpp>

namespace kinetree::bench {

/// One state per column.
struct StateSet {
  Eigen::MatrixXd q, v, tau;
  Eigen::Index count() const { return q.cols(); }
};

/// q, v and tau as RandomStates draws them.
StateSet random_states(const Model& model, Eigen::Index count, std::uint64_t seed);

/// The above in a sentence, for reports.
inline constexpr const char* state_distribution =
    "positions uniform between the limits of the joint, without limits angles in [-pi, pi] and displacements in [-0.5, "
    "0.5] m, orientations uniform over unit quaternions, velocities and joint forces uniform in [-1, 1] (rad/s, m/s, N "
    "m, N); loops closed from there by Newton's method, of coupled joints the one that turns most follows the others";

/// As many of `wanted` states as fit in 64 MB, at least 2: long chains must not turn the timing into one of memory
/// alone.
Eigen::Index states_that_fit(const Model& model, int wanted);

}  // namespace kinetree::bench
