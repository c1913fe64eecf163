#pragma once
// The parts of the module.

#include <pybind11/pybind11.h>

#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <string>

namespace kinetree::python {

namespace py = pybind11;

/// Options by the words of the library's table. Throws for a word that it has not, and for a value out of range.
Options options_from(const py::kwargs& given);
/// A line for each option.
std::string options_help();
/// `kinetree.Plan`
py::object plan_object(const Plan& plan);

void bind_words(py::module_& module);
void bind_varying(py::module_& module);
void bind_workspaces(py::module_& module);
void bind_dynamics(py::module_& module);
void bind_functions(py::module_& module);
void bind_configuration(py::module_& module);
void bind_acting(py::module_& module);
void bind_rollouts(py::module_& module);
void bind_computed_torque(py::module_& module);
void bind_simulation(py::module_& module);
void bind_facts(py::module_& module);
void bind_calibration(py::module_& module);
void bind_closing(py::module_& module);
void bind_constraint_forces(py::module_& module);
void bind_independent(py::module_& module);

}  // namespace kinetree::python
