#pragma once
// Inertias of solid bodies of unit density, and of several put together. Every format's come from here.

#include <Eigen/Core>
#include <vector>

namespace kinetree::inline inner {

/// Mass, centre and moments about it, in any frame.
struct SolidInertia {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  double enclosed = 0;  ///< the mass between a mesh's faces, whatever it is taken for; 0: unknown, or no mesh
};

/// In the middle of their axes; cylinder, capsule and cone lie along z, and a capsule's length is that between its half
/// spheres.
SolidInertia solid_sphere(double radius);
SolidInertia solid_cylinder(double radius, double length);
SolidInertia solid_capsule(double radius, double length);
SolidInertia solid_box(const Eigen::Vector3d& half);
SolidInertia solid_ellipsoid(const Eigen::Vector3d& half);
/// Its tip stands at length/2, its base at -length/2, so that its centre of mass is at -length/4.
SolidInertia solid_cone(double radius, double length);

/// The same in axes in which its own stand turned by `R`, its origin at `at`.
SolidInertia placed(const SolidInertia& inertia, const Eigen::Matrix3d& R, const Eigen::Vector3d& at);

/// Of all together, which stand in common axes; their masses must not sum up to 0.
SolidInertia sum_of(const std::vector<SolidInertia>& parts);

}  // namespace kinetree::inline inner
