#pragma once
// Positions closed as well as double can hold them. Errors of loops that are rounded like the positions themselves
// leave these free by the rounding over the distance to a change point, d, velocities by that over d² and accelerations
// over d³. Errors that are known to more digits take one factor away: two windowed four-bars then pass at 1e-13, where
// 1e-12 was the end.

#include <memory>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/least_norm.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Allocates when it is made alone.
class FineClosure {
 public:
  FineClosure(const ModelData& model, Closure& closure);

  /// Newton steps of least norm from q, closed to 1e-8 before, by errors in long double. Returns the largest error
  /// left. Not of an aggregate that least squares close (Rounding::nearest), which more digits make no closer.
  double close(const Aggregate& a, double* q);

 private:
  using Fine = long double;
  struct Part {
    Part(const ModelData& m, const Aggregate& a);

    std::vector<LoopEnds<Fine>> ends;
    std::vector<double> error;
    LeastNorm step;
  };

  void find_errors(const Aggregate& a, const double* q, Part& part);

  const ModelData& m_;
  Closure& closure_;
  std::vector<Link<Fine>> link_;
  std::vector<JointTransform<Fine>> X_up_;
  std::vector<Transform<Fine>> general_;  ///< of joints that are not placed by screws
  std::vector<Motion<Fine>> columns_;
  std::vector<std::unique_ptr<Part>> part_;  ///< one per aggregate
};

}  // namespace kinetree::inline inner
