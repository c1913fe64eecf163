#include "rigid_body_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "placement.hpp"

namespace kinetree {

InertiaVerdict check_inertia(const RigidInertia<double>& a) {
  InertiaVerdict verdict;
  if (!std::isfinite(a.mass + a.h.x + a.h.y + a.h.z + a.I.xx + a.I.yy + a.I.zz + a.I.xy + a.I.xz + a.I.yz)) {
    verdict.severity = Severity::error;
    verdict.message = "inertia about the body's origin is beyond the largest number";
    return verdict;
  }
  auto& e = verdict.eigenvalues;
  e = eigenvalues(about_com(a));
  const double largest = std::max(std::abs(e[0]), std::abs(e[2]));
  // taking m c² off loses digits where the centre of mass is far from the origin
  const double rounding = 1e-14 * (std::abs(a.I.xx) + std::abs(a.I.yy) + std::abs(a.I.zz));
  const double negative = -e[0], triangle = e[2] - e[1] - e[0], breach = std::max(negative, triangle);
  if (!(breach > 1e-9 * largest + rounding)) return verdict;
  // Moments printed with two digits turn a thin body's triangle over by this much, and move no answer further than
  // those digits do; a negative moment makes a mass matrix indefinite.
  const bool error = negative > 1e-6 * largest + rounding || triangle > 0.02 * largest + rounding;
  verdict.severity = error ? Severity::error : Severity::warning;
  char text[200];
  std::snprintf(text, sizeof text, "inertia about the centre of mass has principal moments %.9g, %.9g, %.9g; ", e[0],
                e[1], e[2]);
  verdict.message = text;
  verdict.message +=
      negative > 1e-9 * largest + rounding ? "none may be negative" : "none may exceed the sum of the other two";
  return verdict;
}

}  // namespace kinetree
