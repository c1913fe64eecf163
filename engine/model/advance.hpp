#pragma once
// Moves a joint along its velocity for a while: q := q (+) x, on the configuration manifold.

#include <cmath>
#include <kinetree/model/joint_type.hpp>

namespace kinetree {

namespace advance_detail {

/// q := q * exp(x / 2), a quaternion x, y, z, w that maps child to parent and a turn (rad) in child coordinates.
inline void turn(double* q, const double* x) {
  const double angle = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48, c = std::cos(angle / 2);
  const double a = s * x[0], b = s * x[1], d = s * x[2];
  const double p[4]{q[3] * a + q[0] * c + q[1] * d - q[2] * b, q[3] * b - q[0] * d + q[1] * c + q[2] * a,
                    q[3] * d + q[0] * b - q[1] * a + q[2] * c, q[3] * c - q[0] * a - q[1] * b - q[2] * d};
  const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; ++k) q[k] = p[k] / norm;
}

}  // namespace advance_detail

/// `x`: velocity times time, velocity_count(type) entries, in the conventions of v. Exact for a constant velocity of
/// every type but floating, whose linear part is taken at the orientation half-way.
inline void advance(JointType type, double* q, const double* x) {
  switch (type) {
    case JointType::spherical:
      advance_detail::turn(q, x);
      break;
    case JointType::floating: {
      const double half[3]{x[3] / 2, x[4] / 2, x[5] / 2};
      advance_detail::turn(q + 3, half);
      const double a = q[3], b = q[4], c = q[5], w = q[6];
      q[0] += (1 - 2 * (b * b + c * c)) * x[0] + 2 * (a * b - w * c) * x[1] + 2 * (a * c + w * b) * x[2];
      q[1] += 2 * (a * b + w * c) * x[0] + (1 - 2 * (a * a + c * c)) * x[1] + 2 * (b * c - w * a) * x[2];
      q[2] += 2 * (a * c - w * b) * x[0] + 2 * (b * c + w * a) * x[1] + (1 - 2 * (a * a + b * b)) * x[2];
      advance_detail::turn(q + 3, half);
      break;
    }
    default:
      for (int k = 0; k < velocity_count(type); ++k) q[k] += x[k];
  }
}

}  // namespace kinetree
