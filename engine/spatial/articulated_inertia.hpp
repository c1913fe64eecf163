#pragma once
// The inertia of an articulated body: symmetric 6x6, 21 numbers (Featherstone 2008, Sec. 7.1).

#include "engine/spatial/rigid_inertia.hpp"
#include "engine/spatial/transform.hpp"

namespace kinetree::inline inner {

/// [I H; Hᵀ M]: moment = I w + H v, force = Hᵀ w + M v.
template <class S>
struct ArticulatedInertia {
  Symmetric3<S> I;
  Matrix3<S> H;
  Symmetric3<S> M;

  ArticulatedInertia() = default;
  ArticulatedInertia(const Symmetric3<S>& I_, const Matrix3<S>& H_, const Symmetric3<S>& M_) : I(I_), H(H_), M(M_) {}
  explicit ArticulatedInertia(const RigidInertia<S>& a)
      : I(a.I), H{S(0), -a.h.z, a.h.y, a.h.z, S(0), -a.h.x, -a.h.y, a.h.x, S(0)}, M{a.mass, a.mass, a.mass,
                                                                                    S(0),   S(0),   S(0)} {}

  /// A copy number by number.
  KINETREE_INLINE void take(const ArticulatedInertia& b) { I.take(b.I), H.take(b.H), M.take(b.M); }
  KINETREE_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    return I += b.I, H += b.H, M += b.M, *this;
  }
  KINETREE_INLINE ArticulatedInertia& operator+=(const RigidInertia<S>& b) {
    I += b.I;
    H.xy -= b.h.z, H.xz += b.h.y, H.yx += b.h.z, H.yz -= b.h.x, H.zx -= b.h.y, H.zy += b.h.x;
    M.xx += b.mass, M.yy += b.mass, M.zz += b.mass;
    return *this;
  }
  KINETREE_INLINE friend ArticulatedInertia operator+(ArticulatedInertia a, const ArticulatedInertia& b) {
    return a += b;
  }

  KINETREE_INLINE friend Force<S> operator*(const ArticulatedInertia& a, const Motion<S>& m) {
    return {a.I * m.angular + a.H * m.linear, transpose_times(a.H, m.angular) + a.M * m.linear};
  }

  /// Subtracts f fᵀ / d, f fixed.
  KINETREE_INLINE void downdate(const Force<S>& f, const Force<S>& f_over_d) {
    const auto &n = f.moment, &l = f.force, &nd = f_over_d.moment, &ld = f_over_d.force;
    I.xx -= n.x * nd.x, I.yy -= n.y * nd.y, I.zz -= n.z * nd.z;
    I.xy -= n.x * nd.y, I.xz -= n.x * nd.z, I.yz -= n.y * nd.z;
    H.xx -= n.x * ld.x, H.xy -= n.x * ld.y, H.xz -= n.x * ld.z;
    H.yx -= n.y * ld.x, H.yy -= n.y * ld.y, H.yz -= n.y * ld.z;
    H.zx -= n.z * ld.x, H.zy -= n.z * ld.y, H.zz -= n.z * ld.z;
    M.xx -= l.x * ld.x, M.yy -= l.y * ld.y, M.zz -= l.z * ld.z;
    M.xy -= l.x * ld.y, M.xz -= l.x * ld.z, M.yz -= l.y * ld.z;
  }
};

/// Eᵀ A E of a symmetric matrix.
template <class S>
KINETREE_INLINE Symmetric3<S> congruence(const Matrix3<S>& E, const Symmetric3<S>& A) {
  // columns of A E, then the six distinct entries of Eᵀ (A E)
  const Vector3<S> x = A * Vector3<S>{E.xx, E.yx, E.zx};
  const Vector3<S> y = A * Vector3<S>{E.xy, E.yy, E.zy};
  const Vector3<S> z = A * Vector3<S>{E.xz, E.yz, E.zz};
  return {E.xx * x.x + E.yx * x.y + E.zx * x.z, E.xy * y.x + E.yy * y.y + E.zy * y.z,
          E.xz * z.x + E.yz * z.y + E.zz * z.z, E.xx * y.x + E.yx * y.y + E.zx * y.z,
          E.xx * z.x + E.yx * z.y + E.zx * z.z, E.xy * z.x + E.yy * z.y + E.zy * z.z};
}

/// The same inertia about a point that is -r from the origin, in the same axes.
template <class S>
KINETREE_INLINE ArticulatedInertia<S> moved(const Vector3<S>& r, const ArticulatedInertia<S>& A) {
  const Symmetric3<S>&I = A.I, &M = A.M;
  const Matrix3<S>& H = A.H;
  // K = H + r x M, then I + r x Hᵀ - K r x, symmetric
  const Matrix3<S> K{
      H.xx + (r.y * M.xz - r.z * M.xy), H.xy + (r.y * M.yz - r.z * M.yy), H.xz + (r.y * M.zz - r.z * M.yz),
      H.yx + (r.z * M.xx - r.x * M.xz), H.yy + (r.z * M.xy - r.x * M.yz), H.yz + (r.z * M.xz - r.x * M.zz),
      H.zx + (r.x * M.xy - r.y * M.xx), H.zy + (r.x * M.yy - r.y * M.xy), H.zz + (r.x * M.yz - r.y * M.xz)};
  const Symmetric3<S> J{I.xx + (r.y * H.xz - r.z * H.xy) - (K.xy * r.z - K.xz * r.y),
                        I.yy + (r.z * H.yx - r.x * H.yz) - (K.yz * r.x - K.yx * r.z),
                        I.zz + (r.x * H.zy - r.y * H.zx) - (K.zx * r.y - K.zy * r.x),
                        I.xy + (r.y * H.yz - r.z * H.yy) - (K.xz * r.x - K.xx * r.z),
                        I.xz + (r.y * H.zz - r.z * H.zy) - (K.xx * r.y - K.xy * r.x),
                        I.yz + (r.z * H.zx - r.x * H.zz) - (K.yx * r.y - K.yy * r.x)};
  return {J, K, M};
}

/// Xᵀ A X: an inertia in b's coordinates, in a's (Featherstone 2008, Eq. 2.66).
template <class S>
KINETREE_INLINE ArticulatedInertia<S> congruence(const Transform<S>& X, const ArticulatedInertia<S>& A) {
  return moved(X.r, ArticulatedInertia<S>{congruence(X.E, A.I), transpose(X.E) * (A.H * X.E), congruence(X.E, A.M)});
}

/// Xᵀ I X of a rigid body, still ten numbers.
template <class S>
KINETREE_INLINE RigidInertia<S> congruence(const Transform<S>& X, const RigidInertia<S>& a) {
  const Vector3<S> h = transpose_times(X.E, a.h);
  const Symmetric3<S> I = congruence(X.E, a.I);
  const Vector3<S>& r = X.r;
  // h' = h + m r; I' = I - r x h x - h' x r x
  const Vector3<S> k = h + a.mass * r;
  return {a.mass,
          k,
          {I.xx + (r.y * h.y + r.z * h.z) + (k.y * r.y + k.z * r.z),
           I.yy + (r.x * h.x + r.z * h.z) + (k.x * r.x + k.z * r.z),
           I.zz + (r.x * h.x + r.y * h.y) + (k.x * r.x + k.y * r.y), I.xy - r.y * h.x - k.y * r.x,
           I.xz - r.z * h.x - k.z * r.x, I.yz - r.z * h.y - k.z * r.y}};
}

}  // namespace kinetree::inline inner
