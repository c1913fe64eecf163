#pragma once
// Random mechanisms with loops and couplings that are closed at a known configuration.

#include <cstdint>

#include "loops/closed_oracle.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

/// How many of them a long test takes, and a quick one that has a long one beside it. Sanitizers, which look at code
/// rather than at numbers, make do with fewer.
#ifdef KINETREE_SANITIZED
constexpr std::uint64_t mechanism_count = 60, few_mechanisms = 60;
#else
constexpr std::uint64_t mechanism_count = 500, few_mechanisms = 200;
#endif

struct ClosedMechanism {
  Description description;
  Model tree;       ///< without its constraints, for the order of joints
  TestState state;  ///< closed; velocities allowed
  Model model;      ///< of the description
};

/// A random tree with 1 to 10 constraints around random bodies of it; some redundant; of every fourth
/// seed's couplings with powers of positions. Now and then eight loops wound
/// together can't be assembled from zero: those are told where they close.
ClosedMechanism random_closed_mechanism(std::uint64_t seed);

/// Every joint's position in q, as a Description's `assembled`.
std::vector<JointPositions> hint_of(const Model& tree, const Eigen::VectorXd& q);

}  // namespace kinetree::oracle
