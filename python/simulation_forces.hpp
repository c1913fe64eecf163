#pragma once
// What acts in a Simulation's calls from Python: forces by what Python gives, and those that always act.

#include <pybind11/pybind11.h>

#include <chrono>
#include <kinetree/simulation/event.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <optional>

#include "python/acting.hpp"

namespace kinetree::python {

/// Numbers that a caller's function gave. Throws ShapeError or ArrayTypeError, which end the step.
void take_numbers(const char* name, py::handle given, Eigen::VectorXd& to);

/// Sees every 20 ms of a call whether the user interrupts it, and says how far it is.
class Watch {
 public:
  Watch(py::object progress, double until) : progress_(std::move(progress)), until_(until) {}
  void look(double time);

 private:
  using Clock = std::chrono::steady_clock;
  py::object progress_;
  double until_;
  Clock::time_point last_ = Clock::now();
};

/// Forces by what Python gave: nothing, numbers that stay, a ComputedTorque or a function.
Forces forces_of(const py::object& given, const Model& model, Watch& watch);
/// An event whose functions are Python's; they are kept as long as the simulation watches for it.
Event event_of(py::handle given);

/// Forces of a Simulation that act in every call, beside those of the call.
class AlwaysActing {
 public:
  AlwaysActing(const Model& model, bool passive, double slow, py::object points, py::object drives);

  /// Those of a call and these; for as long as both are there.
  Forces with(Forces others);
  /// Null where there are none.
  Drives* drives() { return drives_ ? &*drives_ : nullptr; }
  /// Raises a step's status, in words of the force between points that it is of.
  [[noreturn]] void raise(const Status& status) const;

 private:
  const Model& model_;
  bool passive_;
  double slow_;
  py::object kept_points_;
  const PointForcesObject* points_;
  std::optional<Drives> drives_;
  std::optional<Workspace> workspace_;
  Status of_points_;
};

}  // namespace kinetree::python
