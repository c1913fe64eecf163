#include "engine/io/solid_inertia.hpp"

#include <numbers>

namespace kinetree::inline inner {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

Matrix3d moments_of(double x, double y, double z) { return Vector3d(x, y, z).asDiagonal(); }

/// Sums of two squares about each axis.
Matrix3d squares_across(const Vector3d& s) {
  const Vector3d square = s.cwiseProduct(s);
  return moments_of(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
}

}  // namespace

SolidInertia solid_sphere(double r) {
  SolidInertia out;
  out.mass = 4 * std::numbers::pi / 3 * r * r * r;
  out.moments = moments_of(.4, .4, .4) * (out.mass * r * r);
  return out;
}

SolidInertia solid_cylinder(double r, double h) {
  SolidInertia out;
  out.mass = std::numbers::pi * r * r * h;
  const double across = out.mass * (3 * r * r + h * h) / 12;
  out.moments = moments_of(across, across, out.mass * r * r / 2);
  return out;
}

SolidInertia solid_capsule(double r, double h) {
  SolidInertia out;
  const double tube = std::numbers::pi * r * r * h, ends = 4 * std::numbers::pi / 3 * r * r * r;
  const double across = tube * (3 * r * r + h * h) / 12 + ends * (.4 * r * r + h * h / 4 + 3 * h * r / 8);
  out.mass = tube + ends;
  out.moments = moments_of(across, across, tube * r * r / 2 + ends * .4 * r * r);
  return out;
}

SolidInertia solid_box(const Vector3d& half) {
  SolidInertia out;
  out.mass = 8 * half.prod();
  out.moments = squares_across(half) * (out.mass / 3);
  return out;
}

SolidInertia solid_ellipsoid(const Vector3d& half) {
  SolidInertia out;
  out.mass = 4 * std::numbers::pi / 3 * half.prod();
  out.moments = squares_across(half) * (out.mass / 5);
  return out;
}

SolidInertia solid_cone(double r, double h) {
  SolidInertia out;
  out.mass = std::numbers::pi / 3 * r * r * h;
  out.centre[2] = -h / 4;
  const double across = 3 * out.mass * (4 * r * r + h * h) / 80;
  out.moments = moments_of(across, across, .3 * out.mass * r * r);
  return out;
}

SolidInertia placed(const SolidInertia& inertia, const Matrix3d& R, const Vector3d& at) {
  return {inertia.mass, at + R * inertia.centre, R * inertia.moments * R.transpose()};
}

SolidInertia sum_of(const std::vector<SolidInertia>& parts) {
  SolidInertia sum;
  for (const SolidInertia& part : parts) {
    sum.mass += part.mass;
    sum.centre += part.mass * part.centre;
  }
  sum.centre /= sum.mass;
  for (const SolidInertia& part : parts) {
    const Vector3d d = part.centre - sum.centre;
    sum.moments += part.moments + part.mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  }
  return sum;
}

}  // namespace kinetree::inline inner
