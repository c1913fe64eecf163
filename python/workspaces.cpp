#include "python/workspaces.hpp"

#include <pybind11/stl.h>

#include "python/bindings.hpp"

namespace kinetree::python {
namespace {

WorkspaceOptions workspace_options(const py::kwargs& given) {
  for (const auto& [key, value] : given)
    if (const auto word = py::cast<std::string>(key);
        word != "threads" && word != "lanes" && word != "executor" && word != "pinning")
      throw py::type_error("a Workspace has no option " + word + "; its options are threads, lanes, executor, pinning");
  const Options o = options_from(given);
  return {o.executor, o.threads, o.pinning, o.lanes};
}

}  // namespace

void bind_workspaces(py::module_& module) {
  py::class_<WorkspaceObject>(module, "Workspace",
                              "Memory and threads for the functions, which take it in place of a "
                              "model.\n\nWorkspace(model, threads=1, lanes=0,\n"
                              "executor='team', pinning='none'). A model makes workspaces of one thread by itself.\n"
                              "Of a Varying: for states with numbers of their own.")
      .def(py::init([](const std::shared_ptr<ModelObject>& model, const py::kwargs& given) {
             return std::make_unique<WorkspaceObject>(model, workspace_options(given));
           }),
           py::arg("model").none(false))
      .def(py::init([](const VaryingObject& varying, const py::kwargs& given) {
             return std::make_unique<WorkspaceObject>(varying, workspace_options(given));
           }),
           py::arg("model"))
      .def(
          "with_parameters",
          [](const py::object& self, py::handle parameters) {
            auto& object = py::cast<WorkspaceObject&>(self);
            object.parameters.give(object.workspace, object.varying.get(), parameters);
            return self;
          },
          py::arg("parameters"),
          "Itself: the next call takes these numbers, (rows,) or (batch, rows) of its Varying, read where they lie.")
      .def_property_readonly(
          "statuses", [](const WorkspaceObject& w) { return codes_of(w.workspace.statuses()); },
          "uint8 per state of the last call: 0 is ok, others are indices of kinetree.STATUS_CODES.")
      .def_property_readonly(
          "model", [](const WorkspaceObject& w) { return w.model; }, "The Model.");
}

}  // namespace kinetree::python
