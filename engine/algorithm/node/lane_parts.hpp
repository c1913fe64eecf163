#pragma once
// Parts of a tree side by side as a node. A tree knows them by this interface, since the pack that their numbers stand
// in is a type of one instruction set (lanes/limb_pack.hpp, lanes/end_chain_pack.hpp).

#include <kinetree/status.hpp>

#include "engine/algorithm/articulated_body.hpp"

namespace kinetree::inline inner {

/// What a right-hand side is: the whole problem, or the residual of an answer.
enum class RightSide { problem, residual };

template <class S>
class LaneParts {
 public:
  virtual ~LaneParts() = default;
  virtual void expect_external_forces() = 0;
  /// As Solver's.
  virtual int singular_body() const = 0;
  virtual Status loop_fault() const = 0;
  virtual int idle_body() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// A group of limbs, which other bodies of the tree carry, or the ground.
template <class S>
class LaneLimbs : public LaneParts<S> {
 public:
  /// Gather: inertias and biases, from the tree's velocities. Writes a sum per parent body, in its first limb's slot.
  virtual void articulate(const Context<S>&, const Kinematics<S>&, ArticulatedBody<S>& tree) = 0;
  /// Scatter: accelerations, from those of the tree's bodies for this right-hand side, to the tree's results.
  virtual void accelerate(const Context<S>&, const std::vector<Motion<S>>& a, RightSide) = 0;
  /// Gather: the residual of the answer so far. `f_up`: over the tree's bodies, as ModuleEquations has it.
  virtual void correct(const Context<S>&, ArticulatedBody<S>& tree, std::vector<Force<S>>& f_up) = 0;
};

template <class S>
struct Dial;
template <class S>
struct VelocityScan;

/// Some modules of an end chain, one after another, with which the dial has to do as with one module: between the cut
/// joint of the first one's base and that behind the last.
template <class S>
class LaneModules : public LaneParts<S> {
 public:
  /// Gather: joint positions, and how a motion is handed through.
  virtual void compose(const Dial<S>&, VelocityScan<S>&, int step) = 0;
  /// Scatter: velocities at the modules' bases.
  virtual void hand_down(const Dial<S>&, VelocityScan<S>&, int step) = 0;
  /// Gather: inertias and biases, to the step's system.
  virtual void articulate(const Dial<S>&, int step) = 0;
  /// Scatter: accelerations, from the constraint forces on both sides.
  virtual void accelerate(const Dial<S>&, RightSide, int step) = 0;
  /// Each: accelerations of the cut joints, all but that behind the last. `last`: no refinement follows, so that
  /// results are stored.
  virtual void close(const Dial<S>&, RightSide, int step, bool last) = 0;
  /// Gather: the residual of the answer so far, to the step's system.
  virtual void correct(const Dial<S>&, int step) = 0;
};

}  // namespace kinetree::inline inner
