#pragma once
// The mechanism as MuJoCo's readers take it.

#include <mujoco/mujoco.h>

#include "bench/peers/mechanism.hpp"

namespace kinetree::peers {

/// To be deleted by the caller. Throws std::runtime_error with MuJoCo's reason where it can't be had.
mjModel* mujoco_model(const Mechanism& mechanism);

}  // namespace kinetree::peers
