// Functions of independent coordinates (kinetree/independent.hpp), all by one call: the header's adapters say what a
// function reads and is called.

#include <pybind11/numpy.h>

#include <deque>
#include <kinetree/independent.hpp>

#include "python/adapters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/entries.hpp"
#include "python/workspaces.hpp"

namespace kinetree::python {
namespace {

using boundary::OfIndependent;

/// A function and the arguments it takes, in their order.
struct IndependentCall {
  const IndependentAdapter* adapter;
  std::vector<std::string> parameters;
  std::size_t must;  ///< the first of them
  std::string text;
};

IndependentCall independent_call(const IndependentAdapter& a) {
  IndependentCall c{&a, {"model", "q"}, 0, ""};
  if (a.v) c.parameters.emplace_back("v");
  if (*a.x != 0) c.parameters.emplace_back(a.x);
  c.must = c.parameters.size();
  if (a.f_ext) c.parameters.emplace_back("f_ext");
  for (const char* name : {"independent", "out"}) c.parameters.emplace_back(name);
  c.text = std::string(a.name) + "(";
  for (std::size_t k = 0; k < c.parameters.size(); ++k)
    c.text += (k == 0 ? "" : ", ") + c.parameters[k] + ": object" + (k < c.must ? "" : " = None");
  const bool spanning = std::string_view(a.name).starts_with("spanning");
  c.text +=
      ") -> numpy.ndarray\n\nmodel: a Model or a Workspace. Arrays of one state, or with an axis before of many; "
      "those that end in _R have a\nnumber per independent coordinate. independent: joints by name, or entries of "
      "v, that are the independent\ncoordinates of this call; without it the model's. Gives ";
  c.text += a.function == OfIndependent::matrix ? "(nv, independent)" : spanning ? "(nv,)" : "(independent,)";
  c.text += ".\n\nAs C++ has it, where states are columns:\n" + std::string(a.text);
  return c;
}

template <class T>
py::object evaluate_independent(const IndependentCall& c, Lent& lent, Array&& first, const States& states,
                                const std::vector<py::object>& given) {
  const IndependentAdapter& a = *c.adapter;
  const Model& model = lent.model();
  const auto independent = static_cast<py::ssize_t>(independent_velocities(model).size());
  const py::ssize_t nv = model.nv();
  std::size_t next = 2;
  const Input<T> q("q", std::move(first), states, model.nq());
  const Input<T> v = a.v ? Input<T>("v", given[next], states, nv) : Input<T>();
  if (a.v) ++next;
  const bool reduced = std::string_view(a.x).ends_with("_R");
  const Input<T> x = *a.x != 0 ? Input<T>(a.x, given[next], states, reduced ? independent : nv) : Input<T>();
  if (*a.x != 0) ++next;
  const bool forces = a.f_ext && !given[next].is_none();
  const Input<T> f_ext =
      forces ? Input<T>("f_ext", given[next], states, py::ssize_t{6} * model.body_count()) : Input<T>();
  if (a.f_ext) ++next;
  const py::object &chosen = given[next], &out = given[next + 1];
  const std::vector<int> entries = chosen.is_none() ? std::vector<int>() : entries_from("independent", chosen, model);
  const bool spanning = std::string_view(a.name).starts_with("spanning");
  Output<T> result("out", out, states,
                   a.function == OfIndependent::matrix ? ResultShape{{nv, independent}, {1, 0}, independent}
                                                       : ResultShape{{spanning ? nv : independent}, {0}});
  Status status;
  {
    const Released released(lent.guard(), "Workspace");
    status = boundary::evaluate(a.function, model, lent.workspace(),
                                boundary::IndependentAsked<T>{.q = q.columns(),
                                                              .v = v.columns(),
                                                              .x = x.columns(),
                                                              .f_ext = f_ext.columns(),
                                                              .result = result.columns(),
                                                              .independent = entries});
  }
  raise_bad(status, states.one, model);
  return result.finish();
}

py::object call_independent(const IndependentCall& c, const py::args& arguments, const py::kwargs& keywords) {
  const auto refuse = [&](const std::string& why) { throw py::type_error(std::string(c.adapter->name) + "() " + why); };
  std::vector<py::object> given(c.parameters.size(), py::none());
  std::vector<bool> there(given.size());
  if (arguments.size() > given.size())
    refuse("takes " + std::to_string(given.size()) + " arguments, given " + std::to_string(arguments.size()));
  for (std::size_t k = 0; k < arguments.size(); ++k) given[k] = arguments[k], there[k] = true;
  for (const auto& [key, value] : keywords) {
    const auto word = py::cast<std::string>(key);
    const auto found = std::ranges::find(c.parameters, word);
    if (found == c.parameters.end()) refuse("takes no argument " + word);
    const auto k = static_cast<std::size_t>(found - c.parameters.begin());
    if (there[k]) refuse("got two values of " + word);
    given[k] = py::reinterpret_borrow<py::object>(value), there[k] = true;
  }
  for (std::size_t k = 0; k < c.must; ++k)
    if (!there[k]) refuse("needs " + c.parameters[k]);
  Lent lent(given[0].ptr());
  Array first = Array::of("q", given[1], "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, lent.model().nq());
  return states.in_double ? evaluate_independent<double>(c, lent, std::move(first), states, given)
                          : evaluate_independent<float>(c, lent, std::move(first), states, given);
}

}  // namespace

void bind_independent(py::module_& module) {
  static std::deque<IndependentCall> all;  // as long as the process
  py::options quiet;
  quiet.disable_function_signatures();
  for (const IndependentAdapter& adapter : independent_adapters) {
    const IndependentCall& c = all.emplace_back(independent_call(adapter));
    module.def(
        adapter.name,
        [&c](const py::args& arguments, const py::kwargs& keywords) {
          return call_independent(c, arguments, keywords);
        },
        c.text.c_str());
  }
}

}  // namespace kinetree::python
