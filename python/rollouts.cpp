// Rollouts in Python: many simulations of one model, which take steps without the interpreter.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <kinetree/configuration.hpp>
#include <limits>
#include <optional>

#include "python/bindings.hpp"
#include "python/course.hpp"
#include "python/errors.hpp"
#include "python/models.hpp"
#include "python/varying.hpp"
#include "python/words.hpp"
#include "simulation/fixed_step.hpp"

namespace kinetree::python {
namespace {

class RolloutsObject {
 public:
  RolloutsObject(const std::shared_ptr<ModelObject>& model, int count, double dt, Integrator integrator,
                 bool external_forces, const Options& options)
      : RolloutsObject(model, nullptr, dt, {integrator, external_forces},
                       Rollouts(model->model(), count, options, {integrator, external_forces})) {}
  RolloutsObject(const VaryingObject& varying, int count, double dt, Integrator integrator, bool external_forces,
                 const Options& options)
      : RolloutsObject(varying.model, varying.kept(), dt, {integrator, external_forces},
                       Rollouts(varying.varying, count, options, {integrator, external_forces})) {}

  void set_parameters(py::handle parameters, std::optional<int> state) {
    const py::ssize_t rows = varying_of(varying_.get()).rows();
    const States states{state.has_value(), state ? 1 : py::ssize_t{rollouts_.count()}, true};
    const Input<double> own("parameters", parameters, states, rows);
    Eigen::MatrixXd numbers(rows, states.count);
    for (py::ssize_t k = 0; k < states.count; ++k)
      std::copy_n(own.columns().data + k * own.columns().stride, rows, numbers.col(k).data());
    Status status;
    {
      const Released released(guard_, "Rollouts");
      status = state ? rollouts_.set_parameters(*state, numbers.col(0)) : rollouts_.set_parameters(numbers);
    }
    if (!status.ok()) raise_status(status, model());
  }

  void reset(py::handle q, py::handle v, const py::object& mask, const py::object& time) {
    const std::vector<int> columns = chosen(mask);
    const auto some = static_cast<py::ssize_t>(columns.size());
    const bool own_times = !PyFloat_Check(time.ptr()) && !PyLong_Check(time.ptr());
    const Input<double> times = own_times ? Input<double>("time", time, States{true, 1, true}, some) : Input<double>();
    const double together = own_times ? 0 : py::cast<double>(time);
    const auto given = [&](const char* name, py::handle array, py::ssize_t rows, const std::vector<double>& otherwise) {
      if (array.is_none()) return py::object(py::array_t<double>(rows, otherwise.data()));
      return Array::of(name, array, "an array of shape " + shape_text({some, rows}) + " or " + shape_text({rows}))
          .object();
    };
    const py::ssize_t nq = model().nq(), nv = model().nv();
    const py::object q_own = given("q", q, nq, boundary::neutral(model()));
    const py::object v_own = given("v", v, nv, std::vector<double>(static_cast<std::size_t>(nv)));
    const auto read = [&](const char* name, const py::object& array, py::ssize_t rows) {
      const bool one = py::cast<int>(array.attr("ndim")) == 1;
      return Input<double>(name, array, States{one, one ? 1 : some, true}, rows);
    };
    const Input<double> q_in = read("q", q_own, nq), v_in = read("v", v_own, nv);
    Status first;
    piece_ = 1;  // states that go again take longer than those that had stopped
    {
      const Released released(guard_, "Rollouts");
      first = reset_columns(mask.is_none() && !own_times, columns, q_in.columns(), v_in.columns(),
                            [&](py::ssize_t k) { return own_times ? times.columns().data[k] : together; });
    }
    if (!first.ok()) raise_status(first, model());
  }

