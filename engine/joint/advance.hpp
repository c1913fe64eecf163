#pragma once
// The configuration manifold, joint by joint: q := q (+) x, its inverse, and positions' rates. The exponential and the
// logarithm of rotations and rigid motions are those of Murray, Li & Sastry 1994, Sec. 2.2 and 2.3 and App. A.

#include <cmath>
#include <kinetree/joint_type.hpp>
#include <limits>
#include <type_traits>

namespace kinetree::inline inner {

/// Where a joint's quaternion begins among its positions; -1: it has none.
constexpr int quaternion_at(JointType type) { return facts_of(type).quaternion; }

/// Position k of a joint that stands at zero: 1 where it is a quaternion's real part, the last of four, else 0.
constexpr double zero_position(JointType type, int k) {
  return quaternion_at(type) >= 0 && k == quaternion_at(type) + 3 ? 1 : 0;
}

/// Whether velocity k of a joint, and position k before its quaternion, is a displacement; else it is an angle or its
/// rate.
constexpr bool slides(JointType type, int k) { return (facts_of(type).slides >> k & 1u) != 0; }

namespace advance_detail {

template <class T>
T square(const T* x) {
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

template <class T>
void cross(const T* a, const T* b, T* out) {
  out[0] = a[1] * b[2] - a[2] * b[1], out[1] = a[2] * b[0] - a[0] * b[2], out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Whether two terms of a factor's series are exact at this angle. At larger angles the factors lose digits, but no
/// more than they are multiplied with powers of the angle.
template <class T>
bool series_does(const T& angle_squared) {
  using std::sqrt;
  return angle_squared < sqrt(T(std::numeric_limits<T>::epsilon()));
}

/// out := p r of quaternions x, y, z, w; `sign` -1: of p's inverse and r.
template <class T>
void product(int sign, const T* p, const T* r, T* out) {
  const T a = sign * p[0], b = sign * p[1], c = sign * p[2], w = p[3];
  out[0] = w * r[0] + a * r[3] + b * r[2] - c * r[1];
  out[1] = w * r[1] - a * r[2] + b * r[3] + c * r[0];
  out[2] = w * r[2] + a * r[1] - b * r[0] + c * r[3];
  out[3] = w * r[3] - a * r[0] - b * r[1] - c * r[2];
}

/// x := R x of a unit quaternion p; `sign` -1: by its inverse.
template <class T>
void rotate(int sign, const T* p, T* x) {
  const T u[3]{sign * p[0], sign * p[1], sign * p[2]};
  T t[3], s[3];
  cross(u, x, t);
  cross(u, t, s);
  for (int k = 0; k < 3; ++k) x[k] += 2 * (p[3] * t[k] + s[k]);
}

/// Any quaternion but zero to one of unit length; scaled first, so that squares neither vanish nor overflow. One that
/// is a unit to rounding keeps its bits, so that a state which is brought back twice stands where it stood.
template <class T>
void normalize(T* p) {
  using std::abs;
  using std::sqrt;
  if constexpr (std::is_floating_point_v<T>)
    if (abs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1) <= 2 * std::numeric_limits<T>::epsilon()) return;
  T largest(0), squares(0);
  for (int k = 0; k < 4; ++k)
    if (abs(p[k]) > largest) largest = abs(p[k]);
  for (int k = 0; k < 4; ++k) p[k] /= largest, squares += p[k] * p[k];
  const T norm = sqrt(squares);
  for (int k = 0; k < 4; ++k) p[k] /= norm;
}

/// out := exp(x / 2), the quaternion x, y, z, w of a turn x (rad).
template <class T>
void exponential(const T* x, T* out) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T square_ = square(x), angle = sqrt(square_);
  const T s = series_does(square_) ? T(1) / 2 - square_ / 48 : T(sin(angle / 2) / angle);
  out[0] = s * x[0], out[1] = s * x[1], out[2] = s * x[2], out[3] = cos(angle / 2);
}

/// q := q exp(x / 2), a quaternion x, y, z, w that maps child to parent and a turn (rad) in child coordinates.
template <class T>
void turn(T* q, const T* x) {
  T turned[4], p[4]{q[0], q[1], q[2], q[3]};
  exponential(x, turned);
  product(1, p, turned, q);
  normalize(q);
}

/// The way of the child's origin while it turns by w at constant velocity, in the axes that it begins with: u := V u,
/// V = 1 + (1 - cos a) / a² [w] + (a - sin a) / a³ [w]², a = |w|.
template <class T>
void bend(const T* w, T* u) {
  using std::sin;
  using std::sqrt;
  const T square_ = square(w), angle = sqrt(square_), half = sin(angle / 2);
  const bool small = series_does(square_);
  const T first = small ? T(1) / 2 - square_ / 24 : T(2 * half * half / square_);
  const T second = small ? T(1) / 6 - square_ / 120 : T((1 - sin(angle) / angle) / square_);
  T t[3], s[3];
  cross(w, u, t);
  cross(w, t, s);
  for (int k = 0; k < 3; ++k) u[k] += first * t[k] + second * s[k];
}

/// The turn (rad, child axes) from one orientation to another, the shorter way round; `half_cotangent`: of half its
/// angle, times that half.
template <class T>
void turn_between(const T* from, const T* to, T* turn, T& half_cotangent) {
  using std::atan2;
  using std::sqrt;
  T p[4], a[4]{from[0], from[1], from[2], from[3]}, b[4]{to[0], to[1], to[2], to[3]};
  normalize(a), normalize(b);
  product(-1, a, b, p);
  if (p[3] < 0)
    for (T& number : p) number = -number;
  const T sine = sqrt(square(p));
  const T half = sine > 0 ? T(atan2(sine, p[3])) : T(0), factor = sine > 0 ? T(2 * half / sine) : T(2);
  half_cotangent = sine > 0 ? T(half * p[3] / sine) : T(1);
  for (int k = 0; k < 3; ++k) turn[k] = factor * p[k];
}

}  // namespace advance_detail

/// Brings the joint's quaternion, where it has one, to unit length.
template <class T>
void normalize(JointType type, T* q) {
  if (const int at = quaternion_at(type); at >= 0) advance_detail::normalize(q + at);
}

/// `x`: velocity times time, velocity_count(type) entries, in the conventions of v. Exact for a constant velocity. A
/// quaternion is of unit length thereafter.
template <class T>
void advance(JointType type, T* q, const T* x) {
  using namespace advance_detail;
  if (type == JointType::spherical) return turn(q, x);
  if (type == JointType::floating) {
    T way[3]{x[0], x[1], x[2]};
    normalize(q + 3);
    bend(x + 3, way);
    rotate(1, q + 3, way);
    for (int k = 0; k < 3; ++k) q[k] += way[k];
    return turn(q + 3, x + 3);
  }
  for (int k = 0; k < velocity_count(type); ++k) q[k] += x[k];
}

/// The x with which `advance` leads from q0 to q, turns of at most half a turn.
template <class T>
void difference(JointType type, const T* q0, const T* q, T* x) {
  using namespace advance_detail;
  T half_cotangent;
  if (type == JointType::spherical) return turn_between(q0, q, x, half_cotangent);
  if (type == JointType::floating) {
    T *w = x + 3, p[4]{q0[3], q0[4], q0[5], q0[6]};
    turn_between(q0 + 3, q + 3, w, half_cotangent);
    for (int k = 0; k < 3; ++k) x[k] = q[k] - q0[k];
    normalize(p);
    rotate(-1, p, x);
    // the inverse of `bend`: 1 - [w] / 2 + (1 - a / 2 cot(a / 2)) / a² [w]²
    const T square_ = square(w);
    const T second = series_does(square_) ? T(1) / 12 + square_ / 720 : T((1 - half_cotangent) / square_);
    T t[3], s[3];
    cross(w, x, t);
    cross(w, t, s);
    for (int k = 0; k < 3; ++k) x[k] += second * s[k] - t[k] / 2;
    return;
  }
  for (int k = 0; k < velocity_count(type); ++k) x[k] = q[k] - q0[k];
}

/// dq/dt for velocities v, position_count(type) entries: a quaternion's rate is half its product with the turn, as it
/// stands where its norm is not quite one.
inline void position_rates(JointType type, const double* q, const double* v, double* rate) {
  using namespace advance_detail;
  const int at = quaternion_at(type);
  if (at < 0) {
    for (int k = 0; k < velocity_count(type); ++k) rate[k] = v[k];
    return;
  }
  const double *p = q + at, turn[4]{v[at] / 2, v[at + 1] / 2, v[at + 2] / 2, 0};
  product(1, p, turn, rate + at);
  if (type != JointType::floating) return;
  double unit[4]{p[0], p[1], p[2], p[3]};
  normalize(unit);
  for (int k = 0; k < 3; ++k) rate[k] = v[k];
  rotate(1, unit, rate);
}

}  // namespace kinetree::inline inner
