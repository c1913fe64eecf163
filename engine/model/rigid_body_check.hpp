#pragma once
// Whether ten numbers serve as the inertia of a body that moves.

#include <array>
#include <kinetree/finding.hpp>
#include <string>

#include "engine/spatial/rigid_inertia.hpp"

namespace kinetree::inline inner {

/// What is to be said of an inertia.
struct InertiaVerdict {
  std::array<double, 3> eigenvalues{};   ///< about the centre of mass, ascending (kg m²)
  Severity severity = Severity::notice;  ///< error: no mass matrix is certain to be positive; warning: it is
  std::string message;                   ///< empty: nothing to say
};

/// The 6x6 inertia must be positive semidefinite: principal moments about the centre of mass >= 0. Below 1e-9 of the
/// largest a negative one is rounding, up to 1e-6 a warning, beyond an error. One that exceeds the sum of the others,
/// which no distribution of mass has, is a warning of any size. A thin rod's zero is valid.
InertiaVerdict check_inertia(const RigidInertia<double>& I);

}  // namespace kinetree::inline inner
