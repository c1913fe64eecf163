#pragma once
// Placements and inertias of a Description as spatial quantities, in double.

#include <array>
#include <kinetree/description.hpp>
#include <kinetree/export.hpp>

#include "engine/spatial/articulated_inertia.hpp"

namespace kinetree::inline inner {

/// Motion from the outer frame to the placed one.
KINETREE_EXPORT Transform<double> transform_of(const Placement& placement);

/// The other way round: where the placed frame is.
KINETREE_EXPORT Placement placement_of(const Transform<double>& X);

/// Where a frame is that is placed in a placed one.
KINETREE_EXPORT Placement compose(const Placement& outer, const Placement& inner);

/// The inverse transform.
KINETREE_EXPORT Transform<double> inverse(const Transform<double>& X);

/// The rotation (frame to turned frame) that turns z to `axis` by the shortest way; for -z half a turn about x.
Matrix3<double> turn_z_to(const Numbers3& axis);

/// Inertia about the body frame's origin, in the body frame.
RigidInertia<double> rigid_inertia(const InertialDescription& inertial);

/// Rotational inertia about the centre of mass; zero where the body is massless.
Symmetric3<double> about_com(const RigidInertia<double>& I);

/// Ascending eigenvalues.
std::array<double, 3> eigenvalues(const Symmetric3<double>& I);

}  // namespace kinetree::inline inner
