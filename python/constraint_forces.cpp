// Forces that hold a mechanism together (kinetree/constraint_forces.hpp).

#include "python/constraint_forces.hpp"

#include <pybind11/numpy.h>

#include <kinetree/constraint_forces.hpp>
#include <kinetree/model_facts.hpp>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/words.hpp"
#include "python/workspaces.hpp"

namespace kinetree::python {

ResultShape shape_of(Holding what, const Model& model) {
  switch (what) {
    case Holding::loops:
      return {{static_cast<py::ssize_t>(loop_facts(model).size()), 2, 6}, {0, 1, 2}};
    case Holding::couplings:
      return {{static_cast<py::ssize_t>(coupling_facts(model).size())}, {0}};
    default:
      return {{model.body_count(), 6}, {0, 1}};
  }
}

namespace {

template <class T>
py::object forces_in(Holding what, Lent& lent, Array&& first, const States& states, py::handle v, py::handle a,
                     py::handle tau, py::handle f_ext, Axes axes, py::handle out) {
  const Model& model = lent.model();
  const py::ssize_t nv = model.nv();
  const auto may = [&](const char* name, py::handle given, py::ssize_t rows) {
    return given.is_none() ? Input<T>() : Input<T>(name, given, states, rows);
  };
  const Input<T> q_in("q", std::move(first), states, model.nq()), v_in("v", v, states, nv), a_in("a", a, states, nv),
      tau_in = may("tau", tau, nv), f_in = may("f_ext", f_ext, py::ssize_t{6} * model.body_count());
  Output<T> result("out", out, states, shape_of(what, model));
  boundary::ForcesAsked<T> asked{.q = q_in.columns(),
                                 .v = v_in.columns(),
                                 .a = a_in.columns(),
                                 .tau = tau_in.columns(),
                                 .f_ext = f_in.columns(),
                                 .axes = axes};
  (what == Holding::loops       ? asked.loops
   : what == Holding::couplings ? asked.couplings
                                : asked.joints) = result.columns();
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status = boundary::constraint_forces(model, lent.workspace(), asked);
  }
  raise_bad(status, states.one, model);
  return result.finish();
}

py::object forces(Holding what, py::handle model, py::handle q, py::handle v, py::handle a, py::handle tau,
                  py::handle f_ext, const std::string& axes, py::handle out) {
  const auto chosen = value_of_word<Axes>(axes);
  if (!chosen) raise_value("axes", "one of " + list_of<Axes>(), axes);
  Lent lent(model.ptr());
  Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, lent.model().nq());
  return states.in_double ? forces_in<double>(what, lent, std::move(first), states, v, a, tau, f_ext, *chosen, out)
                          : forces_in<float>(what, lent, std::move(first), states, v, a, tau, f_ext, *chosen, out);
}

const std::string arguments =
    "\n\nmodel: a Model or a Workspace. q: (nq,) or (batch, nq); v, a: as ForwardDynamics takes and gives them, (nv,) "
    "or\n"
    "(batch, nv); tau: the joint forces with which a was found, without it the model's independent joints are the\n"
    "motors. f_ext: (6 bodies,), as `solve` has it. States where constraints lose rank are NaN in a batch, and raise\n"
    "StateError alone. Where rows are redundant the least forces are taken, as kinetree/constraint_forces.hpp says.";

}  // namespace

void bind_constraint_forces(py::module_& module) {
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  static const std::string
      loops =
          "What loops transmit, (loops, 2, 6): the wrench on the first body at the loop's first frame, then that on\n"
          "the second body at its second frame; moment (Nm), then force (N). axes: link (of the body's own link),\n"
          "world_aligned, world (about the world's origin, where the two sum to zero)." +
          arguments,
      couplings =
          "Multipliers of couplings, (couplings,): the coupling of a sum of c q acts on each of its joints with\n"
          "c times its multiplier." +
          arguments,
      joints =
          "What joints transmit, (bodies, 6): the wrench that the joint which carries a body exerts on it, as a\n"
          "force sensor in the joint reads it; moment (Nm), then force (N). axes: link (of the body's own link,\n"
          "about its origin), world_aligned, world (about the world's origin)." +
          arguments;
  const auto bind = [&](const char* name, Holding what, const std::string& text) {
    module.def(
        name,
        [what](py::handle model, py::handle q, py::handle v, py::handle a, py::handle tau, py::handle f_ext,
               const std::string& axes, py::handle out) { return forces(what, model, q, v, a, tau, f_ext, axes, out); },
        py::arg("model"), py::arg("q"), py::arg("v"), py::arg("a"), none("tau"), none("f_ext"),
        py::arg("axes") = "link", none("out"), text.c_str());
  };
  bind("loop_forces", Holding::loops, loops);
  bind("joint_reactions", Holding::joints, joints);
  module.def(
      "coupling_forces",
      [](py::handle model, py::handle q, py::handle v, py::handle a, py::handle tau, py::handle f_ext, py::handle out) {
        return forces(Holding::couplings, model, q, v, a, tau, f_ext, "link", out);
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("a"), none("tau"), none("f_ext"), none("out"),
      couplings.c_str());
}

}  // namespace kinetree::python
