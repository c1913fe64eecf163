#include "engine/model/own_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Whether minors show that no principal moment is below -3e-7 of their sum, thus -9e-7 of the largest: that of a thin
/// rod is zero, and to find it takes many times as long.
bool is_certainly_sound(const Symmetric3<double>& I) {
  const double least = 3e-7 * (I.xx + I.yy + I.zz);
  const double xx = I.xx + least, yy = I.yy + least, zz = I.zz + least;
  const double two = xx * yy - I.xy * I.xy;
  const double three =
      xx * (yy * zz - I.yz * I.yz) - I.xy * (I.xy * zz - I.yz * I.xz) + I.xz * (I.xy * I.yz - yy * I.xz);
  return least > 0 && xx > 0 && two > 0 && three > 0;
}

/// The rule of model files (check_inertia): principal moments that are negative by more than printed digits leave.
Status fault_of_body(const RigidInertia<double>& a, int body) {
  if (!(a.mass >= 0)) return {StatusCode::not_rigid, 0, body, a.mass, "mass"};
  const Symmetric3<double> I = about_com(a);
  if (is_certainly_sound(I)) return {};
  const auto e = eigenvalues(I);
  const double largest = std::max(std::abs(e[0]), std::abs(e[2]));
  const double rounding = 1e-14 * (std::abs(a.I.xx) + std::abs(a.I.yy) + std::abs(a.I.zz));
  if (-e[0] <= 1e-6 * largest + rounding) return {};
  return {StatusCode::not_rigid, 0, body, e[0], "inertia"};
}

}  // namespace

void OwnNumbers::set_nominal(std::vector<double> own) {
  nominal_in_float_.assign(own.size(), 0);
  std::transform(own.begin(), own.end(), nominal_in_float_.begin(), [](double x) { return static_cast<float>(x); });
  nominal_ = std::move(own);
}

template <class T>
Status OwnNumbers::fault(const T* own) const {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto x = static_cast<double>(own[r]);
    if (!std::isfinite(x)) return {StatusCode::not_finite, 0, rows[r].body, x, rows[r].name};
    // a bound is one in the caller's scalar too
    if (own[r] < static_cast<T>(rows[r].least) || own[r] > static_cast<T>(rows[r].most))
      return {StatusCode::out_of_bounds, 0, rows[r].body, x, rows[r].name};
  }
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (const Status status = fault_of_body(inertia(b, own), bodies[b].body); !status.ok()) return status;
  return {};
}

template <class T>
RigidInertia<double> OwnNumbers::inertia(std::size_t b, const T* own) const {
  RigidInertia<double> sum;
  std::size_t n = inertia_numbers * b;
  int term = n == 0 ? 0 : numbers[n - 1].last_term;
  for (int k = 0; k < inertia_numbers; ++k, ++n) {
    double x = numbers[n].constant;
    for (; term < numbers[n].last_term; ++term)
      x += terms[at(term)].factor * static_cast<double>(own[terms[at(term)].row]);
    number_of_inertia(sum, k) = x;
  }
  return sum;
}

template Status OwnNumbers::fault(const double*) const;
template Status OwnNumbers::fault(const float*) const;
template RigidInertia<double> OwnNumbers::inertia(std::size_t, const double*) const;
template RigidInertia<double> OwnNumbers::inertia(std::size_t, const float*) const;

}  // namespace kinetree::inline inner
