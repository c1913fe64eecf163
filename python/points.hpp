#pragma once
// Points on links as Python gives them: names or indices of links, with an offset (m) or without.

#include <pybind11/pybind11.h>

#include <kinetree/link_point.hpp>
#include <kinetree/model.hpp>
#include <vector>

namespace kinetree::python {

namespace py = pybind11;

/// Points looked up once.
struct PointsObject {
  Model model;
  std::vector<LinkPoint> points;
};

/// What a call's argument `points` names. Throws TypeError, or ValueError for a link that there is not.
std::vector<LinkPoint> points_from(py::handle given, const Model& model);

/// The points of one call.
class ListedPoints {
 public:
  ListedPoints(PyObject* given, const Model& model);
  const std::vector<LinkPoint>& list() const { return object_ != nullptr ? object_->points : own_; }

 private:
  const PointsObject* object_ = nullptr;
  std::vector<LinkPoint> own_;
};

}  // namespace kinetree::python
