// The free functions of a state, all by one call: the library's table says what a function reads and gives, its
// header's adapter what it is called. A function that C++ has needs no line here.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <deque>
#include <kinetree/workspace.hpp>

#include "library/function_table.hpp"
#include "library/option_table.hpp"
#include "python/adapters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"
#include "python/points.hpp"
#include "python/words.hpp"
#include "python/workspaces.hpp"

namespace kinetree::python {
namespace {

using boundary::Function;

/// What a function takes in Python, in this order: what it must have, then what it may.
struct Parameter {
  enum Kind { q, v, a, tau, f_ext, points, axes, coordinates, out };
  Kind kind;
  bool must;
  PyObject* name;  ///< interned, so that most keywords are found by their address
};

constexpr std::array<const char*, 9> parameter_names{"q",      "v",    "a",           "tau", "f_ext",
                                                     "points", "axes", "coordinates", "out"};

/// A row under its adapter's name.
struct Callable {
  const Adapter* adapter;
  const FunctionRow* row;
  std::vector<Parameter> parameters;
  std::string text;
  PyMethodDef method;
};

Reads reads(const Callable& c, Adapter::Argument argument, Reads of_row) {
  if (!c.adapter->has(argument)) return Reads::never;
  const bool own_name = word_of(c.row->function) == c.adapter->name;
  return own_name ? of_row : Reads::must;  // a name of its own says that these arguments matter
}

void list_parameters(Callable& c) {
  const auto add = [&](Parameter::Kind kind, bool must) {
    c.parameters.push_back({kind, must, PyUnicode_InternFromString(parameter_names[kind])});
  };
  const std::pair<Parameter::Kind, Reads> inputs[]{{Parameter::v, reads(c, Adapter::v, c.row->v)},
                                                   {Parameter::a, reads(c, Adapter::a, c.row->a)},
                                                   {Parameter::tau, reads(c, Adapter::tau, c.row->tau)},
                                                   {Parameter::f_ext, reads(c, Adapter::f_ext, c.row->f_ext)}};
  add(Parameter::q, true);
  for (const auto& [kind, how] : inputs)
    if (how == Reads::must) add(kind, true);
  if (c.row->points) add(Parameter::points, true);
  for (const auto& [kind, how] : inputs)
    if (how == Reads::may) add(kind, false);
  if (c.adapter->has(Adapter::axes)) add(Parameter::axes, false);
  if (c.adapter->has(Adapter::coordinates)) add(Parameter::coordinates, false);
  add(Parameter::out, false);
}

/// A result of a state: points apart, poses as 3 x 4 matrices; matrices lie column by column.
ResultShape shape_of(const FunctionRow& row, const kinetree::Result& result, const ModelData& m, std::size_t points,
                     Coordinates coordinates) {
  const py::ssize_t rows = result.rows.of(m, points, coordinates), columns = row.columns.of(m, points, coordinates);
  const bool many =
      row.columns.of_velocity || row.columns.of_independent || row.columns.of_parameter || row.columns.of_point != 0;
  if (many) {
    return {{rows, columns}, row.symmetric ? Sizes{0, 1} : Sizes{1, 0}, columns};
  }
  const auto count = static_cast<py::ssize_t>(points);
  if (result.rows.of_point == 12) return {{count, 3, 4}, {0, 2, 1}, 1};
  if (result.rows.of_point > 0) return {{count, result.rows.of_point}, {0, 1}, 1};
  return {{rows}, {0}, 1};
}

std::string shown(const FunctionRow& row, const kinetree::Result& result) {
  const auto words = [](const Extent& e) {
    if (e.of_velocity) return std::string("nv");
    if (e.of_independent) return std::string("independent");
    if (e.of_parameter) return std::string("parameters");
    if (e.of_point > 0) return std::to_string(e.of_point) + " points";
    return std::to_string(e.plain);
  };
  if (row.columns.of_velocity || row.columns.of_independent || row.columns.of_parameter || row.columns.of_point > 0)
    return "(" + words(result.rows) + ", " + words(row.columns) + ")";
  if (result.rows.of_point == 12) return "(points, 3, 4)";
  if (result.rows.of_point > 0) return "(points, " + std::to_string(result.rows.of_point) + ")";
  return "(" + words(result.rows) + ",)";
}

std::string text_of(const Callable& c) {
  static const char* const types[]{"numpy.ndarray", "numpy.ndarray", "numpy.ndarray", "numpy.ndarray", "numpy.ndarray",
                                   "object",        "str",           "str",           "object"};
  static const char* const shapes[]{"(nq,) or (batch, nq); rad, m",
                                    "(nv,) or (batch, nv); rad/s, m/s",
                                    "(nv,) or (batch, nv); rad/s², m/s²",
                                    "(nv,) or (batch, nv); Nm, N",
                                    "(6 bodies,) or (batch, 6 bodies): Nm, then N, per body, world axes",
                                    "links, or pairs of a link and an offset (m); or Points made of them",
                                    "",
                                    "",
                                    ""};
  std::string head = std::string(c.adapter->name) + "(model: object", list;
  for (const Parameter& p : c.parameters) {
    const bool axes = p.kind == Parameter::axes, coordinates = p.kind == Parameter::coordinates;
    head += std::string(", ") + parameter_names[p.kind] + ": " + types[p.kind];
    if (!p.must) head += axes ? " = 'link'" : coordinates ? " = 'spanning'" : " = None";
    if (*shapes[p.kind] != 0) list += std::string(parameter_names[p.kind]) + ": " + shapes[p.kind] + "\n";
    if (axes) list += "axes: " + list_of<Axes>() + "\n";
    if (coordinates) list += "coordinates: " + list_of<Coordinates>() + "\n";
  }
  std::string results;
  int count = 0;
  for (const kinetree::Result& r : c.row->results)
    if (r.name != nullptr) {
      results += (results.empty() ? "" : ", ") + std::string(r.name) + " " + shown(*c.row, r);
      ++count;
    }
  return head + (count > 1 ? ") -> tuple" : ") -> numpy.ndarray") + "\n\nmodel: a Model or a Workspace.\n" + list +
         "Gives " + results + ", for a batch with an axis before. out: where to write" +
         (count > 1 ? ", a tuple" : "") + ".\n\nAs C++ has it, where states are columns:\n" + c.adapter->text;
}

template <class E>
E chosen(const char* name, PyObject* given, E otherwise) {
  if (given == nullptr) return otherwise;
  const auto found =
      value_of_word<E>(PyUnicode_Check(given) ? py::cast<std::string>(py::handle(given)) : std::string());
  if (!found) raise_value(name, "one of " + list_of<E>(), py::repr(given));
  return *found;
}

/// The arguments of a call, each where its kind has it; null: left out.
using Given = std::array<PyObject*, parameter_names.size()>;

template <class T>
py::object evaluate(const Callable& c, Lent& lent, Array&& first, const States& states, const Given& given) {
  const Model& model = lent.model();
  const ModelData& m = model.data();
  const py::ssize_t nv = model.nv();
  const auto input = [&](Parameter::Kind kind, py::ssize_t rows) {
    return given[kind] == nullptr ? Input<T>() : Input<T>(parameter_names[kind], given[kind], states, rows);
  };
  const Input<T> q("q", std::move(first), states, model.nq()),
      v = input(Parameter::v, nv), a = input(Parameter::a, nv), tau = input(Parameter::tau, nv),
      f_ext = input(Parameter::f_ext, py::ssize_t{6} * model.body_count());
  const ListedPoints points(given[Parameter::points], model);
  boundary::Arguments<T> arguments{.q = q.columns(),
                                   .v = v.columns(),
                                   .a = a.columns(),
                                   .tau = tau.columns(),
                                   .f_ext = f_ext.columns(),
                                   .points = points.list()};
  arguments.axes = chosen(parameter_names[Parameter::axes], given[Parameter::axes], Axes::link);
  arguments.coordinates =
      chosen(parameter_names[Parameter::coordinates], given[Parameter::coordinates], Coordinates::spanning);

  std::size_t count = 0;
  while (count < std::size(c.row->results) && c.row->results[count].name != nullptr) ++count;
  PyObject* out = given[Parameter::out];
  if (count > 1 && out != nullptr && (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != static_cast<py::ssize_t>(count)))
    raise_type("out", "a tuple of " + std::to_string(count) + " arrays", Py_TYPE(out)->tp_name);
  std::array<Output<T>, std::size(decltype(FunctionRow::results){})> outputs;
  for (std::size_t k = 0; k < count; ++k) {
    const kinetree::Result& result = c.row->results[k];
    py::handle where = out == nullptr ? Py_None : count == 1 ? out : PyTuple_GET_ITEM(out, static_cast<py::ssize_t>(k));
    outputs[k] = Output<T>(count == 1 ? "out" : result.name, where, states,
                           shape_of(*c.row, result, m, points.list().size(), arguments.coordinates));
    arguments.results[k] = outputs[k].columns();
  }
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status = boundary::evaluate(c.row->function, model, lent.workspace(), arguments);
  }
  if (!status.ok() && (states.one || refuses_call(status))) raise_status(status, model);
  if (count == 1) return outputs[0].finish();
  py::tuple all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = outputs[k].finish();
  return all;
}

/// Sorts the arguments of a call. Throws TypeError as Python's own functions do.
Given sorted(const Callable& c, PyObject* const* arguments, py::ssize_t count, PyObject* keywords, PyObject*& model) {
  const auto refuse = [&](const std::string& why) { throw py::type_error(std::string(c.adapter->name) + "() " + why); };
  Given given{};
  const auto most = static_cast<py::ssize_t>(c.parameters.size()) + 1;
  if (count > most) refuse("takes " + std::to_string(most) + " arguments, given " + std::to_string(count));
  model = count > 0 ? arguments[0] : nullptr;
  for (py::ssize_t k = 1; k < count; ++k) given[c.parameters[static_cast<std::size_t>(k - 1)].kind] = arguments[k];
  const py::ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (py::ssize_t k = 0; k < named; ++k) {
    PyObject *key = PyTuple_GET_ITEM(keywords, k), *value = arguments[count + k];
    if (PyUnicode_CompareWithASCIIString(key, "model") == 0 && model == nullptr) {
      model = value;
      continue;
    }
    const Parameter* found = nullptr;
    for (const Parameter& p : c.parameters)
      if (p.name == key || PyUnicode_Compare(p.name, key) == 0) {
        found = &p;
        break;
      }
    if (found == nullptr) refuse("takes no argument " + py::cast<std::string>(py::handle(key)));
    if (given[found->kind] != nullptr) refuse("got two values of " + std::string(parameter_names[found->kind]));
    given[found->kind] = value;
  }
  if (model == nullptr) refuse("needs a model");
  for (const Parameter& p : c.parameters) {
    PyObject*& value = given[p.kind];
    if (value == nullptr && p.must) refuse("needs " + std::string(parameter_names[p.kind]));
    if (value == Py_None && !p.must) value = nullptr;
  }
  return given;
}

PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  try {
    const Callable& c = *static_cast<const Callable*>(PyCapsule_GetPointer(self, nullptr));
    PyObject* model = nullptr;
    const Given given = sorted(c, arguments, count, keywords, model);
    Lent lent(model);
    Array first = Array::of("q", given[Parameter::q], "an array of shape (nq,) or (batch, nq)");
    const States states = states_of("q", first, lent.model().nq());
    py::object result = states.in_double ? evaluate<double>(c, lent, std::move(first), states, given)
                                         : evaluate<float>(c, lent, std::move(first), states, given);
    return result.release().ptr();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

}  // namespace

void bind_functions(py::module_& module) {
  static std::deque<Callable> all;  // as long as the process
  py::list names;
  for (const Adapter& adapter : adapters) {
    Callable& c = all.emplace_back(Callable{&adapter, &row_of(adapter.function), {}, {}, {}});
    list_parameters(c);
    c.text = text_of(c);
    c.method = {adapter.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call)),
                METH_FASTCALL | METH_KEYWORDS, c.text.c_str()};
    const py::capsule self(&c);
    module.attr(adapter.name) =
        py::reinterpret_steal<py::object>(PyCFunction_NewEx(&c.method, self.ptr(), module.attr("__name__").ptr()));
    names.append(adapter.name);
  }
  module.attr("FUNCTIONS") = py::tuple(names);
}

}  // namespace kinetree::python
