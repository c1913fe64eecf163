// One mechanism in motion, with events and forces that Python computes.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/configuration.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/constraint_forces.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"
#include "python/simulation_forces.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

using Vector = Eigen::VectorXd;

class SimulationObject {
 public:
  SimulationObject(std::shared_ptr<ModelObject> model, const Options& options, const SimulationOptions& how,
                   bool passive, double slow, const py::object& points, const py::object& drives)
      : model_(std::move(model)),
        simulation_(model_->model(), options, how),
        acting_(model_->model(), passive, slow, points, drives),
        integrator_(how.integrator) {}

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
    const Forces function = acting_.with(forces_of(forces, model(), watch));
    Status status;
    {
      const Released released(guard_, "Simulation");
      status = go(function);
    }
    if (!status.ok()) acting_.raise(status);
  }

  Status advance(double time, const Forces& forces) {
    Drives* const drives = acting_.drives();
    if (drives == nullptr) return simulation_.advance_to(time, forces);
    return boundary::advance_from_kink_to_kink(simulation_, time, *drives, forces);
  }
  /// One step of this length; steps by a tolerance end at kinks too.
  Status step(double dt, const Forces& forces) {
    if (acting_.drives() == nullptr || !(dt > 0)) return simulation_.step(dt, forces);
    if (has_tolerance(integrator_)) return advance(simulation_.time() + dt, forces);
    (void)acting_.drives()->go_on_from(simulation_.time());
    return simulation_.step(dt, forces);
  }
  Status step_towards(double time, const Forces& forces) {
    const double kink = acting_.drives() == nullptr ? time : acting_.drives()->go_on_from(simulation_.time());
    return simulation_.step_towards(std::min(time, kink), forces);
  }

  /// What holds the mechanism together now.
  py::object holding(Holding what, const std::string& axes, const py::object& forces) {
    const auto chosen = value_of_word<Axes>(axes);
    if (!chosen) raise_value("axes", "one of " + list_of<Axes>(), axes);
    Output<double> out("out", py::none(), {true, 1, true}, shape_of(what, model()));
    const Eigen::Map<Vector> result(out.columns().data, out.columns().rows);
    move(forces, py::none(), simulation_.time(), [&](const Forces& function) {
      if (acting_.drives() != nullptr) (void)acting_.drives()->go_on_from(simulation_.time());
      switch (what) {
        case Holding::loops:
          return simulation_.loop_forces(*chosen, result, function);
        case Holding::couplings:
          return simulation_.coupling_forces(result, function);
        default:
          return simulation_.joint_reactions(*chosen, result, function);
      }
    });
    return out.finish();
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
          if (const Status status = advance(to, function); !status.ok()) return status;
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
  AlwaysActing acting_;
  Integrator integrator_;
  Guard guard_;
};

py::object view_of(const py::object& self, const double* data, py::ssize_t size) {
  py::array_t<double> array(size, data, self);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

void bind_simulation(py::module_& module) {
  using S = SimulationObject;
  using Begin = S::Begin;
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  py::class_<S>(
      module, "Simulation",
      "One mechanism in motion, loops and events included.\n\n"
      "Simulation(model, integrator='adaptive', step=0.001, tolerance=1e-10, longest_step=inf, work=True, "
      "passive=False,\n"
      "slow=0.0, points=None, drives=None, **options).\n"
      "integrator: adaptive (Fehlberg's orders 7 and 8, by the tolerance), stiff (backward differences, by the\n"
      "tolerance), rk4 or semi_implicit_euler (steps of `step` s). options: those of ForwardDynamics. It begins at "
      "rest where `neutral` stands. In every call act, besides the call's own: passive forces of joints, as\n"
      "add_passive_forces has them; points, a PointForces; drives, a Drives, at whose kinks steps end.\n\n"
      "forces, in its calls: None; joint forces tau (nv,) that stay; a ComputedTorque; or a function of (time, q, v) "
      "that\n"
      "gives tau (nv,), or a tuple (tau, f_ext), f_ext (6 bodies,) as `solve` has it. A step that fails raises\n"
      "StateError, and exceptions of functions pass; the state is then that of the last good step. Ctrl-C ends a call\n"
      "likewise.")
      .def(py::init([](const std::shared_ptr<ModelObject>& model, const std::string& integrator, double step,
                       double tolerance, double longest_step, bool work, bool passive, double slow,
                       const py::object& points, const py::object& drives, const py::kwargs& options) {
             const auto found = value_of_word<Integrator>(integrator);
             if (!found) raise_value("integrator", "one of " + list_of<Integrator>(), integrator);
             return std::make_unique<S>(model, options_from(options),
                                        SimulationOptions{*found, step, tolerance, longest_step, work}, passive, slow,
                                        points, drives);
           }),
           py::arg("model").none(false), py::arg("integrator") = "adaptive", py::arg("step") = 1e-3, py::arg("tolerance") = 1e-10,
           py::arg("longest_step") = std::numeric_limits<double>::infinity(), py::arg("work") = true,
           py::arg("passive") = false, py::arg("slow") = 0.0, none("points"), none("drives"))
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
            s.move(forces, py::none(), s.simulation().time() + dt, [&](const Forces& f) { return s.step(dt, f); });
          },
          py::arg("dt"), none("forces"), "Goes on by dt (s); the adaptive integrator takes as many steps as it needs.")
      .def(
          "advance_to",
          [](S& s, double time, const py::object& forces, const py::object& progress) {
            s.move(forces, progress, time, [&](const Forces& f) { return s.advance(time, f); });
          },
          py::arg("time"), none("forces"), none("progress"),
          "Goes on until `time` (s), or until an event ends it. progress: called as progress(now, time) every 20 ms.")
      .def(
          "step_towards",
          [](S& s, double time, const py::object& forces) {
            s.move(forces, py::none(), time, [&](const Forces& f) { return s.step_towards(time, f); });
          },
          py::arg("time"), none("forces"), "One step of the integrator's own length, not past `time` (s).")
      .def("path", &S::path, py::arg("times"), none("forces"), none("progress"),
           "States at ascending times (s): q (times, nq) and v (times, nv); fewer where an event ends the motion.")
      .def("watch", &S::watch, py::arg("events"), "Replaces the events at which steps end: a list of kinetree.Event.")
      .def(
          "loop_forces",
          [](S& s, const std::string& axes, const py::object& forces) {
            return s.holding(Holding::loops, axes, forces);
          },
          py::arg("axes") = "link", none("forces"),
          "What loops transmit now, (loops, 2, 6), as kinetree.loop_forces gives it, under these forces.")
      .def(
          "coupling_forces",
          [](S& s, const py::object& forces) { return s.holding(Holding::couplings, "link", forces); }, none("forces"),
          "Multipliers of couplings now, (couplings,), as kinetree.coupling_forces gives them.")
      .def(
          "joint_reactions",
          [](S& s, const std::string& axes, const py::object& forces) {
            return s.holding(Holding::joints, axes, forces);
          },
          py::arg("axes") = "link", none("forces"),
          "What joints transmit now, (bodies, 6), as kinetree.joint_reactions gives it.")
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
