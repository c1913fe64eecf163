#pragma once
// Whether ten numbers can be the inertia of a rigid body.

#include <array>
#include <kinetree/model/finding.hpp>
#include <kinetree/spatial/rigid_inertia.hpp>
#include <string>

namespace kinetree {

/// What is to be said of an inertia.
struct InertiaVerdict {
  std::array<double, 3> eigenvalues{};   ///< about the centre of mass, ascending (kg m²)
  Severity severity = Severity::notice;  ///< error: beyond rounding; warning: no more than a few printed digits
  std::string message;                   ///< empty: nothing to say
};

/// Principal moments about the centre of mass must be >= 0, none larger than the sum of the others. A thin rod's zero
/// is valid. Below 1e-9 of the largest a breach is rounding, up to 1e-6 a warning, beyond an error.
InertiaVerdict check_inertia(const RigidInertia<double>& I);

}  // namespace kinetree
