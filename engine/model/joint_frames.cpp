#include "engine/model/joint_frames.hpp"

#include <cmath>

#include "engine/joint/joint.hpp"
#include "engine/model/placement.hpp"

namespace kinetree::inline inner {
namespace {

Vector3<double> vector(const Numbers3& a) { return {a[0], a[1], a[2]}; }

Matrix3<double> rows(const Vector3<double>& x, const Vector3<double>& y, const Vector3<double>& z) {
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

}  // namespace

JointFrames joint_frames(JointType type, const JointDescription& joint) {
  if (!has_axis(type)) return {Matrix3<double>::identity(), Matrix3<double>::identity(), {}};
  if (type != JointType::universal) {
    const Matrix3<double> E = turn_z_to(joint.axis);
    JointFrames frames{E, E, {}};
    if (type == JointType::helical)
      frames.constant[0] = joint.pitch, frames.constant[1] = 1 / std::sqrt(1 + joint.pitch * joint.pitch);
    return frames;
  }
  const Vector3<double> a = vector(joint.axis), b = vector(*joint.axis2), normal = cross(a, b);
  const double sine = std::sqrt(dot(normal, normal)), cosine = dot(a, b), size = std::hypot(sine, cosine);
  const Vector3<double> x = (1 / sine) * normal;
  return {rows(x, cross(a, x), a), rows(x, cross(b, x), b), {cosine / size, sine / size}};
}

Transform<double> joint_motion(JointType type, const JointDescription& joint, const double* q) {
  const JointFrames frames = joint_frames(type, joint);
  Link<double> link;
  link.X_tree = {frames.first, {0, 0, 0}};
  link.constant[0] = frames.constant[0], link.constant[1] = frames.constant[1];
  const double v[6]{};
  Transform<double> X;
  Motion<double> columns[6], cJ;
  joint_at(type, link, q, v, X, columns, cJ);
  return {transpose(frames.body) * X.E, X.r};
}

LoopFrames loop_frames(LoopType type, const LoopDescription& loop) {
  if (!has_axis(type)) return {Matrix3<double>::identity(), Matrix3<double>::identity()};
  const Matrix3<double> first = turn_z_to(loop.axis);
  if (type != LoopType::universal) return {first, first};
  return {first, turn_z_to(*loop.axis2), dot(vector(loop.axis), vector(*loop.axis2))};
}

}  // namespace kinetree::inline inner
