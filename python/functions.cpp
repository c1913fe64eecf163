// The free functions of a state, all by one call: the library's table says what a function reads and gives, its
// header's adapter what it is called. A function that C++ has needs no line here.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <deque>
#include <kinetree/derivative_products.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/workspace.hpp>
#include <optional>

#include "engine/scalar/index.hpp"
#include "library/function_table.hpp"
#include "library/option_table.hpp"
#include "python/adapters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/directions.hpp"
#include "python/errors.hpp"
#include "python/fast_calls.hpp"
#include "python/models.hpp"
#include "python/points.hpp"
#include "python/results.hpp"
#include "python/words.hpp"
#include "python/workspaces.hpp"

namespace kinetree::python {
namespace {

using boundary::Function;

/// What a function takes in Python, in this order: what it must have, then what it may.
struct Parameter {
  enum Kind { q, v, a, tau, f_ext, points, axes, coordinates, linear, damping, out, direction };
  int kind;  ///< or `direction` and the number of one
  bool must;
  const char* word;
  PyObject* name;  ///< interned, so that most keywords are found by their address
};

/// What the docstring says of a parameter; texts of words are lists of them.
struct ParameterText {
  const char *name, *type, *otherwise, *text;
};

/// Those that all functions call alike; of directions the table has names.
constexpr std::array<ParameterText, Parameter::direction> parameter_texts{{
    {"q", "numpy.ndarray", "", "(nq,) or (batch, nq); rad, m"},
    {"v", "numpy.ndarray", "None", "(nv,) or (batch, nv); rad/s, m/s"},
    {"a", "numpy.ndarray", "None", "(nv,) or (batch, nv); rad/s², m/s²"},
    {"tau", "numpy.ndarray", "None", "(nv,) or (batch, nv); Nm, N"},
    {"f_ext", "numpy.ndarray", "None", "(6 bodies,) or (batch, 6 bodies): Nm, then N, per body, world axes"},
    {"points", "object", "", "links, or pairs of a link and an offset (m); or Points made of them"},
    {"axes", "str", "'link'", ""},
    {"coordinates", "str", "'spanning'", ""},
    {"rows", "str", "'all'", ""},
    {"damping", "float", "0.0", "times the direction, added to the result"},
    {"out", "object", "None", ""},
}};

constexpr int most_directions = static_cast<int>(std::size(decltype(FunctionRow::directions){}));

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
  const auto add_named = [&](int kind, bool must, const char* word) {
    c.parameters.push_back({kind, must, word, PyUnicode_InternFromString(word)});
  };
  const auto add = [&](Parameter::Kind kind, bool must) { add_named(kind, must, parameter_texts[kind].name); };
  const std::pair<Parameter::Kind, Reads> inputs[]{{Parameter::v, reads(c, Adapter::v, c.row->v)},
                                                   {Parameter::a, reads(c, Adapter::a, c.row->a)},
                                                   {Parameter::tau, reads(c, Adapter::tau, c.row->tau)},
                                                   {Parameter::f_ext, reads(c, Adapter::f_ext, c.row->f_ext)}};
  add(Parameter::q, true);
  for (const auto& [kind, how] : inputs)
    if (how == Reads::must) add(kind, true);
  if (c.row->points) add(Parameter::points, true);
  const bool one_direction = c.row->directions[1].name == nullptr;
  for (int k = 0; k < most_directions && c.row->directions[k].name != nullptr; ++k)
    add_named(Parameter::direction + k, one_direction, c.row->directions[k].name);
  for (const auto& [kind, how] : inputs)
    if (how == Reads::may) add(kind, false);
  if (c.adapter->has(Adapter::axes)) add(Parameter::axes, false);
  if (c.adapter->has(Adapter::coordinates)) add(Parameter::coordinates, false);
  if (c.adapter->has(Adapter::linear)) add(Parameter::linear, false);
  if (c.adapter->has(Adapter::damping)) add(Parameter::damping, false);
  add(Parameter::out, false);
}

/// What results have rows or columns for. A link that there is not has none: the call is refused for it.
PointCounts counts_of(const FunctionRow& row, const Model& model, const std::vector<LinkPoint>& points) {
  const auto there = [&](const LinkPoint& point) { return point.link >= 0 && point.link < model.frame_count(); };
  const bool by_path = row.columns.of_path && std::ranges::all_of(points, there);
  return {points.size(), by_path ? path_velocities(model, points).velocity.size() : 0};
}

/// Of a product's directions and results: no matrix, and points stand one below the other.
py::ssize_t rows_of(const Extent& extent, const ModelData& m, const PointCounts& counts, bool linear) {
  const py::ssize_t rows = extent.of(m, counts, Coordinates::spanning);
  return linear ? rows / 2 : rows;
}

/// A result of a state: points apart, poses as 3 x 4 matrices; matrices lie column by column.
ResultShape shape_of(const FunctionRow& row, const kinetree::Result& result, const ModelData& m,
                     const PointCounts& counts, Coordinates coordinates) {
  const py::ssize_t rows = result.rows.of(m, counts, coordinates), columns = row.columns.of(m, counts, coordinates);
  if (row.columns.varies()) return {{rows, columns}, row.symmetric ? Sizes{0, 1} : Sizes{1, 0}, columns};
  const auto count = static_cast<py::ssize_t>(counts.points);
  if (result.rows.of_point == 12) return {{count, 3, 4}, {0, 2, 1}, 1};
  if (result.rows.of_point > 0) return {{count, result.rows.of_point}, {0, 1}, 1};
  return {{rows}, {0}, 1};
}

std::string words_of_extent(const Extent& e) {
  if (e.of_velocity) return "nv";
  if (e.of_independent) return "independent";
  if (e.of_parameter) return "parameters";
  if (e.of_path) return "columns of path_velocities";
  if (e.of_point > 0) return std::to_string(e.of_point) + " points";
  return std::to_string(e.plain);
}

std::string shown(const FunctionRow& row, const kinetree::Result& result) {
  const std::string rows = words_of_extent(result.rows);
  if (row.columns.varies())
    return "(" + rows + ", " + words_of_extent(row.columns) + ")";
  if (row.is_product()) return "(" + rows + ",) or (directions, " + rows + ")";
  if (result.rows.of_point == 12) return "(points, 3, 4)";
  if (result.rows.of_point > 0) return "(points, " + std::to_string(result.rows.of_point) + ")";
  return "(" + rows + ",)";
}

/// What a parameter's line of the docstring says of it.
std::string told(const Callable& c, const Parameter& p) {
  if (p.kind >= Parameter::direction) {
    const std::string n = words_of_extent(c.row->directions[p.kind - Parameter::direction].rows);
    return "(" + n + ",) of one direction or (directions, " + n + "), for a batch with an axis before" +
           (p.must ? "" : "; left out: zero");
  }
  if (p.kind == Parameter::axes) return list_of<Axes>();
  if (p.kind == Parameter::coordinates) return list_of<Coordinates>();
  if (p.kind == Parameter::linear) return list_of<PointRows>() + "; linear: three rows per point, without moments";
  return parameter_texts[at(p.kind)].text;
}

std::string text_of(const Callable& c) {
  std::string head = std::string(c.adapter->name) + "(model: object", list;
  for (const Parameter& p : c.parameters) {
    const bool named = p.kind < Parameter::direction;
    const ParameterText text = named ? parameter_texts[at(p.kind)] : ParameterText{p.word, "numpy.ndarray", "None", ""};
    head += std::string(", ") + p.word + ": " + text.type;
    if (!p.must) head += std::string(" = ") + text.otherwise;
    if (const std::string line = told(c, p); !line.empty()) list += std::string(p.word) + ": " + line + "\n";
  }
  std::string results;
  for (std::size_t k = 0; k < result_count(*c.row); ++k)
    results += (k == 0 ? "" : ", ") + std::string(c.row->results[k].name) + " " + shown(*c.row, c.row->results[k]);
  const bool several = c.row->several();
  return head + (several ? ") -> tuple" : ") -> numpy.ndarray") + "\n\nmodel: a Model or a Workspace.\n" + list +
         "Gives " + results + ", for a batch with an axis before. out: where to write" + (several ? ", a tuple" : "") +
         ".\n\nAs C++ has it, where " + (c.row->is_product() ? "directions" : "states") + " are columns:\n" +
         c.adapter->text;
}

template <class E>
E chosen(const char* name, PyObject* given, E otherwise) {
  if (given == nullptr) return otherwise;
  const auto found =
      value_of_word<E>(PyUnicode_Check(given) ? py::cast<std::string>(py::handle(given)) : std::string());
  if (!found) raise_value(name, "one of " + list_of<E>(), py::repr(given));
  return *found;
}

double number(const char* name, PyObject* given, double otherwise) {
  if (given == nullptr) return otherwise;
  const double value = PyBool_Check(given) ? -1 : PyFloat_AsDouble(given);
  if (PyBool_Check(given) || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    raise_type(name, "a number", Py_TYPE(given)->tp_name);
  }
  return value;
}

/// The arguments of a call, each where its kind has it; null: left out.
using Given = std::array<PyObject*, Parameter::direction + most_directions>;

template <class T>
py::object evaluate(const Callable& c, Lent& lent, Array&& first, const States& states, const Given& given) {
  const Model& model = lent.model();
  const ModelData& m = model.data();
  const py::ssize_t nv = model.nv();
  const auto input = [&](Parameter::Kind kind, py::ssize_t rows) {
    return given[kind] == nullptr ? Input<T>() : Input<T>(parameter_texts[kind].name, given[kind], states, rows);
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
  const auto word = [&]<class E>(Parameter::Kind kind, E otherwise) {
    return chosen(parameter_texts[kind].name, given[kind], otherwise);
  };
  arguments.axes = word(Parameter::axes, Axes::link);
  arguments.coordinates = word(Parameter::coordinates, Coordinates::spanning);

  const PointCounts counts = counts_of(*c.row, model, points.list());
  boundary::ProductArguments<T> product;
  std::optional<Directions<T>> directions;
  if (c.row->is_product()) {
    arguments.product = &product;
    product.linear = word(Parameter::linear, PointRows::all) == PointRows::linear;
    product.damping = static_cast<T>(number("damping", given[Parameter::damping], 0));
    std::array<py::ssize_t, 3> rows{};
    for (std::size_t k = 0; k < rows.size(); ++k)
      rows[k] = rows_of(c.row->directions[k].rows, m, counts, product.linear);
    directions.emplace(
        *c.row,
        GivenDirections{given[Parameter::direction], given[Parameter::direction + 1], given[Parameter::direction + 2]},
        states, rows);
    for (std::size_t k = 0; k < rows.size(); ++k) product.directions[k] = (*directions)[k];
  }
  Results<T> results(*c.row, given[Parameter::out], states, [&](const kinetree::Result& r) {
    return directions ? directions->shape(rows_of(r.rows, m, counts, product.linear))
                      : shape_of(*c.row, r, m, counts, arguments.coordinates);
  });
  for (std::size_t k = 0; k < results.count(); ++k) arguments.results[k] = results[k];
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status = boundary::evaluate(c.row->function, model, lent.workspace(), arguments);
  }
  lent.explain<T>(status);
  raise_bad(status, states.one, model);
  return results.finish();
}

/// Sorts the arguments of a call. Throws TypeError as Python's own functions do.
Given sorted(const Callable& c, PyObject* const* arguments, py::ssize_t count, PyObject* keywords, PyObject*& model) {
  const auto refuse = [&](const std::string& why) { throw py::type_error(std::string(c.adapter->name) + "() " + why); };
  Given given{};
  const auto most = static_cast<py::ssize_t>(c.parameters.size()) + 1;
  if (count > most) refuse("takes " + std::to_string(most) + " arguments, given " + std::to_string(count));
  model = count > 0 ? arguments[0] : nullptr;
  for (py::ssize_t k = 1; k < count; ++k) given[at(c.parameters[static_cast<std::size_t>(k - 1)].kind)] = arguments[k];
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
    PyObject*& place = given[at(found->kind)];
    if (place != nullptr) refuse("got two values of " + std::string(found->word));
    place = value;
  }
  if (model == nullptr) refuse("needs a model");
  for (const Parameter& p : c.parameters) {
    PyObject*& value = given[at(p.kind)];
    if (value == nullptr && p.must) refuse("needs " + std::string(p.word));
    if (value == Py_None && !p.must) value = nullptr;
  }
  return given;
}

PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  return as_cpython_has_it([&] {
    const Callable& c = *static_cast<const Callable*>(PyCapsule_GetPointer(self, nullptr));
    PyObject* model = nullptr;
    const Given given = sorted(c, arguments, count, keywords, model);
    Lent lent(model);
    Array first = Array::of("q", given[Parameter::q], "an array of shape (nq,) or (batch, nq)");
    const States states = states_of("q", first, lent.model().nq());
    return states.in_double ? evaluate<double>(c, lent, std::move(first), states, given)
                            : evaluate<float>(c, lent, std::move(first), states, given);
  });
}

}  // namespace

void bind_functions(py::module_& module) {
  static std::deque<Callable> all;  // as long as the process
  py::list names;
  for (const Adapter& adapter : adapters) {
    Callable& c = all.emplace_back(Callable{&adapter, &row_of(adapter.function), {}, {}, {}});
    list_parameters(c);
    c.text = text_of(c);
    c.method = fast_method(adapter.name, &call, c.text.c_str());
    const py::capsule self(&c);
    module.attr(adapter.name) =
        py::reinterpret_steal<py::object>(PyCFunction_NewEx(&c.method, self.ptr(), module.attr("__name__").ptr()));
    names.append(adapter.name);
  }
  module.attr("FUNCTIONS") = py::tuple(names);
  module.def(
      "path_velocities",
      [](const ModelObject& m, const py::object& points) {
        const PathVelocities path = path_velocities(m.model(), ListedPoints(points.ptr(), m.model()).list());
        const auto array = [](const std::vector<int>& list) {
          return py::array_t<int>(static_cast<py::ssize_t>(list.size()), list.data());
        };
        return py::make_tuple(array(path.velocity), array(path.begin));
      },
      py::arg("model"), py::arg("points"),
      "The columns of sparse_jacobians, as (velocity, begin): column c belongs to entry velocity[c] of v; point k has "
      "columns begin[k] to begin[k + 1]. `points` as functions have them, or Points.");
}

}  // namespace kinetree::python