  py::object step(py::handle tau, py::ssize_t steps, py::handle f_ext, py::handle target, py::handle kp, py::handle kd,
                  bool passive, double slow, py::ssize_t every, const py::object& progress, py::handle points,
                  py::handle drives, py::handle events) {
    if (steps < 1) raise_value("steps", "a number above 0", std::to_string(steps));
    if (every < 0 || every > steps) raise_value("every", "0 (keep no states) to steps", std::to_string(every));
    if (target.is_none() != kp.is_none()) raise_value("kp", "both target and kp, or neither", "one of them");
    const bool on_bodies = !f_ext.is_none() || !points.is_none();
    if (on_bodies && !external_forces_)
      raise_value(f_ext.is_none() ? "points" : "f_ext", "Rollouts made with external_forces=True", "forces on bodies");
    const py::ssize_t count = rollouts_.count(), nq = model().nq(), nv = model().nv();
    Course course{.model = model(),
                  .stages = stages_,
                  .every = every,
                  .passive = passive,
                  .slow = slow,
                  .tau = Feed("tau", tau, count, steps, nv),
                  .f_ext = Feed("f_ext", f_ext, count, steps, py::ssize_t{6} * model().body_count()),
                  .target = Feed("target", target, count, steps, nq),
                  .kp = Feed("kp", kp, count, steps, nv),
                  .kd = Feed("kd", kd, count, steps, nv)};
    act(course, points, drives);
    if (varying_) course.varying = &varying_->varying, course.own = rollouts_.parameters().data();
    course.calls.assign(static_cast<std::size_t>(count), 0);
    if (course.target)
      course.aim.resize(static_cast<std::size_t>(count * nq)), course.away.resize(static_cast<std::size_t>(count * nv));
    py::object kept = py::none();
    if (every > 0) {
      course.kept = steps / every;
      py::array_t<double> q({count, course.kept, nq}), v({count, course.kept, nv});
      course.kept_q = q.mutable_data(), course.kept_v = v.mutable_data();
      kept = py::make_tuple(q, v);
    }
    py::object watch = py::none();
    happened_.assign(static_cast<std::size_t>(count), -1);
    if (!events.is_none())
      watch = py::module_::import("kinetree.rollout_events").attr("Watch")(itself(), events, happened());
    take_steps(course, steps, progress, watch);
    return kept;
  }

  /// Which event ended each state's last call; -1: none did.
  py::object happened() {
    return py::array_t<int>(static_cast<py::ssize_t>(happened_.size()), happened_.data(), itself());
  }

  const Model& model() const { return rollouts_.model(); }
  const std::shared_ptr<ModelObject>& model_object() const { return model_; }
  const Rollouts& rollouts() const { return rollouts_; }
  double dt() const { return dt_; }

 private:
  RolloutsObject(std::shared_ptr<ModelObject> model, std::shared_ptr<const VaryingObject> varying, double dt,
                 const RolloutOptions& how, Rollouts rollouts)
      : model_(std::move(model)),
        dt_(dt),
        stages_(FixedStep::stages_of(how.integrator)),
        external_forces_(how.external_forces),
        varying_(std::move(varying)),
        rollouts_(std::move(rollouts)),
        happened_(static_cast<std::size_t>(rollouts_.count()), -1) {}

  /// All together where each has a row of its own in memory, else one by one. when(k): the k-th one's time.
  template <class When>
  Status reset_columns(bool all, const std::vector<int>& columns, const Columns<const double>& q,
                       const Columns<const double>& v, When&& when) {
    const auto some = static_cast<py::ssize_t>(columns.size());
    const auto apart = [&](const Columns<const double>& x) { return x.columns == some && x.stride >= x.rows; };
    if (all && apart(q) && apart(v)) {
      using Rows = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
      return rollouts_.reset(Rows(q.data, q.rows, q.columns, Eigen::OuterStride<>(q.stride)),
                             Rows(v.data, v.rows, v.columns, Eigen::OuterStride<>(v.stride)), when(0));
    }
    Status first;
    for (py::ssize_t k = 0; k < some; ++k) {
      const auto row = [&](const Columns<const double>& x) {
        return Eigen::Map<const Eigen::VectorXd>(x.data + (x.columns == some ? k * x.stride : 0), x.rows);
      };
      const Status status = rollouts_.reset(columns[static_cast<std::size_t>(k)], row(q), row(v), when(k));
      if (first.ok()) first = status;
    }
    return first;
  }

  py::object itself() { return py::cast(this, py::return_value_policy::reference); }

  void act(Course& course, py::handle points, py::handle drives) {
    course.points = points_acting(points, model());
    while (course.points != nullptr && workspaces_.size() < static_cast<std::size_t>(rollouts_.threads()))
      workspaces_.emplace_back(model());
    course.workspaces = workspaces_.data();
    if (const DrivesObject* given = drives_acting(drives, model()); given != nullptr) {
      for (int k = 0; k < rollouts_.threads(); ++k) course.drives.emplace_back(given->drives, model().nv());
      course.begun.resize(static_cast<std::size_t>(rollouts_.count()));
    }
  }

  std::vector<int> chosen(const py::object& mask) const {
    std::vector<int> columns;
    const py::ssize_t count = rollouts_.count();
    if (mask.is_none()) {
      for (int k = 0; k < count; ++k) columns.push_back(k);
      return columns;
    }
    const std::string expected = shape_text({count});
    const py::object as_array = PyList_Check(mask.ptr()) ? py::module_::import("numpy").attr("asarray")(mask) : mask;
    const Array array = Array::of("mask", as_array, "an array of bool of shape " + expected);
    if (!array.is_bool()) raise_dtype("mask", "bool", array.dtype());
    if (array.sizes() != Sizes{count}) raise_shape("mask", expected, array.sizes());
    for (int k = 0; k < count; ++k)
      if (array.data()[k * array.stride(0)] != 0) columns.push_back(k);
    return columns;
  }

