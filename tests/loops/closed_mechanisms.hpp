#pragma once
// Random mechanisms with loops and couplings that are closed at a known configuration.

#include <cstdint>

#include "loops/closed_oracle.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

struct ClosedMechanism {
  Description description;
  Model tree;       ///< without its constraints, for the order of joints
  TestState state;  ///< closed; velocities allowed
};

/// A random tree with 1 to 10 constraints around random bodies of it; some redundant. A Model is assembled from zero,
/// not from the state at hand, and now and then eight loops wound together defeat it: those are passed over, and
/// counted.
ClosedMechanism random_closed_mechanism(std::uint64_t seed);
int mechanisms_passed_over();

}  // namespace kinetree::oracle
