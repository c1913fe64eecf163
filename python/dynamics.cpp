// ForwardDynamics in Python: options by the words of the library's table.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <kinetree/forward_dynamics.hpp>

#include "library/option_table.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/directions.hpp"
#include "python/errors.hpp"
#include "python/fast_calls.hpp"
#include "python/models.hpp"
#include "python/results.hpp"
#include "python/varying.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

std::string python_word(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '-', '_');
  return text;
}

/// A field of a Plan for Python: an enumerator as its word.
template <class T>
py::object as_python(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return py::str(word_of(value));
  else
    return py::cast(value);
}
template <class T>
void from_python(const char* name, const py::handle& given, T& value) {
  if constexpr (std::is_enum_v<T>) {
    const auto found = value_of_word<T>(py::cast<std::string>(given));
    if (!found) raise_value(name, "one of " + list_of<T>(), py::str(given));
    value = *found;
  } else {
    value = py::cast<T>(given);
  }
}

/// visit(name, member) for every choice of a plan.
template <class P, class Visit>
void each_choice(P& plan, Visit&& visit) {
  visit("algorithm", plan.algorithm), visit("one_threads", plan.one_threads), visit("limbs", plan.limbs);
  visit("end_chains", plan.end_chains), visit("grain", plan.grain), visit("refinements", plan.refinements);
  visit("cuts", plan.cuts), visit("elimination", plan.elimination), visit("formulation", plan.formulation);
  visit("factorization", plan.factorization), visit("loops", plan.loops);
  visit("batch_algorithm", plan.batch_algorithm), visit("batch_loops", plan.batch_loops);
  visit("lanes", plan.lanes), visit("batch_threads", plan.batch_threads), visit("batch_from", plan.batch_from);
  visit("executor", plan.executor), visit("pinning", plan.pinning);
}

Plan plan_from(const py::object& given) {
  Plan plan(Algorithm::ab);
  each_choice(plan, [&](const char* name, auto& value) { from_python(name, given.attr(name), value); });
  return plan;
}

class DynamicsObject {
 public:
  DynamicsObject(std::shared_ptr<ModelObject> model, ForwardDynamics dynamics)
      : model_(std::move(model)), dynamics_(std::move(dynamics)) {}
  DynamicsObject(const VaryingObject& varying, ForwardDynamics dynamics)
      : model_(varying.model), varying_(varying.kept()), dynamics_(std::move(dynamics)) {}

  void give(py::handle parameters) { parameters_.give(dynamics_, varying_.get(), parameters); }
  bool varies() const { return varying_ != nullptr; }

  py::object solve(py::handle q, py::handle v, py::handle tau, py::handle f_ext, py::handle out) {
    Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
    const States states = states_of("q", first, model().nq());
    return states.in_double ? solve<double>(std::move(first), states, v, tau, f_ext, out)
                            : solve<float>(std::move(first), states, v, tau, f_ext, out);
  }

  py::object push(py::handle q, py::handle v, py::handle a, py::handle dq, py::handle dv, py::handle dtau,
                  py::handle f_ext, py::handle out) {
    return multiply(boundary::Function::forward_dynamics_tangent, q, v, a, {dq.ptr(), dv.ptr(), dtau.ptr()}, f_ext,
                    out);
  }
  py::object pull(py::handle q, py::handle v, py::handle a, py::handle a_bar, py::handle f_ext, py::handle out) {
    return multiply(boundary::Function::forward_dynamics_cotangent, q, v, a, {a_bar.ptr()}, f_ext, out);
  }

  const Model& model() const { return dynamics_.model(); }
  const std::shared_ptr<ModelObject>& model_object() const { return model_; }
  const Plan& plan() const { return dynamics_.plan(); }
  py::object statuses() const { return codes_of(dynamics_.statuses()); }
  py::object status(int column) const {
    const auto all = dynamics_.statuses();
    if (column < 0 || column >= static_cast<int>(all.size()))
      throw py::index_error("status " + std::to_string(column) + ": the last call had " + std::to_string(all.size()) +
                            " states");
    return status_object(all[static_cast<std::size_t>(column)], model());
  }

 private:
  template <class T>
  py::object solve(Array&& first, const States& states, py::handle v, py::handle tau, py::handle f_ext,
                   py::handle out) {
    const py::ssize_t nv = model().nv();
    const Input<T> q_in("q", std::move(first), states, model().nq()), v_in("v", v, states, nv),
        tau_in("tau", tau, states, nv);
    const Input<T> f_in =
        f_ext.is_none() ? Input<T>() : Input<T>("f_ext", f_ext, states, py::ssize_t{6} * model().body_count());
    Output<T> a("out", out, states, {{nv}, {0}});
    Status status;
    {
      const Released released(guard_, "ForwardDynamics");
      status = dynamics_.solve_columns(q_in.columns(), v_in.columns(), tau_in.columns(), f_in.columns(), a.columns());
    }
    parameters_.explain<T>(status);
    raise_bad(status, states.one, model());
    return a.finish();
  }

