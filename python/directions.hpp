#pragma once
// Directions of products as numpy has them: of a state (n,), or (directions, n) for several at once; of a batch with an
// axis before. A row is a direction, as it is a column in C++, and rows that lie one after another are read in place.

#include <pybind11/pybind11.h>

#include <array>
#include <kinetree/columns.hpp>
#include <vector>

#include "library/function_table.hpp"
#include "python/arrays.hpp"

namespace kinetree::python {

/// What each of a product's arguments gives a state; null or None: left out.
using GivenDirections = std::array<PyObject*, std::size(decltype(FunctionRow::directions){})>;

/// The arguments of a product that have a row for each direction. Those left out are zeros.
template <class T>
class Directions {
 public:
  /// `rows`: of each. Throws where all are left out, and where they are not equally many.
  Directions(const FunctionRow& row, const GivenDirections& given, const States& states,
             const std::array<py::ssize_t, 3>& rows);
  const Columns<const T>& operator[](std::size_t k) const { return columns_[k]; }
  /// A result that has `rows` numbers for each direction.
  ResultShape shape(py::ssize_t rows) const {
    return one_ ? ResultShape{{rows}, {0}} : ResultShape{{count_, rows}, {0, 1}, count_};
  }

 private:
  void take(std::size_t k, const char* name, Array array, const States& states, py::ssize_t rows, bool first);
  bool one_ = true;        ///< given without an axis for them
  py::ssize_t count_ = 1;  ///< of a state
  std::array<py::object, 3> owners_;
  std::array<Columns<const T>, 3> columns_{};
  std::vector<T> zeros_;
};

extern template class Directions<double>;
extern template class Directions<float>;

}  // namespace kinetree::python
