#pragma once
// The modules of an end chain side by side, as nodes: packs, and the junction where the chain of their boundary
// constraints is eliminated. A tree knows them by this interface, since a pack is a type of one instruction set
// (lanes/end_chain_pack.hpp). A junction runs after its packs in a gather, before them in a scatter.

#include "engine/algorithm/dial/constraint_force.hpp"

namespace kinetree::inline inner {

template <class S>
class EndChainSweep {
 public:
  virtual ~EndChainSweep() = default;
  virtual void expect_external_forces() = 0;

  // packs
  /// Gather: joint positions, and how a motion is handed through each module.
  virtual void compose(int pack, const State<S>& state) = 0;
  /// Gather: velocities, inertias, biases and systems of the modules.
  virtual void articulate(int pack) = 0;
  /// Scatter: accelerations inside the modules.
  virtual void accelerate(int pack, RightSide side) = 0;
  /// Each: accelerations of the cut joints. `last`: no refinement follows, so that results are stored.
  virtual void close(int pack, const Dial<S>& tree, RightSide side, bool last) = 0;
  /// Gather: the residual of the answer so far.
  virtual void correct(int pack) = 0;

  // the junction
  /// Scatter: velocities at the modules' bases.
  virtual void hand_down(const Context<S>& x, const Kinematics<S>& tree) = 0;
  /// Gather: eliminates the boundary constraints, and adds to the slot of what the chain hangs from.
  virtual void rake(const Dial<S>& tree) = 0;
  virtual void rake_refinement(const Dial<S>& tree) = 0;
  /// Scatter: boundary constraint forces.
  virtual void find_forces(const Dial<S>& tree, RightSide side) = 0;

  /// As Solver's.
  virtual int singular_body() const = 0;
};

}  // namespace kinetree::inline inner
