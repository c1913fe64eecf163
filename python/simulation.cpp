// One mechanism in motion, with events and forces that Python computes.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <kinetree/configuration.hpp>
#include <kinetree/simulation/computed_torque.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <optional>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

using Clock = std::chrono::steady_clock;
using Vector = Eigen::VectorXd;

/// Numbers for a caller's function, which may keep them.
py::array_t<double> copy_of(const Vector& x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

/// The numbers that a function gave. Throws ShapeError or ArrayTypeError, which end the step.
void take_numbers(const char* name, py::handle given, Vector& to) {
  if (given.is_none()) return;
  const States states{true, 1, true};
  const Input<double> numbers(name, given, states, static_cast<py::ssize_t>(to.size()));
  to = Eigen::Map<const Vector>(numbers.columns().data, to.size());
}

/// Sees every 20 ms of a call whether the user interrupts it, and says how far it is.
class Watch {
 public:
  Watch(py::object progress, double until) : progress_(std::move(progress)), until_(until) {}
  void look(double time) {
    if (const auto now = Clock::now(); now - last_ > std::chrono::milliseconds(20)) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(time, until_);
      last_ = Clock::now();
    }
  }

 private:
  py::object progress_;
  double until_;
  Clock::time_point last_ = Clock::now();
};

class ComputedTorqueObject {
 public:
  std::shared_ptr<ModelObject> model;
  ComputedTorque inside;
};

/// Forces by what Python gave: nothing, numbers that stay, a ComputedTorque or a function.
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

/// An event whose functions are Python's; they are kept as long as the simulation watches for it.
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

class SimulationObject {
 public:
  SimulationObject(std::shared_ptr<ModelObject> model, const Options& options, const SimulationOptions& how)
      : model_(std::move(model)), simulation_(model_->model(), options, how) {}

  enum class Begin { reset, assemble, set_state };
  void begin(Begin how, py::handle q, py::handle v, double time) {
    const States states{true, 1, true};
    const std::vector<double> neutral = q.is_none() ? boundary::neutral(model()) : std::vector<double>();
    const Vector rest = Vector::Zero(model().nv());
    const Input<double> q_in = q.is_none() ? Input<double>() : Input<double>("q", q, states, model().nq()),
                        v_in = v.is_none() ? Input<double>() : Input<double>("v", v, states, model().nv());
    const Eigen::Map<const Vector> q_at(q.is_none() ? neutral.data() : q_in.columns().data, model().nq()),
        v_at(v.is_none() ? rest.data() : v_in.columns().data, model().nv());
    Status status;
    {
      const Released released(guard_, "Simulation");
      status = how == Begin::reset      ? simulation_.reset(q_at, v_at, time)
               : how == Begin::assemble ? simulation_.assemble(q_at, v_at, time)
                                        : simulation_.set_state(q_at, v_at);
    }
    if (!status.ok()) raise_status(status, model());
  }

  /// go(forces) of the simulation, interruptible.
  template <class Go>
  void move(const py::object& forces, const py::object& progress, double until, Go&& go) {
    Watch watch(progress, until);
    const Forces function = forces_of(forces, model(), watch);
    Status status;
    {
      const Released released(guard_, "Simulation");
      status = go(function);
    }
    if (!status.ok()) raise_status(status, model());
  }

