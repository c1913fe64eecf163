#pragma once
// Functions that take their arguments as CPython passes them, in an array: a call takes half a microsecond less than
// pybind11's.

#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <exception>
#include <stdexcept>
#include <string>

namespace kinetree::python {

namespace py = pybind11;

using FastCall = PyObject* (*)(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords);

/// What CPython calls. Flags: METH_FASTCALL | METH_KEYWORDS.
inline PyMethodDef fast_method(const char* name, FastCall call, const char* text) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_FASTCALL | METH_KEYWORDS, text};
}

/// What `call` gives, or null and Python's exception.
template <class Call>
PyObject* as_cpython_has_it(Call&& call) {
  try {
    return call().release().ptr();
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

/// Parameters of a method, in their order; the first `must` must be given.
template <std::size_t n>
class Parameters {
 public:
  Parameters(const char* method, const std::array<const char*, n>& names, std::size_t must)
      : method_(method), must_(must) {
    for (std::size_t k = 0; k < n; ++k) names_[k] = PyUnicode_InternFromString(names[k]);
  }

  /// The arguments of a call; those left out are None. Throws TypeError as Python's own functions do.
  std::array<PyObject*, n> sorted(PyObject* const* arguments, py::ssize_t count, PyObject* keywords) const {
    std::array<PyObject*, n> given{};
    if (count > static_cast<py::ssize_t>(n))
      refuse("takes " + std::to_string(n) + " arguments, given " + std::to_string(count));
    std::copy_n(arguments, count, given.begin());
    const py::ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    for (py::ssize_t k = 0; k < named; ++k) {
      PyObject* const key = PyTuple_GET_ITEM(keywords, k);
      std::size_t at = 0;
      while (at < n && names_[at] != key) ++at;  // most are interned
      if (at == n) at = found(key);
      if (given[at] != nullptr) refuse("got two values of " + text(names_[at]));
      given[at] = arguments[count + k];
    }
    for (std::size_t k = 0; k < n; ++k) {
      if (given[k] != nullptr) continue;
      if (k < must_) refuse("needs " + text(names_[k]));
      given[k] = Py_None;
    }
    return given;
  }

 private:
  static std::string text(PyObject* name) { return py::cast<std::string>(py::handle(name)); }
  [[noreturn]] void refuse(const std::string& why) const { throw py::type_error(method_ + ("() " + why)); }
  std::size_t found(PyObject* key) const {
    for (std::size_t k = 0; k < n; ++k)
      if (PyUnicode_Compare(names_[k], key) == 0) return k;
    refuse("takes no argument " + text(key));
  }

  std::string method_;
  std::size_t must_;
  std::array<PyObject*, n> names_;
};

}  // namespace kinetree::python
