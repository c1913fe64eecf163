#pragma once
// Parts of a tree side by side as a node. A tree knows them by this interface, since the pack that their numbers stand
// in is a type of one instruction set (lanes/limb_pack.hpp, lanes/end_chain_pack.hpp).

#include <kinetree/status.hpp>

#include "engine/algorithm/articulated_body.hpp"

namespace kinetree::inline inner {

/// What a right-hand side is: the whole problem, or the residual of an answer.
enum class RightSide { problem, residual };

/// A group of limbs, or the modules of an end chain. Articulated bodies ask for `articulate` and `accelerate` alone,
/// the dial for all of these; what parts have no use for does nothing. `pack`: which of an end chain's packs; -1: their
/// junction, where the chain of boundary constraints is eliminated, which runs after the packs in a gather and before
/// them in a scatter. Limbs are one pack.
template <class S>
class LaneParts {
 public:
  virtual ~LaneParts() = default;
  virtual void expect_external_forces() = 0;
  /// Gather: joint positions, and how a motion is handed through each module.
  virtual void compose(int /*pack*/, const State<S>&) {}
  /// Scatter: velocities at the modules' bases.
  virtual void hand_down(int /*pack*/, const Context<S>&, const Kinematics<S>&) {}
  /// Gather: inertias and biases, from the tree's velocities; adds to the slots of what the parts hang from.
  virtual void articulate(int pack, const Context<S>&, const Kinematics<S>&, ArticulatedBody<S>& tree) = 0;
  /// Scatter: accelerations, from those of the tree's bodies for this right-hand side, to the tree's results.
  virtual void accelerate(int pack, const Context<S>&, const std::vector<Motion<S>>& a, RightSide) = 0;
  /// Each: accelerations of the cut joints. `answer`: of the tree's bodies so far; `last`: no refinement follows, so
  /// that results are stored.
  virtual void close(int /*pack*/, const Context<S>&, const std::vector<Motion<S>>& /*answer*/,
                     const std::vector<Motion<S>>& /*a*/, RightSide, bool /*last*/) {}
  /// Gather: the residual of the answer so far. `f_up`: over the tree's bodies, as ModuleEquations has it.
  virtual void correct(int pack, const Context<S>&, ArticulatedBody<S>& tree, std::vector<Force<S>>& f_up) = 0;
  /// As Solver's.
  virtual int singular_body(int pack) const = 0;
  virtual Status loop_fault() const = 0;
  virtual int idle_body() const = 0;
  virtual std::size_t bytes() const = 0;
};

}  // namespace kinetree::inline inner
