#pragma once
// Bodies in halves (design: Which joints may be cut). Where a joint can't be cut, its inboard body can: its inertia is
// split in two halves joined by a weld. A partition then works on a model in which the halves are two bodies and the
// weld is a joint like any other, without degrees of freedom and always cut.

#include <memory>
#include <span>
#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

struct SplitModel {
  std::shared_ptr<const ModelData> model;
  std::vector<int> inboard;   ///< over the user's bodies: the body, or its half with its joint
  std::vector<int> outboard;  ///< over the user's bodies: the half that the weld carries; -1: not split
};

/// Over bodies: whether to split one. Its own joint and the joint of a child may not be cut, and it or a child that its
/// outboard half takes has a rotor or is in an aggregate. The half takes the children from the first to the last whose
/// joint may not be cut; none between them may be of the body's own aggregate, whose members and loops stay inboard.
std::vector<bool> bodies_worth_splitting(const ModelData& model);

/// The children that the outboard half of a body would take; none where it may not be split.
std::span<const int> outboard_children(const ModelData& model, int body);

/// The model with some of those in halves. Velocities and positions keep their order, bodies and joints their names; an
/// outboard half is `link (outboard half)`, the joint that carries it `weld in link`.
SplitModel split_bodies(const ModelData& model, const std::vector<bool>& split);

}  // namespace kinetree::inline inner
