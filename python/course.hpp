#pragma once
// What acts on rollouts in one call of Python's, and what is kept of their states.

#include <pybind11/pybind11.h>

#include <cstddef>
#include <kinetree/simulation/rollouts.hpp>
#include <kinetree/varying.hpp>
#include <kinetree/workspace.hpp>
#include <limits>
#include <vector>

#include "python/acting.hpp"
#include "python/arrays.hpp"

namespace kinetree::python {

/// Numbers of each state and step: alike for all, or one row for each state, or one for each step of each state.
class Feed {
 public:
  Feed() = default;
  Feed(const char* name, py::handle given, py::ssize_t count, py::ssize_t steps, py::ssize_t rows);
  explicit operator bool() const { return data_ != nullptr; }
  const double* at(py::ssize_t state, py::ssize_t step) const {
    return reinterpret_cast<const double*>(data_ + state * of_state_ + step * of_step_);
  }
  /// The numbers of `n` states from `first` on, side by side.
  void copy(py::ssize_t first, py::ssize_t n, py::ssize_t step, py::ssize_t rows, double* to) const;

 private:
  py::object owner_;
  const char* data_ = nullptr;
  py::ssize_t of_state_ = 0, of_step_ = 0;
};

/// Tables over time as one worker reads them; columns may stand at different times.
class WorkersDrives {
 public:
  explicit WorkersDrives(const Drives& drives, int nv) : drives_(drives), tau_(nv) {}
  /// Adds the forces at `time` of a step that began at `begun`.
  void add(double begun, double time, double* tau);

 private:
  Drives drives_;
  double from_ = -std::numeric_limits<double>::infinity();
  Eigen::VectorXd tau_;
};

/// Called on several threads, for different states.
struct Course {
  const Model& model;
  int stages;
  py::ssize_t every;  ///< steps between states that are kept; 0: none are
  bool passive;
  double slow;
  Feed tau, f_ext, target, kp, kd;
  const Varying* varying = nullptr;  ///< where states have numbers of their own
  const double* own = nullptr;
  const PointForcesObject* points = nullptr;
  Workspace* workspaces = nullptr;  ///< of workers, for points
  std::vector<WorkersDrives> drives{};
  double *kept_q = nullptr, *kept_v = nullptr;
  py::ssize_t kept = 0;                 ///< of each state
  std::vector<std::ptrdiff_t> calls{};  ///< by the number of the first state of a range
  std::vector<double> aim{}, away{};    ///< configurations to hold, and the ways to them
  std::vector<double> begun{};          ///< times at which steps of states began, for drives

  void operator()(RolloutColumns& columns);
  /// Keeps states that `step` steps led to.
  void keep(std::ptrdiff_t first, std::ptrdiff_t step, const double* q, const double* v, std::ptrdiff_t n) const;

 private:
  void pull(RolloutColumns& columns, std::ptrdiff_t step);
  void drive(RolloutColumns& columns, bool first_stage);
};

}  // namespace kinetree::python
