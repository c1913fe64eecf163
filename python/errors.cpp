#include "python/errors.hpp"

#include <pthread.h>
#include <pybind11/numpy.h>

#include <kinetree/options.hpp>
#include <kinetree/status_name.hpp>

#include "python/arrays.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

unsigned forks_so_far = 0;

[[noreturn]] void raise(const char* type, const py::tuple& arguments) {
  const py::object made = py::module_::import("kinetree.errors").attr(type);
  PyErr_SetObject(made.ptr(), py::object(made(*arguments)).ptr());
  throw py::error_already_set();
}

}  // namespace

void raise_type(const char* argument, const std::string& expected, const std::string& given) {
  raise("ArrayTypeError", py::make_tuple(argument, expected, given));
}
void raise_dtype(const char* argument, const std::string& expected, const std::string& given) {
  raise("ArrayTypeError", py::make_tuple(argument, "dtype " + expected, "dtype " + given));
}
void raise_shape(const char* argument, const std::string& expected, const Sizes& given) {
  raise("ShapeError", py::make_tuple(argument, "shape " + expected, shape_text(given)));
}
void raise_value(const char* argument, const std::string& expected, const std::string& given) {
  raise("ArgumentError", py::make_tuple(argument, expected, given));
}
void raise_busy(const char* type) { raise("BusyError", py::make_tuple(type)); }
void raise_forked(const char* type) { raise("ForkError", py::make_tuple(type)); }

unsigned forks() noexcept { return forks_so_far; }

namespace {
py::object told(const Status& s, const Model& model, const std::string& message) {
  const std::string joint = s.body < 0 ? "" : std::string(model.joint_name(s.body));
  return py::module_::import("kinetree.errors")
      .attr("Status")(py::str(std::string(name_of(s.code))), s.column, joint, s.argument, s.value, message);
}
}  // namespace

py::object status_object(const Status& s, const Model& model) { return told(s, model, s.ok() ? "" : s.message(model)); }

void raise_status(const Status& status, const Model& model) { raise_status(status, model, status.message(model)); }
void raise_status(const Status& status, const Model& model, const std::string& message) {
  raise("StateError", py::make_tuple(told(status, model, message)));
}

bool refuses_call(const Status& s) {
  switch (s.code) {
    case StatusCode::wrong_size:
    case StatusCode::not_positive:
    case StatusCode::too_large:
    case StatusCode::other_model:
    case StatusCode::no_such_frame:
    case StatusCode::no_such_column:
    case StatusCode::shared_memory:
    case StatusCode::cut_needs_double:
    case StatusCode::state_dependent_loop:
      return true;
    case StatusCode::not_finite:  // of what a call's states share: a point's offset, a time, the damping
      return s.argument == std::string_view("points") || s.argument == std::string_view("time") ||
             s.argument == std::string_view("damping");
    default:
      return false;
  }
}

py::object codes_of(std::span<const Status> statuses) {
  py::array_t<std::uint8_t> codes(static_cast<py::ssize_t>(statuses.size()));
  std::uint8_t* to = codes.mutable_data();
  for (const Status& status : statuses) *to++ = static_cast<std::uint8_t>(status.code);
  return codes;
}

py::list findings_list(std::span<const Finding> findings) {
  py::list list;
  const py::object made = py::module_::import("kinetree.errors").attr("Finding");
  for (const Finding& f : findings) list.append(made(word_of(f.severity), f.file, f.line, f.element, f.message));
  return list;
}

void bind_errors(py::module_& module) {
  pthread_atfork(nullptr, nullptr, [] { ++forks_so_far; });
  py::tuple codes(static_cast<std::size_t>(StatusCode::out_of_bounds) + 1);
  for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = py::str(std::string(name_of(static_cast<StatusCode>(k))));
  module.attr("STATUS_CODES") = codes;
  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto set = [](const char* type, const py::tuple& arguments) {
      try {
        raise(type, arguments);
      } catch (py::error_already_set& e) {
        e.restore();
      }
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& e) {
      set("InputError", py::make_tuple(e.what(), findings_list(e.findings())));
    } catch (const OptionError& e) {
      set("OptionError", py::make_tuple(e.what()));
    } catch (const TooManyCuts& e) {
      set("TooManyCuts", py::make_tuple(e.what()));
    }
  });
}

}  // namespace kinetree::python
