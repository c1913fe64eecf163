#pragma once
// A model as Python holds it: with the description that it was made of, for pickles, and workspaces for the functions.

#include <pybind11/pybind11.h>

#include <kinetree/description.hpp>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <string>
#include <vector>

namespace kinetree::python {

namespace py = pybind11;

class ModelObject {
 public:
  ModelObject(Description description, const LoadOptions& options, std::vector<Finding> findings = {});

  const Model& model() const { return model_; }
  /// As YAML, which reads back as the same model.
  std::string text() const;
  Description loaded() const;

  /// A workspace that no other thread has, made where all are taken. The interpreter's lock is held.
  std::unique_ptr<Workspace> take();
  void give_back(std::unique_ptr<Workspace> workspace) { free_.push_back(std::move(workspace)); }

 private:
  Description description_;
  LoadOptions options_;
  Model model_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

void bind_models(py::module_& module);
/// Its shapes, sensors and forces between points, and links and joints by name.
void bind_parts(py::class_<ModelObject, std::shared_ptr<ModelObject>>& model);

}  // namespace kinetree::python
