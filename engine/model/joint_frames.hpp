#pragma once
// Axes of joints and of loop joints turned to z, as kernels see them, and the motion of a joint as the user describes
// it.

#include <kinetree/description.hpp>

#include "engine/spatial/transform.hpp"

namespace kinetree::inline inner {

/// The rotations from the link's frame at q = 0 to the joint's first frame and to the body's, and what else is
/// constant.
struct JointFrames {
  Matrix3<double> first, body;
  double constant[2]{};
};
JointFrames joint_frames(JointType type, const JointDescription& joint);

/// From the joint frame to the link's frame at positions q, as the joint has them; the axes are of unit length.
Transform<double> joint_motion(JointType type, const JointDescription& joint, const double* q);

/// The rotations from the frames of a loop's two ends to those whose z is the axis, and of a universal loop the cosine
/// of the angle between its axes; they are of unit length.
struct LoopFrames {
  Matrix3<double> first, second;
  double cosine = 0;
};
LoopFrames loop_frames(LoopType type, const LoopDescription& loop);

}  // namespace kinetree::inline inner