  py::object multiply(boundary::Function function, py::handle q, py::handle v, py::handle a,
                      const GivenDirections& given, py::handle f_ext, py::handle out) {
    Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
    const States states = states_of("q", first, model().nq());
    return states.in_double ? multiply<double>(function, std::move(first), states, v, a, given, f_ext, out)
                            : multiply<float>(function, std::move(first), states, v, a, given, f_ext, out);
  }
  /// Every direction and result of these rows has a number per velocity.
  template <class T>
  py::object multiply(boundary::Function function, Array&& first, const States& states, py::handle v, py::handle a,
                      const GivenDirections& given, py::handle f_ext, py::handle out) {
    const py::ssize_t nv = model().nv();
    const Input<T> q_in("q", std::move(first), states, model().nq()), v_in("v", v, states, nv),
        a_in("a", a, states, nv);
    const Input<T> f_in =
        f_ext.is_none() ? Input<T>() : Input<T>("f_ext", f_ext, states, py::ssize_t{6} * model().body_count());
    const FunctionRow& row = row_of(function);
    const Directions<T> d(row, given, states, {nv, nv, nv});
    Results<T> results(row, out.ptr(), states, [&](const kinetree::Result&) { return d.shape(nv); });
    Status status;
    {
      const Released released(guard_, "ForwardDynamics");
      const auto &qc = q_in.columns(), &vc = v_in.columns(), &ac = a_in.columns(), &fc = f_in.columns();
      status = function == boundary::Function::forward_dynamics_tangent
                   ? dynamics_.push_columns(qc, vc, ac, fc, d[0], d[1], d[2], results[0])
                   : dynamics_.pull_columns(qc, vc, ac, fc, d[0], results[0], results[1], results[2]);
    }
    parameters_.explain<T>(status);
    raise_bad(status, states.one, model());
    return results.finish();
  }

  std::shared_ptr<ModelObject> model_;
  std::shared_ptr<const VaryingObject> varying_;  ///< null: of a model
  ForwardDynamics dynamics_;
  GivenParameters parameters_;
  Guard guard_;
};

constexpr const char* solve_text =
    "solve(self: ForwardDynamics, q: object, v: object, tau: object, f_ext: object = None, out: object = None) -> "
    "numpy.ndarray\n\n"
    "Accelerations dv/dt (rad/s², m/s²) of one state or of many.\n\n"
    "q: (nq,) or (batch, nq), rad, m; v: (nv,) or (batch, nv), rad/s, m/s; tau: as v, Nm, N. f_ext: (6 bodies,)\n"
    "or (batch, 6 bodies), moment (Nm), then force (N) per body, world axes, about its frame's origin. float64\n"
    "or float32, all alike. out: where to write, shaped as v; it is returned.\n\n"
    "One state that fails raises StateError. Of many, those that fail are NaN, and `statuses` says which.";

PyObject* solve_call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  static const Parameters<5> parameters("solve", {"q", "v", "tau", "f_ext", "out"}, 3);
  return as_cpython_has_it([&] {
    const auto [q, v, tau, f_ext, out] = parameters.sorted(arguments, count, keywords);
    return py::cast<DynamicsObject&>(py::handle(self)).solve(q, v, tau, f_ext, out);
  });
}

}  // namespace

Options options_from(const py::kwargs& given) {
  Options options;
  for (const auto& [key, value] : given) {
    const auto word = py::cast<std::string>(key);
    const auto table = option_table();
    const auto entry = std::ranges::find_if(table, [&](const OptionEntry& e) { return python_word(e.word) == word; });
    if (entry == table.end()) {
      std::string all;
      for (const OptionEntry& e : table) all += (all.empty() ? "" : ", ") + python_word(e.word);
      throw py::type_error("there is no option " + word + "; options are " + all);
    }
    if (entry->words.empty()) {
      if (!PyLong_Check(value.ptr()) || PyBool_Check(value.ptr()))
        raise_value(word.c_str(), "a whole number", py::repr(value));
      int overflow = 0;
      const long number = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
      if (overflow != 0 || number < -1 || number > entry->most)
        raise_value(word.c_str(), "a number up to " + std::to_string(entry->most), py::repr(value));
      entry->set(options, static_cast<int>(number));
    } else {
      const std::string text = py::isinstance<py::str>(value) ? python_word(py::cast<std::string>(value)) : "";
      const auto found =
          std::ranges::find_if(entry->words, [&](std::string_view one) { return python_word(one) == text; });
      if (found == entry->words.end()) raise_value(word.c_str(), std::string(entry->range), py::repr(value));
      entry->set(options, static_cast<int>(found - entry->words.begin()));
    }
  }
  return options;
}

std::string options_help() {
  std::string text;
  for (const OptionEntry& e : option_table()) {
    text += python_word(e.word) + ": " + std::string(e.help);
    if (!e.words.empty()) text += "; " + python_word(e.range);
    text += '\n';
  }
  return text;
}

py::object plan_object(const Plan& plan) {
  py::dict choices;
  each_choice(plan, [&](const char* name, const auto& value) { choices[name] = as_python(value); });
  return py::module_::import("kinetree.plan").attr("Plan")(**choices);
}

