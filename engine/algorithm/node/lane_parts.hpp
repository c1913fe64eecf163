#pragma once
// Parts of a tree side by side as a node. A tree knows them by this interface, since the pack that their numbers stand
// in is a type of one instruction set (lanes/limb_pack.hpp, lanes/end_chain_pack.hpp).

#include <kinetree/status.hpp>

#include "engine/algorithm/articulated_body.hpp"

namespace kinetree::inline inner {

/// What a right-hand side is: the whole problem, or the residual of an answer.
enum class RightSide { problem, residual };

template <class S>
struct Dial;
template <class S>
struct VelocityScan;

/// A pack: one node, alone in its module, and in the dial one step. Limbs do nothing where motions are composed, handed
/// down and closed: their joints are not cut, and their kinematics go with the gather.
template <class S>
class LaneParts {
 public:
  virtual ~LaneParts() = default;
  virtual void expect_external_forces() = 0;

  /// Gather: joint positions, and how a motion is handed through.
  virtual void compose(const Dial<S>&, VelocityScan<S>&, int /*step*/) {}
  /// Scatter: velocities at the bases of modules.
  virtual void hand_down(const Dial<S>&, VelocityScan<S>&, int /*step*/) {}
  /// Gather: inertias and biases.
  virtual void articulate(const Dial<S>&, int step) = 0;
  /// Scatter: accelerations.
  virtual void accelerate(const Dial<S>&, RightSide, int step) = 0;
  /// Each: accelerations of cut joints. `last`: no refinement follows, so that results are stored.
  virtual void close(const Dial<S>&, RightSide, int /*step*/, bool /*last*/) {}
  /// Gather: the residual of the answer so far.
  virtual void correct(const Dial<S>&, int step) = 0;

  /// As Solver's.
  virtual int singular_body() const = 0;
  virtual Status loop_fault() const = 0;
  virtual int idle_body() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// A group of limbs, which other bodies of the tree carry, or the ground: a node where nothing is cut, too.
template <class S>
class LaneLimbs : public LaneParts<S> {
 public:
  using LaneParts<S>::articulate, LaneParts<S>::accelerate;
  /// Gather: inertias and biases, from the tree's velocities. Writes a sum per parent body, in its first limb's slot.
  virtual void articulate(const Context<S>&, const Kinematics<S>&, ArticulatedBody<S>& tree) = 0;
  /// Scatter: accelerations, from those of the tree's bodies for this right-hand side, to the tree's results.
  virtual void accelerate(const Context<S>&, const std::vector<Motion<S>>& a, RightSide) = 0;
};

}  // namespace kinetree::inline inner
