#pragma once
// What may vary from state to state, and the parameters that a call takes.

#include <pybind11/pybind11.h>

#include <kinetree/varying.hpp>
#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

#include "python/arrays.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"

namespace kinetree::python {

struct VaryingObject {
  std::shared_ptr<ModelObject> model;
  Varying varying;
  /// As it is now: what is added to it later is not in objects that were made before.
  std::shared_ptr<const VaryingObject> kept() const { return std::make_shared<const VaryingObject>(*this); }
};

/// What an object was made of that is given parameters; null: a model, whose numbers are the same in all states.
inline const Varying& varying_of(const VaryingObject* object) {
  if (object == nullptr) raise_type("model", "a Varying, of which the object is made", "a Model");
  return object->varying;
}

/// Parameters of an object's next call, which reads them where they lie.
class GivenParameters {
 public:
  template <class Object>
  void give(Object& object, const VaryingObject* varying, py::handle parameters) {
    const py::ssize_t rows = varying_of(varying).rows();
    const std::string n = std::to_string(rows);
    Array array = Array::of("parameters", parameters, "an array of shape (" + n + ",) or (batch, " + n + ")");
    const States states = states_of("parameters", array, rows);
    if (states.in_double)
      object.take(kept_.emplace<Input<double>>("parameters", std::move(array), states, rows).columns());
    else
      object.take(kept_.emplace<Input<float>>("parameters", std::move(array), states, rows).columns());
  }
  /// Raises where a call was refused since it had parameters of the other numbers than T, which are none to it.
  template <class T>
  void explain(const Status& status) const {
    constexpr bool in_double = std::is_same_v<T, double>;
    if (status.code == StatusCode::wrong_size && status.argument == std::string_view("parameters") &&
        !std::holds_alternative<Input<T>>(kept_))
      raise_dtype("parameters", in_double ? "float64, as q is" : "float32, as q is", in_double ? "float32" : "float64");
  }

 private:
  std::variant<Input<double>, Input<float>> kept_;
};

}  // namespace kinetree::python
