#pragma once
// The results of a row of the function table: new arrays, or the caller's, of several in a tuple.

#include <pybind11/pybind11.h>

#include <array>
#include <string>

#include "library/function_table.hpp"
#include "python/arrays.hpp"
#include "python/errors.hpp"

namespace kinetree::python {

inline std::size_t result_count(const FunctionRow& row) {
  std::size_t count = 0;
  while (count < std::size(row.results) && row.results[count].name != nullptr) ++count;
  return count;
}

template <class T>
class Results {
 public:
  /// `out`: null or None makes them; `shape(result)`: of a state.
  template <class Shape>
  Results(const FunctionRow& row, PyObject* out, const States& states, Shape&& shape) : count_(result_count(row)) {
    const auto count = static_cast<py::ssize_t>(count_);
    const bool given = out != nullptr && out != Py_None;
    if (count_ > 1 && given && (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != count))
      raise_type("out", "a tuple of " + std::to_string(count_) + " arrays", Py_TYPE(out)->tp_name);
    for (std::size_t k = 0; k < count_; ++k) {
      const kinetree::Result& result = row.results[k];
      const py::handle where = !given        ? Py_None
                               : count_ == 1 ? out
                                             : PyTuple_GET_ITEM(out, static_cast<py::ssize_t>(k));
      outputs_[k] = Output<T>(count_ == 1 ? "out" : result.name, where, states, shape(result));
    }
  }
  const Columns<T>& operator[](std::size_t k) const { return outputs_[k].columns(); }
  std::size_t count() const { return count_; }
  py::object finish() {
    if (count_ == 1) return outputs_[0].finish();
    py::tuple all(count_);
    for (std::size_t k = 0; k < count_; ++k) all[k] = outputs_[k].finish();
    return all;
  }

 private:
  std::size_t count_;
  std::array<Output<T>, std::size(decltype(FunctionRow::results){})> outputs_;
};

}  // namespace kinetree::python
