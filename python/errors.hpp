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
/// An object that was made before this process was forked off.
[[noreturn]] void raise_forked(const char* type);
/// How many forks led to this process since the module was loaded.
unsigned forks() noexcept;

/// `kinetree.Status`: the outcome of a state.
py::object status_object(const Status& status, const Model& model);
[[noreturn]] void raise_status(const Status& status, const Model& model);
/// The same in words of the caller's.
[[noreturn]] void raise_status(const Status& status, const Model& model, const std::string& message);
/// Whether a status refuses the call as a whole.
bool refuses_call(const Status& status);
/// Raises a status that refuses the call as a whole, or fails the one state that it has.
inline void raise_bad(const Status& status, bool one_state, const Model& model) {
  if (!status.ok() && (one_state || refuses_call(status))) raise_status(status, model);
}
/// The codes of statuses, an array of uint8.
py::object codes_of(std::span<const Status> statuses);

py::list findings_list(std::span<const Finding> findings);

void bind_errors(py::module_& module);

/// What an object that takes one call at a time knows of its calls.
struct Guard {
  bool busy = false;
  /// A fork copies the object, but neither the threads that work for it nor a call that another thread is in.
  unsigned made_after = forks();
};

/// Other Python threads run while one of these stands, and the object that it is made on takes no other call.
class Released {
 public:
  Released(Guard& guard, const char* type) : guard_(guard) {
    if (guard.made_after != forks()) raise_forked(type);
    if (guard.busy) raise_busy(type);
    guard.busy = true;
    state_ = PyEval_SaveThread();
  }
  ~Released() {
    PyEval_RestoreThread(state_);
    guard_.busy = false;
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  Guard& guard_;
  PyThreadState* state_;
};

}  // namespace kinetree::python
