#pragma once
// What acts beside a caller's own forces: springs and dampers between points, tables over time.

#include <pybind11/pybind11.h>

#include <kinetree/point_forces.hpp>
#include <kinetree/simulation/drives.hpp>
#include <memory>

#include "python/models.hpp"

namespace kinetree::python {

struct PointForcesObject {
  std::shared_ptr<ModelObject> model;
  PointForces forces;
};

struct DrivesObject {
  std::shared_ptr<ModelObject> model;
  Drives drives;
};

/// Null for None. Throws TypeError for another object, ArgumentError for one of another model.
const PointForcesObject* points_acting(py::handle given, const Model& model);
const DrivesObject* drives_acting(py::handle given, const Model& model);

/// Raises what PointForces says of a state.
[[noreturn]] void raise_status(const Status& status, const PointForcesObject& of);
/// Whether a force of this state has no direction.
inline bool has_no_direction(const Status& status) {
  return status.code == StatusCode::not_positive && status.argument == std::string_view("length");
}

}  // namespace kinetree::python