  /// In pieces of some 20 ms, between which an interrupt is seen; step by step where `watch` looks at each.
  void take_steps(Course& course, py::ssize_t steps, const py::object& progress, const py::object& watch) {
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;
    constexpr double piece_takes = 0.02;
    double least = std::numeric_limits<double>::infinity();  // s a step: what other programs take does not count
    const RolloutForces forces = [&course](RolloutColumns& columns) { course(columns); };
    auto told = Clock::now();
    for (py::ssize_t done = 0; done < steps;) {
      const py::ssize_t piece = std::min(watch.is_none() ? piece_ : 1, steps - done);
      const auto begin = Clock::now();
      Status status;
      {
        const Released released(guard_, "Rollouts");
        status = rollouts_.step(dt_, forces, static_cast<int>(piece));
        done += piece;
      }
      if (refuses_call(status)) raise_status(status, model());
      if (!watch.is_none()) watch();  // it may change states, and so comes before the last ones are kept
      if (done == steps) course.keep(0, steps, rollouts_.q().data(), rollouts_.v().data(), rollouts_.count());
      const auto now = Clock::now();
      if (watch.is_none()) {
        least = std::min(least, Seconds(now - begin).count() / static_cast<double>(piece));
        const double fit = std::min(piece_takes / std::max(least, 1e-9), static_cast<double>(most_steps));
        piece_ = std::clamp(static_cast<py::ssize_t>(fit), py::ssize_t{1}, std::max(piece_, 2 * piece));
      } else if (done < steps && Seconds(now - told).count() < piece_takes) {
        continue;
      }
      told = now;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(done, steps);
    }
  }

