#pragma once
// A step past a change point: collocation at nodes none of which is near it. The motion is smooth there, only its
// rates are not known well.

#include <functional>
#include <kinetree/kinetree.hpp>
#include <optional>
#include <vector>

#include "simulation/collocation.hpp"

namespace kinetree::inline inner {

/// The motion over one step, known at all its times.
struct Passage {
  double start = 0, length = 0;  ///< s
  Eigen::VectorXd from;          ///< the state at the start
  Collocation collocation;
  Eigen::MatrixXd coefficients;             ///< of the rates
  std::vector<double> times;                ///< of the nodes
  std::vector<std::vector<double>> states;  ///< at the nodes, on the constraints
  std::vector<double> at(double time) const;
};

struct Crossing {
  /// Brings the state at a node onto the constraints and finds its rates there.
  std::function<Status(std::size_t node, double time, std::vector<double>& state, std::vector<double>& rates)> rates;
  /// Of a state from change points, see ChangePoints; nodes much nearer than others are left out.
  std::function<double(const std::vector<double>& state)> distance;
  double tolerance = 0;  ///< as of SimulationOptions

  /// From `state` at `time` over `length` s; none where that does not converge, its error is above the tolerance or
  /// rates fail. `guess`: rates to begin with.
  std::optional<Passage> pass(const std::vector<double>& state, const std::vector<double>& guess, double time,
                              double length) const;
};

}  // namespace kinetree::inline inner