  /// States at times, as far as the motion comes before an event ends it.
  py::object path(const py::object& times, const py::object& forces, const py::object& progress) {
    const auto asked = py::cast<std::vector<double>>(times);
    const auto many = static_cast<py::ssize_t>(asked.size());
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (!(asked[k] >= (k == 0 ? simulation_.time() : asked[k - 1])))
        raise_value("times", "times that ascend from now on", std::to_string(asked[k]));
    py::array_t<double> q({many, py::ssize_t{model().nq()}}), v({many, py::ssize_t{model().nv()}});
    py::ssize_t done = 0;
    if (many > 0)
      move(forces, progress, asked.back(), [&](const Forces& function) {
        for (; done < many; ++done) {
          const double to = asked[static_cast<std::size_t>(done)];
          if (const Status status = simulation_.advance_to(to, function); !status.ok()) return status;
          if (simulation_.time() < to) break;  // an event
          std::copy_n(simulation_.q().data(), model().nq(), q.mutable_data(done, 0));
          std::copy_n(simulation_.v().data(), model().nv(), v.mutable_data(done, 0));
        }
        return Status{};
      });
    const py::slice reached(0, done, 1);
    return py::make_tuple(py::object(q[reached]), py::object(v[reached]));
  }

  void watch(const py::list& events) {
    std::vector<Event> all;
    for (const py::handle one : events) all.push_back(event_of(one));
    simulation_.watch(std::move(all));
  }

  const Model& model() const { return model_->model(); }
  const std::shared_ptr<ModelObject>& model_object() const { return model_; }
  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }

 private:
  std::shared_ptr<ModelObject> model_;
  Simulation simulation_;
  Guard guard_;
};

py::object view_of(const py::object& self, const double* data, py::ssize_t size) {
  py::array_t<double> array(size, data, self);
  array.attr("flags").attr("writeable") = false;
  return array;
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
           py::arg("model"), py::arg("pose"), py::arg("rate"), py::arg("actuated") = std::vector<std::string>())
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

}  // namespace

