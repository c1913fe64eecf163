// Loops and couplings: closing them, how far open they are, other assembly modes (kinetree/closing.hpp).

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/closing.hpp>
#include <limits>
#include <optional>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/entries.hpp"
#include "python/workspaces.hpp"

namespace kinetree::python {
namespace {

/// Where closing fails: which of the joints that are held contradict, beside the status.
[[noreturn]] void raise_open(const Status& status, Lent& lent) {
  py::list joints;
  const Model& model = lent.model();
  for (const int entry : contradicting(lent.workspace()))
    for (int k = 0; k < model.body_count(); ++k)
      if (model.v_index(k) <= entry && (k + 1 == model.body_count() || entry < model.v_index(k + 1)))
        joints.append(std::string(model.joint_name(k)));
  const py::object type = py::module_::import("kinetree.errors").attr("StateError");
  const py::object error = type(status_object(status, model));
  error.attr("contradicting") = py::tuple(joints);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

/// A result that begins as another array's numbers: in place where they are one and the same.
template <class T>
Output<T> copied(const char* name, py::handle out, const Input<T>& from, const States& states, py::ssize_t rows) {
  Output<T> to(name, out, states, {{rows}, {0}});
  const Columns<const T>& source = from.columns();
  const Columns<T>& target = to.columns();
  for (std::ptrdiff_t c = 0; c < target.columns; ++c)
    for (std::ptrdiff_t r = 0; r < rows; ++r)
      target.data[c * target.stride + r] = source.data == nullptr ? T{0} : source.data[c * source.stride + r];
  return to;
}

template <class T>
py::object close_in(Lent& lent, Array&& first, const States& states, py::handle v, const py::object& held,
                    py::handle out) {
  const Model& model = lent.model();
  const Input<T> q_in("q", std::move(first), states, model.nq());
  const Input<T> v_in = v.is_none() ? Input<T>() : Input<T>("v", v, states, model.nv());
  if (!out.is_none() && (!PyTuple_Check(out.ptr()) || PyTuple_GET_SIZE(out.ptr()) != 2))
    raise_type("out", "a tuple of 2 arrays", Py_TYPE(out.ptr())->tp_name);
  const auto target = [&](py::ssize_t k) { return out.is_none() ? out : py::handle(PyTuple_GET_ITEM(out.ptr(), k)); };
  std::vector<int> entries;
  if (!held.is_none()) entries = entries_from("held", held, model);
  const std::span<const int> listed(entries);
  Output<T> q_out = copied("q", target(0), q_in, states, model.nq()),
            v_out = copied("v", target(1), v_in, states, model.nv());
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status =
        boundary::close(model, lent.workspace(), q_out.columns(), v_out.columns(), held.is_none() ? nullptr : &listed);
  }
  if (!status.ok()) {
    if (states.one || refuses_call(status)) raise_open(status, lent);
    const auto statuses = lent.workspace().statuses();
    const auto spoil = [&](const Columns<T>& x) {
      for (std::ptrdiff_t c = 0; c < x.columns; ++c)
        if (!statuses[static_cast<std::size_t>(c)].ok())
          std::fill_n(x.data + c * x.stride, x.rows, std::numeric_limits<T>::quiet_NaN());
    };
    spoil(q_out.columns()), spoil(v_out.columns());
  }
  return py::make_tuple(q_out.finish(), v_out.finish());
}

template <class T>
py::object errors_in(Lent& lent, Array&& first, const States& states, py::handle v, py::handle out) {
  const Model& model = lent.model();
  const auto rows = static_cast<py::ssize_t>(constraint_rows(model).size());
  const Input<T> q_in("q", std::move(first), states, model.nq());
  const bool with_rates = !v.is_none();
  const Input<T> v_in = with_rates ? Input<T>("v", v, states, model.nv()) : Input<T>();
  if (with_rates && !out.is_none() && (!PyTuple_Check(out.ptr()) || PyTuple_GET_SIZE(out.ptr()) != 2))
    raise_type("out", "a tuple of 2 arrays", Py_TYPE(out.ptr())->tp_name);
  const auto target = [&](py::ssize_t k) {
    return out.is_none() || !with_rates ? out : py::handle(PyTuple_GET_ITEM(out.ptr(), k));
  };
  Output<T> errors("out", target(0), states, {{rows}, {0}}), rates;
  if (with_rates) rates = Output<T>("rates", target(1), states, {{rows}, {0}});
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status = boundary::constraint_errors(model, lent.workspace(), q_in.columns(), v_in.columns(), errors.columns(),
                                         rates.columns());
  }
  raise_bad(status, states.one, model);
  if (!with_rates) return errors.finish();
  return py::make_tuple(errors.finish(), rates.finish());
}

/// Work on a state, or a batch, of q.
template <class Work>
py::object on_states(py::handle model, py::handle q, Work&& work) {
  Lent lent(model.ptr());
  Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, lent.model().nq());
  return states.in_double ? work(double{}, lent, std::move(first), states)
                          : work(float{}, lent, std::move(first), states);
}

