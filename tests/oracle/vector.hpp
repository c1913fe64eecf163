#pragma once
// Plain 3-vectors and 3x3 matrices on any scalar, so that the oracle shares no line with the library's spatial layer.

#include <array>
#include <cmath>

namespace kinetree::oracle {

template <class S>
struct Vec {
  S x{}, y{}, z{};

  friend Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec operator*(const S& k, const Vec& a) { return {k * a.x, k * a.y, k * a.z}; }
  Vec& operator+=(const Vec& b) { return *this = *this + b; }
};

template <class S>
S dot(const Vec<S>& a, const Vec<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
Vec<S> cross(const Vec<S>& a, const Vec<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
Vec<S> unit(const Vec<S>& a) {
  using std::sqrt;
  return S(1) / sqrt(dot(a, a)) * a;
}
template <class S>
Vec<S> vec(const std::array<double, 3>& a) {
  return {S(a[0]), S(a[1]), S(a[2])};
}

/// Given by its columns.
template <class S>
struct Mat {
  Vec<S> x, y, z;

  static Mat identity() { return {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}}; }
  friend Vec<S> operator*(const Mat& A, const Vec<S>& v) { return v.x * A.x + v.y * A.y + v.z * A.z; }
  friend Mat operator*(const Mat& A, const Mat& B) { return {A * B.x, A * B.y, A * B.z}; }
};
template <class S>
Mat<S> transpose(const Mat<S>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

/// The rotation of a quaternion x, y, z, w (placed frame to the frame it is placed in): v -> q v q*, written out as
/// v + 2 w u x v + 2 u x (u x v) with the unit quaternion's vector part u.
template <class S>
Mat<S> rotation(const S& qx, const S& qy, const S& qz, const S& qw) {
  using std::sqrt;
  const S n = S(1) / sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  const Vec<S> u{n * qx, n * qy, n * qz};
  const S w = n * qw;
  const auto turned = [&](const Vec<S>& v) { return v + S(2) * (w * cross(u, v) + cross(u, cross(u, v))); };
  const Mat<S> one = Mat<S>::identity();
  return {turned(one.x), turned(one.y), turned(one.z)};
}

/// Rodrigues' formula about a unit axis.
template <class S>
Mat<S> rotation(const Vec<S>& axis, const S& angle) {
  using std::cos;
  using std::sin;
  const S s = sin(angle), c = cos(angle);
  const auto turned = [&](const Vec<S>& v) {
    return v + s * cross(axis, v) + (S(1) - c) * cross(axis, cross(axis, v));
  };
  const Mat<S> one = Mat<S>::identity();
  return {turned(one.x), turned(one.y), turned(one.z)};
}

/// The shortest rotation that carries z to a unit axis; half a turn about x for -z.
template <class S>
Mat<S> rotation_of_z_to(const Vec<S>& axis) {
  using std::sqrt;
  const Vec<S> z{S(0), S(0), S(1)};
  const Vec<S> n = cross(z, axis);
  const S sine = sqrt(dot(n, n));
  if (sine == S(0)) return axis.z > S(0) ? Mat<S>::identity() : rotation(S(1), S(0), S(0), S(0));
  using std::atan2;
  return rotation(S(1) / sine * n, S(atan2(sine, axis.z)));
}

}  // namespace kinetree::oracle
