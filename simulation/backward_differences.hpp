#pragma once
// Steps of stiff equations y' = f(t, y): backward differences of orders 1 to 5, whose implicit equations Newton's
// method solves, by CVODE of SUNDIALS (Hindmarsh et al. 2005). No header of it is read here, so that kinetree builds
// without it.

#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace kinetree::inline inner {

class BackwardDifferences {
 public:
  struct Equations {
    /// f at t and y. False: not known there; a shorter step is tried.
    std::function<bool(double t, const double* y, double* rate)> rates;
    /// y becomes the nearest state that constraints allow. False: there is none near by; a shorter step is tried.
    std::function<bool(double* y)> project;
    /// What a step may be off by in each number (above 0): it is taken where the errors relative to these have a mean
    /// square of at most one.
    std::function<void(const double* y, double* allowed)> allowed;
  };
  enum class Outcome {
    taken,
    too_small,  ///< errors allow no step
    unknown,    ///< `rates` or `project` said false, however short the step
  };

  /// Whether kinetree was built with CVODE.
  static bool available();

  /// Steps no longer than `longest`. Throws std::invalid_argument where it is not available.
  BackwardDifferences(std::size_t size, Equations equations, double longest);
  ~BackwardDifferences();

  /// Forgets all steps; the next starts at t from y. `scale`: of the first step, which is much shorter.
  void begin(double t, const std::vector<double>& y, double scale);
  /// One step, of the length that errors allow, not past `until`. What the equations throw leaves it; after that, or
  /// where no step was taken, begin again.
  Outcome step(double until = std::numeric_limits<double>::infinity());

  /// The last step: its start and its end. The same after begin.
  double from() const { return from_; }
  double reached() const { return reached_; }
  /// The length that the next step is to have, s.
  double next_length() const;
  /// y at a time within the last step, by its polynomial: as near to the constraints as errors are.
  void at(double t, std::vector<double>& y) const;
  /// The estimated errors of the last step.
  void errors(std::vector<double>& e) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
  double from_ = 0, reached_ = 0;
};

}  // namespace kinetree::inline inner
