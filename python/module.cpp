// The compiled part of the package kinetree, which kinetree/__init__.py shows.

#include <pybind11/pybind11.h>

#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"

PYBIND11_MODULE(_kinetree, module) {
  module.doc() = "Forward dynamics of articulated mechanisms, compiled.";
  module.attr("__version__") = KINETREE_VERSION;
  kinetree::python::bind_errors(module);
  kinetree::python::bind_models(module);
  kinetree::python::bind_words(module);
  kinetree::python::bind_varying(module);
  kinetree::python::bind_workspaces(module);
  kinetree::python::bind_facts(module);
  kinetree::python::bind_calibration(module);
  kinetree::python::bind_dynamics(module);
  kinetree::python::bind_functions(module);
  kinetree::python::bind_configuration(module);
  kinetree::python::bind_acting(module);
  kinetree::python::bind_rollouts(module);
  kinetree::python::bind_computed_torque(module);
  kinetree::python::bind_simulation(module);
  kinetree::python::bind_closing(module);
  kinetree::python::bind_constraint_forces(module);
  kinetree::python::bind_independent(module);
}
