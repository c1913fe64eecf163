#pragma once
// Random states of a mechanism, loops closed: for users, benchmarks and checks.

#include <limits>

#include "engine/model/closure.hpp"
#include "engine/model/joint_numbers.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"

namespace kinetree::inline inner {

/// States one after another, the same on every machine for a seed. Works on one model; one per thread.
class RandomStates {
 public:
  RandomStates(const ModelData& model, std::uint64_t seed) : m_(model), random_(seed), closure_(model) {}

  /// Positions uniform between the joint's limits; where it has none angles in [-pi, pi] and displacements in [-0.5,
  /// 0.5] m, where it has one in a range as long that ends there. Orientations uniform over unit quaternions, v and tau
  /// uniform in [-1, 1]. Loops are closed from there by Newton's method, and drawn anew where that fails, ends near a
  /// singular configuration or beyond a limit; of a coupling's joints the one that it turns most follows the others;
  /// velocities are the nearest allowed. Where a hundred draws fail an aggregate stands as it is assembled. `tau` may
  /// be null.
  void draw(double* q, double* v, double* tau);

 private:
  void draw_positions(int body, double* q);
  double draw_position(int position, double length);
  bool within_limits(const Aggregate& a, const double* q) const;
  void close(const Aggregate& a, double* q, double* v);
  double pivot(const Aggregate& a, const double* q);

  double lower_limit(int k) const { return limit_of(m_.limits.lower, k, -std::numeric_limits<double>::infinity()); }
  double upper_limit(int k) const { return limit_of(m_.limits.upper, k, std::numeric_limits<double>::infinity()); }

  const ModelData& m_;
  Random random_;
  Closure closure_;
};

}  // namespace kinetree::inline inner
