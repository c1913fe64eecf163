#pragma once
// A step past a change point: collocation at nodes none of which is near it. The motion is smooth there, only its
// rates are not known well.

#include <functional>
#include <kinetree/kinetree.hpp>
#include <vector>

namespace kinetree {

/// One step from `state` at `time`, of `length` s at most, of which the part up to `landing` is taken.
struct Crossing {
  /// Brings a state onto the constraints and finds its rates there.
  std::function<Status(std::vector<double>& state, double time, std::vector<double>& rates)> rates;
  /// Of a state from change points, see ChangePoints; nodes much nearer than others are left out.
  std::function<double(const std::vector<double>& state)> distance;
  double tolerance = 0;  ///< as of SimulationOptions

  /// False where the step does not converge, its error is above the tolerance or rates fail; `state` stays then.
  /// `guess`: rates to begin with.
  bool step(std::vector<double>& state, const std::vector<double>& guess, double time, double length,
            double landing) const;
};

}  // namespace kinetree
