#include "python/varying.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/joint_forces.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

kinetree::Parameter parameter_of(const std::string& word) {
  const auto found = value_of_word<kinetree::Parameter>(word);
  if (!found) raise_value("what", "one of " + list_of<kinetree::Parameter>(), word);
  return *found;
}

}  // namespace

void bind_varying(py::module_& module) {
  py::class_<VaryingObject, std::shared_ptr<VaryingObject>>(
      module, "Varying",
      "Numbers of a model that differ from state to state.\n\nVarying(model): nothing at first. ForwardDynamics, "
      "Workspace\n"
      "and Rollouts take it in place of a model; their calls then read a row of `rows` numbers for each state\n"
      "(with_parameters, set_parameters).")
      .def(py::init([](const std::shared_ptr<ModelObject>& model) {
             return std::make_shared<VaryingObject>(VaryingObject{model, Varying(model->model())});
           }),
           py::arg("model"))
      .def(
          "add",
          [](const std::shared_ptr<VaryingObject>& self, const std::string& what, const std::string& of) {
            self->varying.add(parameter_of(what), of);
            return self;
          },
          py::arg("what"), py::arg("of") = "",
          ("Adds numbers, and gives itself. what: " + list_of<kinetree::Parameter>() +
           "; of: the link or joint, else\n"
           "all bodies' own links or all joints. inertia: ten numbers in the link's axes, about its origin: mass "
           "(kg);\n"
           "first moment, mass times centre of mass, x, y, z (kg m); moments xx, yy, zz, xy, xz, yz (kg m²). Objects\n"
           "take what it says when they are made.")
              .c_str())
      .def(
          "bound",
          [](const std::shared_ptr<VaryingObject>& self, int row, double least, double most) {
            self->varying.bound(row, least, most);
            return self;
          },
          py::arg("row"), py::arg("least"), py::arg("most"),
          "A state whose number is outside is refused (out_of_bounds); gives itself.")
      .def_property_readonly(
          "rows", [](const VaryingObject& v) { return v.varying.rows(); }, "Numbers of a state.")
      .def(
          "row",
          [](const VaryingObject& v, const std::string& what, const std::string& of) {
            return v.varying.row(parameter_of(what), of);
          },
          py::arg("what"), py::arg("of") = "", "The place of the first of these numbers.")
      .def_property_readonly(
          "row_names",
          [](const VaryingObject& v) {
            std::vector<std::string> names;
            for (int k = 0; k < v.varying.rows(); ++k) names.push_back(v.varying.row_name(k));
            return names;
          },
          "What each number is.")
      .def(
          "nominal", [](const VaryingObject& v) { return v.varying.nominal(); }, "The model's own numbers, (rows,).")
      .def(
          "numbers_of",
          [](const VaryingObject& v, const ModelObject& other) { return v.varying.numbers_of(other.model()); },
          py::arg("model"), "Those of another model of the same structure, (rows,).")
      .def(
          "add_passive_forces",
          [](const VaryingObject& o, py::handle parameters, py::handle q, py::handle v, py::handle tau, double slow) {
            const auto add = [&]<class T>(const States& states, const Columns<const T>& at,
                                          const Columns<const T>& rate, const Columns<T>& sum) {
              const Input<T> own("parameters", parameters, states, o.varying.rows());
              return boundary::add_passive_forces(o.varying, own.columns(), at, rate, sum, slow);
            };
            return add_to_joint_forces(o.varying.model(), q, v, tau, add);
          },
          py::arg("parameters"), py::arg("q"), py::arg("v"), py::arg("tau"), py::arg("slow") = 0.0,
          "As kinetree.add_passive_forces, with the damping, friction and stiffness of each state's own.")
      .def_property_readonly(
          "model", [](const VaryingObject& v) { return v.model; }, "The Model.")
      .def("__repr__", [](const VaryingObject& v) {
        return "<kinetree.Varying of '" + v.varying.model().name() + "': " + std::to_string(v.varying.rows()) +
               " rows>";
      });
}

}  // namespace kinetree::python
