#pragma once
// Workspaces as functions take them: the user's own, or one of the model's for as long as a call lasts.

#include <pybind11/pybind11.h>

#include <kinetree/workspace.hpp>
#include <memory>

#include "python/errors.hpp"
#include "python/models.hpp"
#include "python/varying.hpp"

namespace kinetree::python {

/// A Workspace with options of its own, for large batches.
class WorkspaceObject {
 public:
  WorkspaceObject(std::shared_ptr<ModelObject> model, const WorkspaceOptions& options)
      : model(std::move(model)), workspace(this->model->model(), options) {}
  WorkspaceObject(const VaryingObject& own, const WorkspaceOptions& options)
      : model(own.model), varying(own.kept()), workspace(varying->varying, options) {}
  std::shared_ptr<ModelObject> model;
  std::shared_ptr<const VaryingObject> varying;  ///< null: of a model
  Workspace workspace;
  GivenParameters parameters;
  Guard guard;
};

/// The workspace of a call: the user's, or one of the model's for as long as the call lasts.
class Lent {
 public:
  explicit Lent(PyObject* first) {
    if (py::isinstance<WorkspaceObject>(first)) {
      object_ = &py::cast<WorkspaceObject&>(first);
      model_ = object_->model.get();
    } else if (py::isinstance<ModelObject>(first)) {
      model_ = &py::cast<ModelObject&>(first);
      own_ = model_->take();
    } else {
      raise_type("model", "a Model or a Workspace", Py_TYPE(first)->tp_name);
    }
  }
  ~Lent() {
    if (own_) model_->give_back(std::move(own_));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const Model& model() const { return model_->model(); }
  Workspace& workspace() { return object_ != nullptr ? object_->workspace : *own_; }
  template <class T>
  void explain(const Status& status) const {
    if (object_ != nullptr) object_->parameters.explain<T>(status);
  }
  Guard& guard() { return object_ != nullptr ? object_->guard : guard_; }

 private:
  WorkspaceObject* object_ = nullptr;
  ModelObject* model_ = nullptr;
  std::unique_ptr<Workspace> own_;
  Guard guard_;
};

}  // namespace kinetree::python
