#include "engine/model/rigid_body_check.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/placement.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

InertiaVerdict check_inertia(const RigidInertia<double>& a) {
  InertiaVerdict verdict;
  if (!std::isfinite(a.mass + a.h.x + a.h.y + a.h.z + a.I.xx + a.I.yy + a.I.zz + a.I.xy + a.I.xz + a.I.yz)) {
    verdict.severity = Severity::error;
    verdict.message = "inertia about the body's origin is beyond the largest number";
    return verdict;
  }
  auto& e = verdict.eigenvalues;
  e = eigenvalues(about_com(a));
  if (!std::isfinite(e[0] + e[1] + e[2])) {  // no comparison below would tell
    verdict.severity = Severity::error;
    verdict.message = "inertia about the centre of mass is no number: the mass is too small beside the others";
    return verdict;
  }
  const double largest = std::max(std::abs(e[0]), std::abs(e[2]));
  // taking m c² off loses digits where the centre of mass is far from the origin
  const double rounding = 1e-14 * (std::abs(a.I.xx) + std::abs(a.I.yy) + std::abs(a.I.zz));
  const double negative = -e[0], triangle = e[2] - e[1] - e[0], breach = std::max(negative, triangle);
  if (!(breach > 1e-9 * largest + rounding)) return verdict;
  // Digits that were printed may leave so little; more makes a mass matrix indefinite. The triangle's inequality is a
  // matter of shape alone: the equations of motion hold whatever it says.
  verdict.severity = negative > 1e-6 * largest + rounding ? Severity::error : Severity::warning;
  verdict.message = "inertia about the centre of mass has principal moments " + number_text(e[0]) + ", " +
                    number_text(e[1]) + ", " + number_text(e[2]) + "; ";
  verdict.message += negative > 1e-9 * largest + rounding ? "none may be negative"
                                                          : "a rigid body's never exceed the sum of the other two";
  return verdict;
}

}  // namespace kinetree::inline inner
