#pragma once
// 3-vectors, 3x3 matrices and symmetric 3x3 matrices: small explicit structs on any scalar.

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

template <class S>
struct Vector3 {
  S x{}, y{}, z{};

  /// Takes another's numbers one by one, as do all that are called so. A copy as a whole reads by wide moves: where the
  /// numbers were just stored one by one it waits for all of these stores.
  KINETREE_INLINE void take(const Vector3& b) { x = b.x, y = b.y, z = b.z; }

  KINETREE_INLINE Vector3& operator+=(const Vector3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  KINETREE_INLINE Vector3& operator-=(const Vector3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  KINETREE_INLINE friend Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  KINETREE_INLINE friend Vector3 operator-(const Vector3& a, const Vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  KINETREE_INLINE friend Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  KINETREE_INLINE friend Vector3 operator*(const S& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class S>
KINETREE_INLINE S dot(const Vector3<S>& a, const Vector3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
KINETREE_INLINE Vector3<S> cross(const Vector3<S>& a, const Vector3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A general 3x3 matrix, row by row.
template <class S>
struct Matrix3 {
  S xx{}, xy{}, xz{};
  S yx{}, yy{}, yz{};
  S zx{}, zy{}, zz{};

  KINETREE_INLINE void take(const Matrix3& b) {
    xx = b.xx, xy = b.xy, xz = b.xz;
    yx = b.yx, yy = b.yy, yz = b.yz;
    zx = b.zx, zy = b.zy, zz = b.zz;
  }
  static Matrix3 identity() { return {S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)}; }

  KINETREE_INLINE Matrix3& operator+=(const Matrix3& b) {
    xx += b.xx, xy += b.xy, xz += b.xz;
    yx += b.yx, yy += b.yy, yz += b.yz;
    zx += b.zx, zy += b.zy, zz += b.zz;
    return *this;
  }
  KINETREE_INLINE friend Matrix3 operator+(Matrix3 a, const Matrix3& b) { return a += b; }
  KINETREE_INLINE friend Vector3<S> operator*(const Matrix3& a, const Vector3<S>& b) {
    return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.yx * b.x + a.yy * b.y + a.yz * b.z,
            a.zx * b.x + a.zy * b.y + a.zz * b.z};
  }
  KINETREE_INLINE friend Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
    return {a.xx * b.xx + a.xy * b.yx + a.xz * b.zx, a.xx * b.xy + a.xy * b.yy + a.xz * b.zy,
            a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.yx * b.xx + a.yy * b.yx + a.yz * b.zx,
            a.yx * b.xy + a.yy * b.yy + a.yz * b.zy, a.yx * b.xz + a.yy * b.yz + a.yz * b.zz,
            a.zx * b.xx + a.zy * b.yx + a.zz * b.zx, a.zx * b.xy + a.zy * b.yy + a.zz * b.zy,
            a.zx * b.xz + a.zy * b.yz + a.zz * b.zz};
  }
};

/// aᵀ b.
template <class S>
KINETREE_INLINE Vector3<S> transpose_times(const Matrix3<S>& a, const Vector3<S>& b) {
  return {a.xx * b.x + a.yx * b.y + a.zx * b.z, a.xy * b.x + a.yy * b.y + a.zy * b.z,
          a.xz * b.x + a.yz * b.y + a.zz * b.z};
}

template <class S>
KINETREE_INLINE Matrix3<S> transpose(const Matrix3<S>& a) {
  return {a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
}

/// A symmetric 3x3 matrix by its six distinct entries.
template <class S>
struct Symmetric3 {
  S xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  KINETREE_INLINE void take(const Symmetric3& b) { xx = b.xx, yy = b.yy, zz = b.zz, xy = b.xy, xz = b.xz, yz = b.yz; }
  KINETREE_INLINE Symmetric3& operator+=(const Symmetric3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  KINETREE_INLINE friend Symmetric3 operator+(Symmetric3 a, const Symmetric3& b) { return a += b; }
  KINETREE_INLINE friend Vector3<S> operator*(const Symmetric3& a, const Vector3<S>& b) {
    return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
            a.xz * b.x + a.yz * b.y + a.zz * b.z};
  }
};

}  // namespace kinetree::inline inner
