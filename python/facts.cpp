// What a model is made of, by its user's names (kinetree/model_facts.hpp), and what identification finds of it
// (kinetree/identification.hpp), as kinetree/facts.py shows it.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/closing.hpp>
#include <kinetree/identification.hpp>
#include <kinetree/model_facts.hpp>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"

namespace kinetree::python {
namespace {

using M = const ModelObject&;

py::object fact(const char* type, const py::kwargs& members) {
  return py::module_::import("kinetree.facts").attr(type)(**members);
}

template <class Numbers>
py::object array_of(const Numbers& numbers) {
  py::array_t<double> array(static_cast<py::ssize_t>(numbers.size()), numbers.data());
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::object joint_parameters_of(M m, const std::string& joint) {
  const JointParameters p = joint_parameters(m.model(), joint);
  using py::literals::operator""_a;
  return fact(
      "JointParameters",
      py::dict("name"_a = p.name, "type"_a = p.type, "parent"_a = p.parent, "child"_a = p.child, "body"_a = p.body,
               "q_index"_a = p.q_index, "v_index"_a = p.v_index, "armature"_a = array_of(p.armature),
               "damping"_a = array_of(p.damping), "friction"_a = array_of(p.friction),
               "stiffness"_a = array_of(p.stiffness), "spring_reference"_a = array_of(p.spring_reference),
               "lower"_a = array_of(p.lower), "upper"_a = array_of(p.upper),
               "velocity_limit"_a = array_of(p.velocity_limit), "effort_limit"_a = array_of(p.effort_limit)));
}

py::object inertia_of(M m, const std::string& link) {
  const InertiaFacts f = inertia_facts(m.model(), link);
  using py::literals::operator""_a;
  const auto& i = f.inertia;
  const std::array<double, 9> full{i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
  return fact("InertiaFacts",
              py::dict("link"_a = f.link, "mass"_a = f.mass, "centre_of_mass"_a = array_of(f.centre_of_mass),
                       "inertia"_a = array_of(full).attr("reshape")(3, 3)));
}

py::list loops_of(M m) {
  using py::literals::operator""_a;
  py::list all;
  for (const LoopFacts& f : loop_facts(m.model()))
    all.append(fact("LoopFacts", py::dict("name"_a = f.name, "type"_a = f.type, "first"_a = f.first,
                                          "second"_a = f.second, "at_first"_a = array_of(f.at_first),
                                          "at_second"_a = array_of(f.at_second), "rows"_a = f.rows)));
  return all;
}

py::list couplings_of(M m) {
  using py::literals::operator""_a;
  py::list all;
  for (const CouplingFacts& f : coupling_facts(m.model())) {
    py::list terms;
    for (const CouplingFacts::Term& t : f.terms)
      terms.append(
          fact("CouplingTerm", py::dict("joint"_a = t.joint, "coefficient"_a = t.coefficient, "powers"_a = t.powers)));
    all.append(fact("CouplingFacts", py::dict("name"_a = f.name, "terms"_a = terms, "offset"_a = f.offset)));
  }
  return all;
}

py::list rows_of(M m) {
  using py::literals::operator""_a;
  py::list all;
  for (const ConstraintRow& r : constraint_rows(m.model()))
    all.append(fact("ConstraintRow", py::dict("constraint"_a = r.constraint, "coupling"_a = r.coupling,
                                              "what"_a = r.what, "length"_a = r.length)));
  return all;
}

/// A matrix of doubles, column by column.
Eigen::MatrixXd matrix_of(const char* name, const py::object& given, const std::string& expected) {
  const Array array = Array::of(name, given, expected);
  expect_numbers<double>(name, array);
  if (array.dimensions() != 2) raise_shape(name, "(rows, columns)", array.sizes());
  const Array rows = array.contiguous();
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      reinterpret_cast<const double*>(rows.data()), rows.size(0), rows.size(1));
}

py::object base_of(const boundary::BaseNumbers& found, py::ssize_t all) {
  using py::literals::operator""_a;
  const auto rank = static_cast<py::ssize_t>(found.columns.size());
  const py::array_t<double, py::array::f_style> regrouping({rank, all}, found.regrouping.data());
  return fact("BaseParameters",
              py::dict("columns"_a = py::array_t<int>(rank, found.columns.data()), "regrouping"_a = regrouping,
                       "kept"_a = found.kept, "dropped"_a = found.dropped));
}

py::object base_parameters_of(const py::object& given, const std::vector<int>& among, double tolerance) {
  if (py::isinstance<ModelObject>(given)) {
    const Model& model = given.cast<M>().model();
    return base_of(boundary::base_parameters(model, among, tolerance), dynamic_parameter_count(model));
  }
  if (!among.empty())
    throw std::invalid_argument("base_parameters: give a Model, or a matrix of samples without `among`");
  const Eigen::MatrixXd W = matrix_of("samples", given, "a Model, or a matrix of rows of joint_torque_regressor");
  return base_of(boundary::base_parameters({W.data(), W.rows(), W.cols(), W.rows()}, tolerance), W.cols());
}

std::vector<std::string> texts_of_base(const std::vector<int>& columns, const py::object& regrouping,
                                       const std::vector<std::string>& names) {
  const Eigen::MatrixXd R = matrix_of("regrouping", regrouping, "a matrix");
  if (R.rows() != static_cast<Eigen::Index>(columns.size()) || R.cols() != static_cast<Eigen::Index>(names.size()))
    raise_shape("regrouping",
                shape_text({static_cast<py::ssize_t>(columns.size()), static_cast<py::ssize_t>(names.size())}),
                {R.rows(), R.cols()});
  return boundary::texts_of(columns, {R.data(), R.rows(), R.cols(), R.rows()}, names);
}

}  // namespace

void bind_facts(py::module_& module) {
  const auto model = py::arg("model");
  module.def("joint_parameters", &joint_parameters_of, model, py::arg("joint"),
             "A joint's type, links, indices, armature, passive forces and limits: kinetree.facts.JointParameters.");
  module.def("inertia_facts", &inertia_of, model, py::arg("link"),
             "Mass (kg), centre of mass (m) and inertia about it (3 x 3, kg m²) of the rigid body that a link is part\n"
             "of, in the axes of that body's own link: kinetree.facts.InertiaFacts.");
  module.def(
      "total_mass", [](M m) { return total_mass(m.model()); }, model, "kg, of all bodies that move.");
  module.def("loop_facts", &loops_of, model, "The loops in loop_forces' order, a list of kinetree.facts.LoopFacts.");
  module.def("coupling_facts", &couplings_of, model,
             "The couplings in coupling_forces' order, mimic joints among them: a list of "
             "kinetree.facts.CouplingFacts.");
  module.def(
      "ratio",
      [](M m, const std::string& driven, const std::string& driver) { return ratio(m.model(), driven, driver); }, model,
      py::arg("driven"), py::arg("driver"),
      "By how much `driven` turns or slides while `driver` does by 1, where couplings alone fix that; else None.");
  module.def("constraint_rows", &rows_of, model,
             "What constraint_errors has a number of: loops row by row, then couplings; a list of\n"
             "kinetree.facts.ConstraintRow.");
  module.def(
      "dynamic_parameters", [](M m) { return array_of(boundary::dynamic_parameters(m.model())); }, model,
      "The numbers that joint forces are linear in, which joint_torque_regressor has a column for: ten a body (mass,\n"
      "mass times centre of mass x y z, inertia xx yy zz xy xz yz about the origin of its link, in the link's axes),\n"
      "then armature, damping and friction, nv each.");
  module.def(
      "dynamic_parameter_names", [](M m) { return dynamic_parameter_names(m.model()); }, model,
      "What the entries of dynamic_parameters are called: 'forearm.mass', 'forearm.Ixx', 'elbow.damping', ...");
  module.def(
      "dynamic_parameter_count", [](M m) { return dynamic_parameter_count(m.model()); }, model,
      "Entries of dynamic_parameters: 10 a body and 3 a velocity.");
  module.def("texts_of", &texts_of_base, py::arg("columns"), py::arg("regrouping"), py::arg("names"),
             "What BaseParameters.texts gives.");
  module.def("base_parameters", &base_parameters_of, model, py::arg("among") = std::vector<int>(),
             py::arg("tolerance") = 1e-8,
             "Which of the parameters motions tell apart: kinetree.facts.BaseParameters of a Model (`among`: unknown\n"
             "parameters, ascending; none: all), or of samples, a matrix of rows of joint_torque_regressor.");
}

}  // namespace kinetree::python
