#pragma once
// numpy's arrays as the library's columns: an array of shape (batch, n) is a matrix of n rows and batch columns, since
// its rows lie one after another. Strides are read from the array itself, so broadcast arrays (stride 0) and slices are
// what they are in numpy.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <initializer_list>
#include <kinetree/columns.hpp>
#include <string>
#include <vector>

namespace kinetree::python {

namespace py = pybind11;
using Sizes = std::vector<py::ssize_t>;

/// "(3, 7)"
std::string shape_text(const Sizes& sizes);

/// A numpy array and what its header says; holds a reference to it.
class Array {
 public:
  /// The array that an argument is, or the copy of a list of numbers. Throws TypeError for what is none: None, a masked
  /// array, dates, other types; the sentence names the argument and what it should be.
  static Array of(const char* name, py::handle argument, const std::string& expected);

  int dimensions() const { return proxy()->nd; }
  py::ssize_t size(int axis) const { return proxy()->dimensions[axis]; }
  py::ssize_t stride(int axis) const { return proxy()->strides[axis]; }
  Sizes sizes() const { return {proxy()->dimensions, proxy()->dimensions + dimensions()}; }
  char* data() const { return proxy()->data; }
  bool aligned() const { return (proxy()->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0; }
  bool writeable() const { return (proxy()->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_) != 0; }
  bool is_double() const { return number() == py::detail::npy_api::NPY_DOUBLE_; }
  bool is_float() const { return number() == py::detail::npy_api::NPY_FLOAT_; }
  bool is_bool() const { return number() == py::detail::npy_api::NPY_BOOL_; }
  std::string dtype() const;
  /// The same numbers, one after another.
  Array contiguous() const;
  const py::object& object() const { return object_; }

 private:
  explicit Array(py::object object) : object_(std::move(object)) {}
  const py::detail::PyArray_Proxy* proxy() const { return py::detail::array_proxy(object_.ptr()); }
  /// The number of its dtype; -1 where its bytes are swapped.
  int number() const;

  py::object object_;
};

/// What all arguments of a call have in common: q says it, the others are checked against it.
struct States {
  bool one;           ///< q is one state, (nq,), and so is everything else
  py::ssize_t count;  ///< states
  bool in_double;     ///< else float32

  /// What an argument's shape should be.
  Sizes expected(std::initializer_list<py::ssize_t> of_state) const;
};

/// Reads q. Throws ShapeError or TypeError.
States states_of(const char* name, const Array& q, py::ssize_t rows);

/// Throws TypeError for an array of other numbers than T.
template <class T>
void expect_numbers(const char* name, const Array& array);

/// An argument that is read, as columns; keeps the array, or its copy where its rows are not contiguous.
template <class T>
class Input {
 public:
  Input() = default;  ///< left out
  Input(const char* name, Array array, const States& states, py::ssize_t rows);
  Input(const char* name, py::handle argument, const States& states, py::ssize_t rows);
  const Columns<const T>& columns() const { return columns_; }

 private:
  void take(const char* name, Array array, const States& states, py::ssize_t rows);
  py::object owner_;
  Columns<const T> columns_{};
};

/// How a result of one state lies in memory, and as what shape it is shown.
struct ResultShape {
  Sizes shown{};            ///< of a state, as numpy has it
  Sizes order{};            ///< its axes from the slowest to the fastest in memory
  py::ssize_t columns = 1;  ///< of the library's, per state
  py::ssize_t numbers() const;
  /// Of a column of the library's.
  py::ssize_t rows() const {
    return columns == 0 ? shown[static_cast<std::size_t>(order.back())] : numbers() / columns;
  }
};

/// An array that a call writes: the caller's own where the library can write there, else one beside it that `finish`
/// copies from.
template <class T>
class Output {
 public:
  Output() = default;
  Output(const char* name, py::handle argument, const States& states, const ResultShape& shape);
  const Columns<T>& columns() const { return columns_; }
  /// What a call adds to: the caller's numbers, which an array beside the caller's has not yet.
  void read();
  void clear();
  py::object finish();

 private:
  py::object shown_, target_;
  Columns<T> columns_{};
};

/// A new array.
template <class T>
py::array new_array(const Sizes& sizes);

extern template void expect_numbers<double>(const char*, const Array&);
extern template void expect_numbers<float>(const char*, const Array&);
extern template class Input<double>;
extern template class Input<float>;
extern template class Output<double>;
extern template class Output<float>;

}  // namespace kinetree::python