void bind_dynamics(py::module_& module) {
  static const std::string help =
      "Accelerations of a model.\n\nForwardDynamics(model, plan=None, **options). plan: one of `plan()`, made again. "
      "Options:\n\n" +
      options_help() +
      "\nOf a Varying in place of the model: for states with numbers of their own.\n\n"
      "One object takes one call at a time: give each thread one of its own.";
  py::class_<DynamicsObject> type(module, "ForwardDynamics", help.c_str());
  type.def(py::init([](const std::shared_ptr<ModelObject>& model, const py::object& plan, const py::kwargs& options) {
             if (plan.is_none())
               return std::make_unique<DynamicsObject>(model, ForwardDynamics(model->model(), options_from(options)));
             if (!options.empty()) throw py::type_error("a plan has every choice made; leave out options beside it");
             return std::make_unique<DynamicsObject>(model, ForwardDynamics(model->model(), plan_from(plan)));
           }),
           py::arg("model").none(false), py::arg("plan") = py::none())
      .def(py::init([](const VaryingObject& varying, const py::kwargs& options) {
             return std::make_unique<DynamicsObject>(varying, ForwardDynamics(varying.varying, options_from(options)));
           }),
           py::arg("model"))
      .def(
          "with_parameters",
          [](const py::object& self, py::handle parameters) {
            py::cast<DynamicsObject&>(self).give(parameters);
            return self;
          },
          py::arg("parameters"),
          "Itself: the next call takes these numbers, (rows,) or (batch, rows) of its Varying, read where they lie.\n\n"
          "dynamics.with_parameters(P).solve(q, v, tau). A call without takes the model's own.")
      .def(
          "push", &DynamicsObject::push, py::arg("q"), py::arg("v"), py::arg("a"), py::arg("dq") = py::none(),
          py::arg("dv") = py::none(), py::arg("dtau") = py::none(), py::arg("f_ext") = py::none(),
          py::arg("out") = py::none(),
          "Tangents of the accelerations: da = M⁻¹ (dtau - dID/dq dq - dID/dv dv), how `solve` changes to first "
          "order.\n\n"
          "q, v, f_ext: as solve has them; a: the accelerations that it gave there. dq (in the coordinates of v, as\n"
          "`integrate` takes them), dv, dtau: (nv,) of one direction or (directions, nv), for a batch with an axis\n"
          "before; those left out are zero. Gives da, shaped as they are: with the identity row k is the derivative\n"
          "along direction k, the Jacobian transposed. out: where to write. By articulated bodies whatever the plan.\n"
          "State-dependent constraints (loops) raise StateError, and so do states as in solve; statuses are of states.")
      .def("pull", &DynamicsObject::pull, py::arg("q"), py::arg("v"), py::arg("a"), py::arg("a_bar"),
           py::arg("f_ext") = py::none(), py::arg("out") = py::none(),
           "Cotangents: (q_bar, v_bar, tau_bar), the gradients of a number by q (in the coordinates of v), v and "
           "tau.\n\n"
           "a_bar: its gradient by the accelerations, (nv,), or (directions, nv) of several numbers, for a batch with\n"
           "an axis before; results have its shape. tau_bar = M⁻¹ a_bar, q_bar = -(dID/dq)ᵀ tau_bar, v_bar =\n"
           "-(dID/dv)ᵀ tau_bar. out: a tuple of three. Else as push has it.")
      .def_property_readonly("statuses", &DynamicsObject::statuses,
                             "uint8 per state of the last call: 0 is ok, others are indices of kinetree.STATUS_CODES.")
      .def("status", &DynamicsObject::status, py::arg("state"), "The kinetree.Status of a state of the last call.")
      .def(
          "plan", [](const DynamicsObject& d) { return plan_object(d.plan()); }, "Every choice that was made.")
      .def_property_readonly("model", &DynamicsObject::model_object, "The Model.")
      .def(py::pickle(
          [](const DynamicsObject& d) {
            if (d.varies()) throw py::type_error("a ForwardDynamics of a Varying can't be pickled: make it anew there");
            return py::make_tuple(d.model_object(), plan_object(d.plan()));
          },
          [](const py::tuple& kept) {
            const auto model = py::cast<std::shared_ptr<ModelObject>>(kept[0]);
            return std::make_unique<DynamicsObject>(model, ForwardDynamics(model->model(), plan_from(kept[1])));
          }))
      .def("__repr__", [](const DynamicsObject& d) {
        return "<kinetree.ForwardDynamics of '" + d.model().name() + "': " + word_of(d.plan().algorithm) +
               ", batches by " + word_of(d.plan().batch_algorithm) + " in " + std::to_string(d.plan().lanes) +
               " lanes on " + std::to_string(d.plan().batch_threads) +
               (d.plan().batch_threads == 1 ? " thread>" : " threads>");
      });
  static PyMethodDef solve = fast_method("solve", &solve_call, solve_text);
  type.attr("solve") =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &solve));
}

}  // namespace kinetree::python
