#include "python/simulation_forces.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/forces.hpp>
#include <kinetree/simulation/computed_torque.hpp>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

using Vector = Eigen::VectorXd;

/// Numbers for a caller's function, which may keep them.
py::array_t<double> copy_of(const Vector& x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

class ComputedTorqueObject {
 public:
  std::shared_ptr<ModelObject> model;
  ComputedTorque inside;
};

}  // namespace

void take_numbers(const char* name, py::handle given, Vector& to) {
  if (given.is_none()) return;
  const States states{true, 1, true};
  const Input<double> numbers(name, given, states, static_cast<py::ssize_t>(to.size()));
  to = Eigen::Map<const Vector>(numbers.columns().data, to.size());
}

void Watch::look(double time) {
  if (const auto now = Clock::now(); now - last_ > std::chrono::milliseconds(20)) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none()) progress_(time, until_);
    last_ = Clock::now();
  }
}

Forces forces_of(const py::object& given, const Model& model, Watch& watch) {
  if (given.is_none())
    return [&watch](double time, const Vector&, const Vector&, Vector&, Vector&) { watch.look(time); };
  if (py::isinstance<ComputedTorqueObject>(given)) {
    Control control = py::cast<ComputedTorqueObject&>(given).inside.control();
    return [&watch, control](double time, const Vector& q, const Vector& v, Vector& tau, Vector&) {
      watch.look(time);
      control(time, q, v, tau);
    };
  }
  if (PyCallable_Check(given.ptr()) == 0) {
    Vector constant(model.nv());
    take_numbers("forces", given, constant);
    return [&watch, constant](double time, const Vector&, const Vector&, Vector& tau, Vector&) {
      watch.look(time);
      tau = constant;
    };
  }
  return [&watch, function = given.ptr()](double time, const Vector& q, const Vector& v, Vector& tau, Vector& f_ext) {
    watch.look(time);
    const py::gil_scoped_acquire lock;
    const py::object made = py::reinterpret_borrow<py::object>(function)(time, copy_of(q), copy_of(v));
    if (PyTuple_Check(made.ptr()) && PyTuple_GET_SIZE(made.ptr()) == 2 &&
        !PyFloat_Check(PyTuple_GET_ITEM(made.ptr(), 0))) {
      take_numbers("tau", PyTuple_GET_ITEM(made.ptr(), 0), tau);
      take_numbers("f_ext", PyTuple_GET_ITEM(made.ptr(), 1), f_ext);
    } else {
      take_numbers("tau", made, tau);
    }
  };
}

Event event_of(py::handle given) {
  const auto direction = value_of_word<EventDirection>(py::cast<std::string>(given.attr("direction")));
  if (!direction) raise_value("direction", "one of " + list_of<EventDirection>(), py::repr(given.attr("direction")));
  const auto kept = [](py::object function) {  // freed with the lock, whichever thread does it
    return std::shared_ptr<py::object>(new py::object(std::move(function)), [](py::object* one) {
      const py::gil_scoped_acquire lock;
      delete one;
    });
  };
  Event event;
  event.direction = *direction;
  event.tolerance = py::cast<double>(given.attr("tolerance"));
  event.value = [value = kept(given.attr("value"))](double time, const Vector& q, const Vector& v) {
    const py::gil_scoped_acquire lock;
    return py::cast<double>((*value)(time, copy_of(q), copy_of(v)));
  };
  if (const py::object act = given.attr("act"); !act.is_none())
    event.act = [act = kept(act)](double time, Vector& q, Vector& v) {
      const py::gil_scoped_acquire lock;
      py::array_t<double> own_q = copy_of(q), own_v = copy_of(v);
      const py::object goes_on = (*act)(time, own_q, own_v);
      take_numbers("q", own_q, q), take_numbers("v", own_v, v);
      return goes_on.is_none() || PyObject_IsTrue(goes_on.ptr()) == 1;
    };
  return event;
}

AlwaysActing::AlwaysActing(const Model& model, bool passive, double slow, py::object points, py::object drives)
    : model_(model),
      passive_(passive),
      slow_(slow),
      kept_points_(std::move(points)),
      points_(points_acting(kept_points_, model)) {
  if (const DrivesObject* given = drives_acting(drives, model); given != nullptr) drives_ = given->drives;
  if (points_ != nullptr) workspace_.emplace(model);
}

Forces AlwaysActing::with(Forces others) {
  of_points_ = {};
  if (!passive_ && points_ == nullptr && !drives_) return others;
  return [this, others = std::move(others)](double time, const Vector& q, const Vector& v, Vector& tau, Vector& f_ext) {
    others(time, q, v, tau, f_ext);
    if (drives_) drives_->add(time, tau);
    if (passive_) (void)add_passive_forces(model_, q, v, tau, slow_);
    if (points_ == nullptr) return;
    if (const Status status = points_->forces.add(*workspace_, q, v, f_ext); !status.ok()) of_points_ = status;
  };
}

void AlwaysActing::raise(const Status& status) const {
  if (status.code == StatusCode::not_finite && has_no_direction(of_points_)) raise_status(of_points_, *points_);
  raise_status(status, model_);
}

void bind_computed_torque(py::module_& module) {
  py::class_<ComputedTorqueObject>(
      module, "ComputedTorque",
      "Joint forces that hold a mechanism at a pose (nq): inverse dynamics of the accelerations that bring "
      "independent\n"
      "coordinates back, critically damped at `rate` (rad/s), spread over the actuated joints.\n\n"
      "ComputedTorque(model, pose, rate, actuated=()). actuated: joints with motors; none named: all but floating "
      "ones.\n"
      "Simulation takes it as `forces`. As kinetree/simulation/computed_torque.hpp has it.")
      .def(py::init([](const std::shared_ptr<ModelObject>& model, py::handle pose, double rate,
                       const std::vector<std::string>& actuated) {
             const Input<double> q("pose", pose, States{true, 1, true}, model->model().nq());
             const Vector at = Eigen::Map<const Vector>(q.columns().data, model->model().nq());
             return std::make_unique<ComputedTorqueObject>(
                 ComputedTorqueObject{model, ComputedTorque(model->model(), at, rate, actuated)});
           }),
           py::arg("model").none(false), py::arg("pose"), py::arg("rate"), py::arg("actuated") = std::vector<std::string>())
      .def(
          "torques",
          [](ComputedTorqueObject& c, py::handle q, py::handle v) {
            const Model& model = c.model->model();
            const States states{true, 1, true};
            const Input<double> q_in("q", q, states, model.nq()), v_in("v", v, states, model.nv());
            Vector tau(model.nv());
            const Status status = c.inside.torques(Eigen::Map<const Vector>(q_in.columns().data, model.nq()),
                                                   Eigen::Map<const Vector>(v_in.columns().data, model.nv()), tau);
            if (!status.ok()) raise_status(status, model);
            return copy_of(tau);
          },
          py::arg("q"), py::arg("v"), "tau (nv,), Nm or N, at a state that keeps the constraints.")
      .def_property_readonly(
          "pose", [](const ComputedTorqueObject& c) { return copy_of(c.inside.pose()); },
          "(nq,): the pose held, closed.")
      .def_property_readonly(
          "independent", [](const ComputedTorqueObject& c) { return c.inside.independent(); },
          "Entries of v that are its independent coordinates, ascending.");
}

}  // namespace kinetree::python
