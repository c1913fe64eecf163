#pragma once
// Semi-implicit Euler's steps of floating joints. In axes that turn the components of a velocity change though no force
// acts, and their sums drift: a ball that flies and spins would gain energy in every step. So a step is made in axes
// that stand still, and by the body's own centre of mass, since any other point of a free body moves on a circle: its
// velocity grows by h times its acceleration, it goes on straight by h times that velocity, and a free body keeps its
// linear momentum to rounding. An angular velocity wants no transport, w x w = 0, and neither do spherical joints.
//
// Only the ground stands still. A floating joint that a moving body carries has its velocity relative to that body,
// which turns and accelerates; so its absolute velocity takes the step, seen from where its parent's step ends.
//
// An interface that knows no pack, as LaneSolver is: states go side by side, a lane each, in kernels of the instruction
// set. One lane and many give equal bits.

#include <kinetree/export.hpp>
#include <kinetree/joint_type.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// A joint that floats, or carries a body on a floating joint.
struct FloatingJoint {
  int body, q, v;          ///< where its numbers begin
  int parent;              ///< the place of the body's parent among these joints; -1: the ground
  bool carries;            ///< outboard of it another floats
  Vector3<double> centre;  ///< of its body's own mass, in the body's axes, where the state has none of its own
};

/// Those of a model, by ascending bodies.
KINETREE_EXPORT std::vector<FloatingJoint> floating_joints(const ModelData& model);

/// Steps of some states of one model. A thread has its own.
class FloatingSteps {
 public:
  /// Centres of mass of a state's own, one a joint; null: the model's.
  using Centres = const Vector3<double>*;
  struct Column {
    const double *q0, *v0;  ///< where the step begins
    const double* a;        ///< accelerations there
    double *q, *v;          ///< become those of its end
    Centres centres;
  };

  virtual ~FloatingSteps() = default;
  /// How many states it takes at a time.
  virtual int width() const = 0;
  /// Between 1 and width() states. `ways`: v, which is v0 + h a, becomes, of floating joints, the velocity that they
  /// move by, in the axes and at the place of the start; else it is left to `drift`.
  virtual void kick(double h, std::span<const Column> columns, bool ways) = 0;
  /// After `kick` of the same states: floating joints move by a step of h, where the others have moved, and their v
  /// turns into the axes of the step's end. Quaternions are left with any length but zero.
  virtual void drift(double h, std::span<const Column> columns) = 0;
};

/// Of a model with such joints, which must outlive it. `many`: a register of states at a time, else one.
KINETREE_EXPORT std::unique_ptr<FloatingSteps> make_floating_steps(InstructionSet set, bool many,
                                                                   const ModelData& model);

namespace lanes {

/// What a factory is handed, as Order is.
struct FloatingOrder {
  const ModelData* model;
  const std::vector<FloatingJoint>* joints;
  bool many;
};
FloatingSteps* make_avx2_floating(const FloatingOrder& order);
FloatingSteps* make_avx512_floating(const FloatingOrder& order);

}  // namespace lanes

}  // namespace kinetree::inline inner