  std::shared_ptr<ModelObject> model_;
  double dt_;
  int stages_;
  bool external_forces_;
  std::shared_ptr<const VaryingObject> varying_;  ///< null: of a model
  Rollouts rollouts_;
  std::vector<Workspace> workspaces_;  ///< of workers, for forces between points
  std::vector<int> happened_;
  Guard guard_;
  static constexpr py::ssize_t most_steps = 1 << 20;
  py::ssize_t piece_ = 1;  ///< steps that take some 20 ms
};

/// An array in the object's own memory, which follows the motion.
py::object view(const py::object& self, const double* data, const Sizes& sizes) {
  py::array_t<double> array(sizes, data, self);
  array.attr("flags").attr("writeable") = false;
  return array;
}

template <class Of>
std::unique_ptr<RolloutsObject> made_of(Of model, int count, double dt, const std::string& integrator,
                                        bool external_forces, const py::kwargs& options) {
  const auto found = value_of_word<Integrator>(integrator);
  if (!found || has_tolerance(*found)) raise_value("integrator", "semi_implicit_euler or rk4", integrator);
  if (!(dt > 0 && std::isfinite(dt))) raise_value("dt", "a finite number above 0", py::repr(py::float_(dt)));
  return std::make_unique<RolloutsObject>(model, count, dt, *found, external_forces, options_from(options));
}

}  // namespace

void bind_rollouts(py::module_& module) {
  using R = RolloutsObject;
  const auto self = [](const py::object& object) -> const R& { return py::cast<const R&>(object); };
  py::class_<R>(
      module, "Rollouts",
      "Many simulations of one model, which take steps of dt (s) side by side.\n\n"
      "Rollouts(model, count, dt=0.001, integrator='semi_implicit_euler', external_forces=False, **options).\n"
      "integrator: semi_implicit_euler or rk4; options: those of ForwardDynamics. A state whose step fails\n"
      "stops where its last good step led; `statuses` says why, and reset lets it go again.")
      .def(py::init(&made_of<const std::shared_ptr<ModelObject>&>), py::arg("model").none(false), py::arg("count"),
           py::arg("dt") = 1e-3, py::arg("integrator") = "semi_implicit_euler", py::arg("external_forces") = false)
      .def(py::init(&made_of<const VaryingObject&>), py::arg("model"), py::arg("count"), py::arg("dt") = 1e-3,
           py::arg("integrator") = "semi_implicit_euler", py::arg("external_forces") = false)
      .def("set_parameters", &R::set_parameters, py::arg("parameters"), py::arg("state") = py::none(),
           "Numbers of all states from now on, (count, rows) of the Varying, or of one, (rows,).")
      .def_property_readonly(
          "parameters",
          [=](const py::object& s) {
            const auto own = self(s).rollouts().parameters();
            return view(s, own.data(), {own.cols(), own.rows()});
          },
          "Numbers now, (count, rows): a view. No rows where it was made of a model.")
      .def("reset", &R::reset, py::arg("q") = py::none(), py::arg("v") = py::none(), py::arg("mask") = py::none(),
           py::arg("time") = 0.0,
           "Begins anew from q, (nq,) or a row for each, and v; without them at rest where `neutral` stands. mask: "
           "(count,)\n"
           "of bool, those that begin anew; q and v have rows for these alone. time (s): of all, or an array of each "
           "one's.")
      .def(
          "step", &R::step, py::arg("tau") = py::none(), py::arg("steps") = 1, py::arg("f_ext") = py::none(),
          py::arg("target") = py::none(), py::arg("kp") = py::none(), py::arg("kd") = py::none(),
          py::arg("passive") = false, py::arg("slow") = 0.0, py::arg("every") = 0, py::arg("progress") = py::none(),
          py::arg("points") = py::none(), py::arg("drives") = py::none(), py::arg("events") = py::none(),
          "Takes steps. tau: (nv,), (count, nv) or (count, steps, nv), Nm, N; so are f_ext, target, kp and kd.\n\n"
          "target (nq), kp, kd (nv): adds kp difference(q, target) - kd v. passive: adds the model's passive forces, "
          "as\n"
          "add_passive_forces does. every: gives (q, v) of each `every` steps, (count, steps // every, nq) and\n"
          "(..., nv). progress: called as progress(done, steps) between pieces of some 20 ms; there an interrupt ends\n"
          "the call too, and the states stand where the last piece led. points: a PointForces, whose springs act too.\n"
          "drives: a Drives, read at each state's own time. events: a list of kinetree.Event, whose functions take "
          "and\n"
          "give rows: value(time (count,), q (count, nq), v (count, nv)) gives (count,), looked at after each step; "
          "those\n"
          "whose sign has changed are the event's. act(time, q, v) gets their rows alone, may change them in place, "
          "and\n"
          "gives nothing, or whether they go on, for all or (rows,) of bool. A state that doesn't go on, and any at "
          "an\n"
          "event without `act`, stands there until the call ends; `happened` says at which.")
      .def_property_readonly(
          "happened",
          [](R& r) {
            py::object array = r.happened();
            array.attr("flags").attr("writeable") = false;
            return array;
          },
          "(count,), the index of the event that ended each state's last call; -1: none did.")
      .def_property_readonly(
          "q",
          [=](const py::object& s) {
            return view(s, self(s).rollouts().q().data(), {self(s).rollouts().count(), self(s).model().nq()});
          },
          "Positions now, (count, nq): a view, which follows the motion.")
      .def_property_readonly(
          "v",
          [=](const py::object& s) {
            return view(s, self(s).rollouts().v().data(), {self(s).rollouts().count(), self(s).model().nv()});
          },
          "Velocities now, (count, nv): a view, which follows the motion.")
      .def_property_readonly(
          "time",
          [=](const py::object& s) { return view(s, self(s).rollouts().time().data(), {self(s).rollouts().count()}); },
          "Times now, (count,), s: a view, which follows the motion.")
      .def_property_readonly(
          "statuses", [](const R& r) { return codes_of(r.rollouts().statuses()); },
          "uint8 per state: 0 is ok, others say why it stopped: indices of kinetree.STATUS_CODES.")
      .def(
          "status",
          [](const R& r, int state) {
            if (state < 0 || state >= r.rollouts().count())
              throw py::index_error("there is no state " + std::to_string(state));
            return status_object(r.rollouts().statuses()[static_cast<std::size_t>(state)], r.model());
          },
          py::arg("state"), "The kinetree.Status of a state.")
      .def_property_readonly(
          "count", [](const R& r) { return r.rollouts().count(); }, "States.")
      .def_property_readonly(
          "threads", [](const R& r) { return r.rollouts().threads(); }, "Of its own, at most.")
      .def_property_readonly("dt", &R::dt, "Of a step, s.")
      .def_property_readonly("model", &R::model_object, "The Model.")
      .def(
          "plan", [](const R& r) { return plan_object(r.rollouts().plan()); }, "How accelerations are found.")
      .def("__len__", [](const R& r) { return r.rollouts().count(); })
      .def("__repr__", [](const R& r) {
        return "<kinetree.Rollouts of '" + r.model().name() + "': " + std::to_string(r.rollouts().count()) +
               " states, steps of " + py::cast<std::string>(py::repr(py::float_(r.dt()))) + " s, " +
               std::to_string(r.rollouts().threads()) + (r.rollouts().threads() == 1 ? " thread>" : " threads>");
      });
}

}  // namespace kinetree::python
