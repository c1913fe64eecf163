#pragma once
// Change points: configurations in which the constraints of loops lose rank, so that motions cross. Positions that are
// off by e have velocities off by e over the distance to a change point and accelerations by e over its square, so that
// steps keep their stages away from one; how near it is is known here.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "engine/model/branches.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Distances are those of Closure::regularity over the largest seen of the aggregate: 0 at a change point, 1 far away.
class ChangePoints {
 public:
  ChangePoints(const ModelData& model, Closure& closure);

  /// Whether there are loops at all.
  bool possible() const { return !aggregates_.empty(); }
  /// Forgets distances seen, and looks about: at q and half a unit of the fastest joint's way before and behind it.
  void start(const double* q, const double* v);
  /// The least distance of an aggregate at q.
  double distance(const double* q);
  /// The body that names the aggregate nearest to a change point at the last distance().
  int nearest() const { return nearest_; }
  /// How fast velocities v change the distance (1/s); 0 where they don't.
  double rate(const double* q, const double* v);
  /// Seconds to the next change point that velocities v and accelerations a lead to, up to `horizon`; infinity where
  /// none is met.
  double ahead(const double* q, const double* v, const double* a, double horizon);

 private:
  double fastest(const double* v) const;
  void move(const double* q, const double* v, const double* a, double time);

  const ModelData& m_;
  Closure& closure_;
  std::vector<int> aggregates_;                    ///< those with loops
  std::vector<std::optional<Branches>> branches_;  ///< of those that have some
  std::vector<int> rank_;                          ///< of each, on the branch that motion is on
  std::vector<double> largest_;                    ///< regularity seen, one per aggregate with loops
  std::vector<double> there_;                      ///< q on the way
  std::vector<double> way_;                        ///< in the terms of v
  int nearest_ = -1;
};

}  // namespace kinetree::inline inner
