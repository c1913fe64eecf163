#include "python/varying.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <span>
#include <vector>

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

py::object inertia_rows_of(double mass, py::handle centre_of_mass, py::handle inertia) {
  const States one{true, 1, true};
  const Input<double> c("centre_of_mass", centre_of_mass, one, 3);
  const Array array = Array::of("inertia", inertia, "an array of shape (3, 3) or (6,)");
  expect_numbers<double>("inertia", array);
  const Sizes sizes = array.sizes();
  if (sizes != Sizes{3, 3} && sizes != Sizes{6}) raise_shape("inertia", "(3, 3) or (6,)", sizes);
  const Array flat = array.contiguous();
  const auto* I = reinterpret_cast<const double*>(flat.data());
  LinkInertia given{mass, {c.columns().data[0], c.columns().data[1], c.columns().data[2]}, {}};
  if (sizes.size() == 1)
    std::copy_n(I, 6, given.inertia.begin());
  else
    given.inertia = {I[0], I[4], I[8], I[1], I[2], I[5]};
  for (const auto& [above, below] : {std::pair{1, 3}, {2, 6}, {5, 7}})
    if (sizes.size() == 2 && I[above] != I[below]) raise_value("inertia", "a symmetric matrix", "one that is not");
  const std::array<double, 10> rows = inertia_rows(given);
  return py::array_t<double>(10, rows.data());
}

py::object link_inertia_of(py::handle rows) {
  const Input<double> given("rows", rows, States{true, 1, true}, 10);
  std::array<double, 10> numbers{};
  std::copy_n(given.columns().data, 10, numbers.begin());
  const LinkInertia found = link_inertia(numbers);
  const auto& i = found.inertia;
  py::array_t<double> full({3, 3});
  const double all[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
  std::copy_n(all, 9, full.mutable_data());
  return py::module_::import("kinetree.facts")
      .attr("LinkInertia")(found.mass, py::array_t<double>(3, found.centre_of_mass.data()), full);
}

}  // namespace

void bind_varying(py::module_& module) {
  module.def(
      "inertia_rows", &inertia_rows_of, py::arg("mass"), py::arg("centre_of_mass") = std::array<double, 3>{},
      py::arg("inertia") = std::array<double, 6>{},
      "The ten numbers, (10,), that a Varying takes as `inertia` of a body of this mass (kg), centre of mass (3,)\n"
      "(m, from the link's origin) and inertia about it (kg m², in the link's axes): (3, 3), or xx, yy, zz, xy,\n"
      "xz, yz. Numbers of two bodies in one frame add up. Raises ValueError where it is no rigid body's.");
  module.def("link_inertia", &link_inertia_of, py::arg("rows"),
             "The other way round: a kinetree.facts.LinkInertia of ten numbers, (10,).");
  py::class_<VaryingObject, std::shared_ptr<VaryingObject>>(
      module, "Varying",
      "Numbers of a model that differ from state to state.\n\nVarying(model): nothing at first. ForwardDynamics, "
      "Workspace\n"
      "and Rollouts take it in place of a model; their calls then read a row of `rows` numbers for each state\n"
      "(with_parameters, set_parameters).")
      .def(py::init([](const std::shared_ptr<ModelObject>& model) {
             return std::make_shared<VaryingObject>(VaryingObject{model, Varying(model->model())});
           }),
           py::arg("model").none(false))
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
          py::arg("model"),
          "Those of another model of the same structure, (rows,); of a list of models (models, rows).")
      .def(
          "numbers_of",
          [](const VaryingObject& v, const std::vector<const ModelObject*>& others) {
            std::vector<Model> models;
            for (const ModelObject* other : others) {
              if (other == nullptr) raise_value("models", "a list of models", "None");
              models.push_back(other->model());
            }
            return Eigen::MatrixXd(v.varying.numbers_of(std::span<const Model>(models)).transpose());
          },
          py::arg("models"))
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