py::object assembly_modes_of(const ModelObject& m, py::handle q, const py::object& held, int most, int starts) {
  const Model& model = m.model();
  if (most < 1) raise_value("most", "a number above 0", std::to_string(most));
  if (starts < 0) raise_value("starts", "a number from 0", std::to_string(starts));
  Array first = Array::of("q", q, "an array of shape (nq,)");
  const States states = states_of("q", first, model.nq());
  if (!states.one) raise_shape("q", shape_text({model.nq()}), first.sizes());
  if (!states.in_double) raise_dtype("q", "float64", first.dtype());
  const Input<double> from("q", std::move(first), states, model.nq());
  const std::vector<int> entries = held.is_none() ? independent_velocities(model) : entries_from("held", held, model);
  std::vector<std::vector<double>> found;
  {
    Guard guard;
    const Released released(guard, "");
    found = boundary::assembly_modes(model, {from.columns().data, static_cast<std::size_t>(model.nq())}, entries, most,
                                     starts);
  }
  py::array_t<double> modes({static_cast<py::ssize_t>(found.size()), static_cast<py::ssize_t>(model.nq())});
  for (std::size_t k = 0; k < found.size(); ++k)
    std::ranges::copy(found[k], modes.mutable_data(static_cast<py::ssize_t>(k), 0));
  return modes;
}

}  // namespace

std::vector<int> entries_from(const char* argument, py::handle given, const Model& model) {
  std::vector<int> entries;
  const auto take = [&](py::handle one) {
    if (PyUnicode_Check(one.ptr())) {
      const auto name = py::cast<std::string>(one);
      const std::string_view names[]{name};
      const std::vector<int> of_joint = boundary::velocities_of(model, names);
      entries.insert(entries.end(), of_joint.begin(), of_joint.end());
    } else if (PyIndex_Check(one.ptr()) && !PyBool_Check(one.ptr())) {
      entries.push_back(py::cast<int>(py::int_(py::reinterpret_borrow<py::object>(one))));
    } else {
      raise_type(argument, "joints by name, or entries of v by number", py::repr(one));
    }
  };
  if (PyUnicode_Check(given.ptr()) || PyIndex_Check(given.ptr()))
    take(given);
  else if (py::isinstance<py::iterable>(given))
    for (const py::handle one : given) take(one);
  else
    raise_type(argument, "joints by name, or entries of v by number", py::repr(given));
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

void bind_closing(py::module_& module) {
  const auto model = py::arg("model"), q = py::arg("q");
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  module.def(
      "close",
      [](py::handle m, py::handle q_in, py::handle v, const py::object& held, py::handle out) {
        return on_states(m, q_in, [&](auto scalar, Lent& lent, Array&& first, const States& states) {
          return close_in<decltype(scalar)>(lent, std::move(first), states, v, held, out);
        });
      },
      model, q, none("v"), none("held"), none("out"),
      "Closes loops and couplings: (q, v) near those given in which all constraints hold.\n\n"
      "model: a Model or a Workspace. q: (nq,) or (batch, nq); v: (nv,) or (batch, nv), without it zero. held: joints "
      "by\n"
      "name, or entries of v, that keep their positions and velocities; without it the model's independent ones, []\n"
      "holds nothing. Joints that nothing ties stay. Limits are not looked at. out: (q, v) to write to; they may be "
      "the\n"
      "arguments themselves.\n\n"
      "One state that does not close raises StateError of code not_closed, whose `value` says how far open the "
      "nearest\n"
      "configuration is (m or rad) and whose `contradicting` names held joints that contradict. In a batch such "
      "states\n"
      "are NaN, and a Workspace's statuses say why. As kinetree/closing.hpp has it.");
  module.def(
      "constraint_errors",
      [](py::handle m, py::handle q_in, py::handle v, py::handle out) {
        return on_states(m, q_in, [&](auto scalar, Lent& lent, Array&& first, const States& states) {
          return errors_in<decltype(scalar)>(lent, std::move(first), states, v, out);
        });
      },
      model, q, none("v"), none("out"),
      "How far open loops and couplings are, (rows,) or (batch, rows): a number for each of `constraint_rows`, m or "
      "rad;\n"
      "closed is 1e-8. With v (nv): (errors, rates), the rates at which v opens them (m/s or rad/s). model: a Model or "
      "a\n"
      "Workspace.");
  module.def(
      "assembly_modes", &assembly_modes_of, model, q, none("held"), py::arg("most") = 16, py::arg("starts") = 2000,
      "Closed configurations, (found, nq), in which what is held stands as in q: the nearest first, then others\n"
      "found from `starts` random ones, at most `most`. held: as `close` has it; as many as there are freedoms.");
  module.def(
      "velocities_of",
      [](const ModelObject& m, const py::object& joints) { return entries_from("joints", joints, m.model()); }, model,
      py::arg("joints"), "The entries of v, ascending, that joints have.");
}

}  // namespace kinetree::python
