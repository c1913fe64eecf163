#pragma once
// Mechanisms and states in which constraint forces between modules lose most digits: light links between heavy ones,
// short links between long ones, payloads, parallel and twisted axes, joints that slide, forces that almost balance.

#include <kinetree/kinetree.hpp>
#include <string>
#include <vector>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {

struct HostileMechanism {
  std::string name;
  Model model;
};

/// A few of each kind, with chains that `automatic` cuts.
std::vector<HostileMechanism> few_hostile_mechanisms();
/// All of them.
std::vector<HostileMechanism> hostile_mechanisms();

enum class Regime {
  moving,      ///< velocities within 1, forces within 5, at any configuration
  controlled,  ///< moving, with the forces that accelerations within 1 need, as a controller finds them
  near_rest,   ///< velocities and accelerations of about 1e-4, so that forces almost balance
  hanging      ///< left to itself near where all joints are zero and links hang straight
};
inline constexpr Regime regimes[]{Regime::moving, Regime::controlled, Regime::near_rest, Regime::hanging};
inline constexpr const char* regime_names[]{"moving", "controlled", "near rest", "hanging"};

TestState state_in(const Model& model, Regime regime, std::uint64_t seed);

}  // namespace kinetree::oracle
