#pragma once
// Functions that add to the caller's joint forces, in place.

#include <pybind11/pybind11.h>

#include <kinetree/model.hpp>
#include <kinetree/status.hpp>

#include "python/arrays.hpp"
#include "python/errors.hpp"

namespace kinetree::python {

/// work(double{}) or work(float{}), as the states are.
template <class Work>
py::object in_scalar(const States& states, Work&& work) {
  return states.in_double ? work(double{}) : work(float{});
}

/// Calls add(states, q, v, tau), the last three columns of one scalar type, which gives a Status, and gives tau.
template <class Add>
py::object add_to_joint_forces(const Model& model, py::handle q, py::handle v, py::handle tau, Add&& add) {
  Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, model.nq());
  return in_scalar(states, [&](auto scalar) {
    using T = decltype(scalar);
    const Input<T> q_in("q", std::move(first), states, model.nq()), v_in("v", v, states, model.nv());
    if (tau.is_none()) raise_type("tau", "an array to add to", "NoneType");
    Output<T> sum("tau", tau, states, {{model.nv()}, {0}});
    sum.read();
    raise_bad(add(states, q_in.columns(), v_in.columns(), sum.columns()), states.one, model);
    return sum.finish();
  });
}

}  // namespace kinetree::python
