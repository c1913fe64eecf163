#pragma once
// The library's errors as Python's exceptions, of kinetree/errors.py.

#include <pybind11/pybind11.h>

#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <span>
#include <string>

namespace kinetree::python {

namespace py = pybind11;

[[noreturn]] void raise_type(const char* argument, const std::string& expected, const std::string& given);
[[noreturn]] void raise_dtype(const char* argument, const std::string& expected, const std::string& given);
[[noreturn]] void raise_shape(const char* argument, const std::string& expected, const std::vector<py::ssize_t>& given);
[[noreturn]] void raise_value(const char* argument, const std::string& expected, const std::string& given);
/// An object that another thread is in a call of.
[[noreturn]] void raise_busy(const char* type);

/// `kinetree.Status`: the outcome of a state.
py::object status_object(const Status& status, const Model& model);
[[noreturn]] void raise_status(const Status& status, const Model& model);
/// Whether a status refuses the call as a whole.
bool refuses_call(const Status& status);
/// The codes of statuses, an array of uint8.
py::object codes_of(std::span<const Status> statuses);

py::list findings_list(std::span<const Finding> findings);

void bind_errors(py::module_& module);

/// Other Python threads run while one of these stands, and the object that it is made on takes no other call.
class Released {
 public:
  Released(bool& busy, const char* type) : busy_(busy) {
    if (busy) raise_busy(type);
    busy = true;
    state_ = PyEval_SaveThread();
  }
  ~Released() {
    PyEval_RestoreThread(state_);
    busy_ = false;
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  bool& busy_;
  PyThreadState* state_;
};

}  // namespace kinetree::python
