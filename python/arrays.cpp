#include "python/arrays.hpp"

#include "python/errors.hpp"

namespace kinetree::python {
namespace {

using Api = py::detail::npy_api;

py::object numpy(const char* name) { return py::module_::import("numpy").attr(name); }

bool is_masked(py::handle object) {
  return py::isinstance(object, py::module_::import("numpy.ma").attr("MaskedArray"));
}

std::string type_of(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

/// The numbers of a list: integers are taken too.
py::object array_of_list(const char* name, py::handle list, const std::string& expected) {
  py::object array;
  try {
    array = numpy("asarray")(list);
  } catch (py::error_already_set&) {
    raise_type(name, expected, "a list that is no array of numbers");
  }
  const std::string kind = py::str(array.attr("dtype").attr("kind"));
  if (kind != "f" && kind != "i" && kind != "u")
    raise_type(name, expected, "a list of " + std::string(py::str(array.attr("dtype"))));
  return array.attr("astype")("float64");
}

}  // namespace

std::string shape_text(const Sizes& sizes) {
  std::string text = "(";
  for (const py::ssize_t size : sizes) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

Array Array::of(const char* name, py::handle argument, const std::string& expected) {
  const bool plain = Py_TYPE(argument.ptr()) == Api::get().PyArray_Type_;
  if (!plain) {
    if (PyList_Check(argument.ptr()) || PyTuple_Check(argument.ptr()))
      return Array(array_of_list(name, argument, expected));
    if (!Api::get().PyArray_Check_(argument.ptr())) raise_type(name, expected, type_of(argument));
    if (is_masked(argument))
      raise_type(name, expected, "a masked array; give its numbers without a mask, as `filled` makes them");
  }
  return Array(py::reinterpret_borrow<py::object>(argument));
}

int Array::number() const {
  const auto* descr = py::detail::array_descriptor_proxy(proxy()->descr);
  return descr->byteorder == '>' ? -1 : descr->type_num;  // x86-64 and AArch64 are little-endian
}

std::string Array::dtype() const { return py::str(object_.attr("dtype")); }

Array Array::contiguous() const {
  return Array(numpy("array")(object_, py::arg("order") = "C", py::arg("subok") = false));
}

Sizes States::expected(std::initializer_list<py::ssize_t> of_state) const {
  Sizes sizes;
  if (!one) sizes.push_back(count);
  sizes.insert(sizes.end(), of_state);
  return sizes;
}

States states_of(const char* name, const Array& q, py::ssize_t rows) {
  const std::string n = std::to_string(rows);
  if (!q.is_double() && !q.is_float()) raise_dtype(name, "float64 or float32", q.dtype());
  if (q.dimensions() < 1 || q.dimensions() > 2 || q.size(q.dimensions() - 1) != rows)
    raise_shape(name, "(" + n + ",) or (batch, " + n + ")", q.sizes());
  const bool one = q.dimensions() == 1;
  return {one, one ? 1 : q.size(0), q.is_double()};
}

template <class T>
void expect_numbers(const char* name, const Array& array) {
  constexpr bool in_double = std::is_same_v<T, double>;
  if (in_double ? !array.is_double() : !array.is_float())
    raise_dtype(name, in_double ? "float64" : "float32, as q is", array.dtype());
}

template <class T>
void Input<T>::take(const char* name, Array array, const States& states, py::ssize_t rows) {
  constexpr auto bytes = static_cast<py::ssize_t>(sizeof(T));
  expect_numbers<T>(name, array);
  const bool fits = states.one ? array.dimensions() == 1 && array.size(0) == rows
                               : array.dimensions() == 2 && array.size(0) == states.count && array.size(1) == rows;
  if (!fits) {
    const std::string expected = shape_text(states.expected({rows}));
    const bool broadcast = !states.one && array.dimensions() == 1 && array.size(0) == rows;
    raise_shape(name, expected + (broadcast ? "; np.broadcast_to gives all states the same numbers" : ""),
                array.sizes());
  }
  const bool in_place = array.aligned() && (rows <= 1 || array.stride(array.dimensions() - 1) == bytes) &&
                        (states.one || array.stride(0) % bytes == 0);
  if (!in_place) array = array.contiguous();
  const bool several = !states.one && states.count > 1;
  columns_ = {reinterpret_cast<const T*>(array.data()), rows, states.count, several ? array.stride(0) / bytes : rows};
  owner_ = array.object();
}

template <class T>
Input<T>::Input(const char* name, Array array, const States& states, py::ssize_t rows) {
  take(name, std::move(array), states, rows);
}

template <class T>
Input<T>::Input(const char* name, py::handle argument, const States& states, py::ssize_t rows) {
  const bool plain = Py_TYPE(argument.ptr()) == Api::get().PyArray_Type_;
  take(name, Array::of(name, argument, plain ? "" : "an array of shape " + shape_text(states.expected({rows}))), states,
       rows);
}

py::ssize_t ResultShape::numbers() const {
  py::ssize_t all = 1;
  for (const py::ssize_t size : shown) all *= size;
  return all;
}

template <class T>
py::array new_array(const Sizes& sizes) {
  return py::array_t<T>(sizes);
}

namespace {

/// An array whose states lie as the library writes them, shown as numpy shall have it.
template <class T>
py::array made(const States& states, const ResultShape& shape) {
  Sizes sizes, strides(shape.shown.size());
  if (!states.one) sizes.push_back(states.count);
  sizes.insert(sizes.end(), shape.shown.begin(), shape.shown.end());
  bool in_order = true;
  for (std::size_t k = 0; k < shape.order.size(); ++k) in_order &= shape.order[k] == static_cast<py::ssize_t>(k);
  if (in_order) return py::array_t<T>(sizes);
  auto stride = static_cast<py::ssize_t>(sizeof(T));
  for (std::size_t k = shape.order.size(); k-- > 0;) {
    const auto axis = static_cast<std::size_t>(shape.order[k]);
    strides[axis] = stride, stride *= shape.shown[axis];
  }
  if (!states.one) strides.insert(strides.begin(), stride);
  return py::array_t<T>(sizes, strides);
}

/// How far apart the library's columns are in a caller's array; -1 where they do not lie as the library writes them.
template <class T>
py::ssize_t apart(const Array& array, const States& states, const ResultShape& shape) {
  const int lead = states.one ? 0 : 1;
  auto stride = static_cast<py::ssize_t>(sizeof(T));
  for (std::size_t k = shape.order.size(); k-- > 0;) {
    const int axis = static_cast<int>(shape.order[k]) + lead;
    if (array.size(axis) > 1 && array.stride(axis) != stride) return -1;
    stride *= array.size(axis);
  }
  const py::ssize_t block = shape.rows();
  if (states.one || states.count <= 1) return block;
  const py::ssize_t between = array.stride(0);
  if (between == stride) return block;
  const bool free = shape.columns == 1 && between % static_cast<py::ssize_t>(sizeof(T)) == 0;
  return free ? between / static_cast<py::ssize_t>(sizeof(T)) : -1;
}

}  // namespace

template <class T>
Output<T>::Output(const char* name, py::handle argument, const States& states, const ResultShape& shape) {
  const py::ssize_t rows = shape.rows();
  const auto columns = [&](char* data, py::ssize_t stride) {
    columns_ = {reinterpret_cast<T*>(data), rows, shape.columns * states.count, stride};
  };
  if (argument.is_none()) {
    py::array array = made<T>(states, shape);
    columns(static_cast<char*>(array.mutable_data()), rows);
    shown_ = std::move(array);
    return;
  }
  const auto expected = [&] {
    Sizes sizes = states.expected({});
    sizes.insert(sizes.end(), shape.shown.begin(), shape.shown.end());
    return sizes;
  };
  if (!Api::get().PyArray_Check_(argument.ptr()))
    raise_type(name, "an array of shape " + shape_text(expected()), type_of(argument));
  const Array array = Array::of(name, argument, "");
  expect_numbers<T>(name, array);
  const std::size_t lead = states.one ? 0 : 1;
  bool fits = static_cast<std::size_t>(array.dimensions()) == shape.shown.size() + lead;
  if (fits && lead == 1) fits = array.size(0) == states.count;
  for (std::size_t k = 0; fits && k < shape.shown.size(); ++k)
    fits = array.size(static_cast<int>(k + lead)) == shape.shown[k];
  if (!fits) raise_shape(name, shape_text(expected()), array.sizes());
  if (!array.writeable()) raise_value(name, "an array that may be written", "one that may only be read");
  shown_ = array.object();
  const py::ssize_t stride = array.aligned() ? apart<T>(array, states, shape) : -1;
  if (stride >= 0) {
    columns(array.data(), stride);
    return;
  }
  target_ = shown_;
  py::array own = made<T>(states, shape);
  columns(static_cast<char*>(own.mutable_data()), rows);
  shown_ = std::move(own);
}

template <class T>
void Output<T>::read() {
  if (target_) numpy("copyto")(shown_, target_);
}

template <class T>
void Output<T>::clear() {
  shown_.attr("fill")(0);
}

template <class T>
py::object Output<T>::finish() {
  if (!target_) return std::move(shown_);
  numpy("copyto")(target_, shown_);
  return std::move(target_);
}

template void expect_numbers<double>(const char*, const Array&);
template void expect_numbers<float>(const char*, const Array&);
template class Input<double>;
template class Input<float>;
template class Output<double>;
template class Output<float>;
template py::array new_array<double>(const Sizes&);
template py::array new_array<float>(const Sizes&);

}  // namespace kinetree::python
