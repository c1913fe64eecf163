#pragma once
// How positions follow velocities: for a while, q := q (+) x on the configuration manifold, and as rates.

#include <cmath>
#include <kinetree/joint_type.hpp>

namespace kinetree::inline inner {

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

/// dq/dt for velocities v, position_count(type) entries: a quaternion's rate is half its product with the turn, as it
/// stands where its norm is not quite one.
inline void position_rates(JointType type, const double* q, const double* v, double* rate) {
  const auto turn = [](const double* p, const double* w, double* out) {
    out[0] = 0.5 * (p[3] * w[0] + p[1] * w[2] - p[2] * w[1]);
    out[1] = 0.5 * (p[3] * w[1] + p[2] * w[0] - p[0] * w[2]);
    out[2] = 0.5 * (p[3] * w[2] + p[0] * w[1] - p[1] * w[0]);
    out[3] = -0.5 * (p[0] * w[0] + p[1] * w[1] + p[2] * w[2]);
  };
  switch (type) {
    case JointType::spherical:
      turn(q, v, rate);
      break;
    case JointType::floating: {
      const double *p = q + 3, n = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
      const double t[3]{2 * (p[1] * v[2] - p[2] * v[1]) / n, 2 * (p[2] * v[0] - p[0] * v[2]) / n,
                        2 * (p[0] * v[1] - p[1] * v[0]) / n};  // v + w t + u x t, u the vector part
      rate[0] = v[0] + p[3] * t[0] + p[1] * t[2] - p[2] * t[1];
      rate[1] = v[1] + p[3] * t[1] + p[2] * t[0] - p[0] * t[2];
      rate[2] = v[2] + p[3] * t[2] + p[0] * t[1] - p[1] * t[0];
      turn(p, v + 3, rate + 3);
      break;
    }
    default:
      for (int k = 0; k < velocity_count(type); ++k) rate[k] = v[k];
  }
}

}  // namespace kinetree::inline inner