void bind_simulation(py::module_& module) {
  bind_computed_torque(module);
  using S = SimulationObject;
  using Begin = S::Begin;
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  py::class_<S>(
      module, "Simulation",
      "One mechanism in motion, loops and events included.\n\n"
      "Simulation(model, integrator='adaptive', step=0.001, tolerance=1e-10, longest_step=inf, work=True, **options).\n"
      "integrator: adaptive (Fehlberg's orders 7 and 8, by the tolerance), stiff (backward differences, by the\n"
      "tolerance), rk4 or semi_implicit_euler (steps of `step` s). options: those of ForwardDynamics. It begins at "
      "rest where `neutral` stands.\n\n"
      "forces, in its calls: None; joint forces tau (nv,) that stay; a ComputedTorque; or a function of (time, q, v) "
      "that\n"
      "gives tau (nv,), or a tuple (tau, f_ext), f_ext (6 bodies,) as `solve` has it. A step that fails raises\n"
      "StateError, and exceptions of functions pass; the state is then that of the last good step. Ctrl-C ends a call\n"
      "likewise.")
      .def(py::init([](const std::shared_ptr<ModelObject>& model, const std::string& integrator, double step,
                       double tolerance, double longest_step, bool work, const py::kwargs& options) {
             const auto found = value_of_word<Integrator>(integrator);
             if (!found) raise_value("integrator", "one of " + list_of<Integrator>(), integrator);
             return std::make_unique<S>(model, options_from(options),
                                        SimulationOptions{*found, step, tolerance, longest_step, work});
           }),
           py::arg("model"), py::arg("integrator") = "adaptive", py::arg("step") = 1e-3, py::arg("tolerance") = 1e-10,
           py::arg("longest_step") = std::numeric_limits<double>::infinity(), py::arg("work") = true)
      .def(
          "reset", [](S& s, py::handle q, py::handle v, double time) { s.begin(Begin::reset, q, v, time); }, none("q"),
          none("v"), py::arg("time") = 0.0,
          "Begins anew from q (nq,) and v (nv,) that constraints allow; without them at rest where `neutral` stands.")
      .def(
          "assemble", [](S& s, py::handle q, py::handle v, double time) { s.begin(Begin::assemble, q, v, time); },
          py::arg("q"), none("v"), py::arg("time") = 0.0,
          "The same from a state that may be open: it is closed first, and every joint may move.")
      .def(
          "set_state", [](S& s, py::handle q, py::handle v) { s.begin(Begin::set_state, q, v, 0); }, py::arg("q"),
          py::arg("v"), "Goes on from another state at the time that it is, after an impact, say; v may be open.")
      .def(
          "step",
          [](S& s, double dt, const py::object& forces) {
            s.move(forces, py::none(), s.simulation().time() + dt,
                   [&](const Forces& f) { return s.simulation().step(dt, f); });
          },
          py::arg("dt"), none("forces"), "Goes on by dt (s); the adaptive integrator takes as many steps as it needs.")
      .def(
          "advance_to",
          [](S& s, double time, const py::object& forces, const py::object& progress) {
            s.move(forces, progress, time, [&](const Forces& f) { return s.simulation().advance_to(time, f); });
          },
          py::arg("time"), none("forces"), none("progress"),
          "Goes on until `time` (s), or until an event ends it. progress: called as progress(now, time) every 20 ms.")
      .def(
          "step_towards",
          [](S& s, double time, const py::object& forces) {
            s.move(forces, py::none(), time, [&](const Forces& f) { return s.simulation().step_towards(time, f); });
          },
          py::arg("time"), none("forces"), "One step of the integrator's own length, not past `time` (s).")
      .def("path", &S::path, py::arg("times"), none("forces"), none("progress"),
           "States at ascending times (s): q (times, nq) and v (times, nv); fewer where an event ends the motion.")
      .def("watch", &S::watch, py::arg("events"), "Replaces the events at which steps end: a list of kinetree.Event.")
      .def_property_readonly(
          "happened",
          [](const S& s) {
            py::list all;
            for (const int event : s.simulation().happened()) all.append(event);
            return py::tuple(all);
          },
          "The indices of the events that ended the last step.")
      .def_property_readonly(
          "time", [](const S& s) { return s.simulation().time(); }, "s")
      .def_property_readonly(
          "q",
          [](const py::object& s) {
            const auto q = py::cast<S&>(s).simulation().q();
            return view_of(s, q.data(), q.size());
          },
          "Positions now, (nq,): a view, which follows the motion.")
      .def_property_readonly(
          "v",
          [](const py::object& s) {
            const auto v = py::cast<S&>(s).simulation().v();
            return view_of(s, v.data(), v.size());
          },
          "Velocities now, (nv,): a view, which follows the motion.")
      .def(
          "energy",
          [](S& s) {
            const Energy e = s.simulation().energy();
            return py::make_tuple(e.kinetic, e.potential);
          },
          "(kinetic, potential), J.")
      .def_property_readonly(
          "work", [](const S& s) { return s.simulation().work(); }, "Of all forces since reset, J.")
      .def_property_readonly(
          "energy_set", [](const S& s) { return s.simulation().energy_set(); },
          "What set_state and events have added to the energy since reset, J.")
      .def(
          "limit",
          [](S& s) {
            const StepLimit limit = s.simulation().limit();
            return py::make_tuple(limit.body < 0 ? std::string() : std::string(s.model().joint_name(limit.body)),
                                  limit.share, limit.inertia);
          },
          "(joint, share, inertia): the joint that set most of the adaptive steps, the fraction that it set, and the\n"
          "inertia that a force at it meets here (kg m² or kg; 0: not determined).")
      .def(
          "closure_error", [](S& s) { return s.simulation().closure_error(); },
          "The largest of the constraints' errors, m or rad.")
      .def_property_readonly(
          "steps", [](const S& s) { return s.simulation().steps(); }, "Since reset.")
      .def_property_readonly(
          "evaluations", [](const S& s) { return s.simulation().evaluations(); },
          "Accelerations computed for them since reset.")
      .def_property_readonly("model", &S::model_object, "The Model.")
      .def("__repr__", [](const S& s) {
        return "<kinetree.Simulation of '" + s.model().name() + "' at " +
               py::cast<std::string>(py::repr(py::float_(s.simulation().time()))) + " s>";
      });
}

}  // namespace kinetree::python
