#pragma once
// Limbs side by side as a node. A tree knows them by this interface, since the pack that their numbers stand in is a
// type of one instruction set (lanes/limb_pack.hpp).

#include "engine/algorithm/articulated_body.hpp"

namespace kinetree::inline inner {

template <class S>
class LimbSweep {
 public:
  virtual ~LimbSweep() = default;
  virtual void expect_external_forces() = 0;
  /// Gather: positions, velocities, inertias and biases of the limbs, from the velocities of the tree; adds to the
  /// slots of what they hang from.
  virtual void articulate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& tree) = 0;
  /// Scatter: accelerations, from those of the tree, to the tree's results.
  virtual void accelerate(const Context<S>& x, const ArticulatedBody<S>& tree) = 0;
  /// As Solver's.
  virtual int singular_body() const = 0;
  virtual int singular_aggregate(double* pivot) const = 0;
  virtual int idle_body() const = 0;
};

}  // namespace kinetree::inline inner
