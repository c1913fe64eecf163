#include "python/acting.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <kinetree/loops_from.hpp>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/entries.hpp"
#include "python/errors.hpp"
#include "python/joint_forces.hpp"

namespace kinetree::python {
namespace {

using Shared = std::shared_ptr<ModelObject>;
using P = const PointForcesObject&;

/// A list of dicts in the words of the YAML format, of which JSON is a part; None: the model's own.
PointForcesObject made(const Shared& model, const py::object& given) {
  if (given.is_none()) return {model, PointForces(model->model())};
  if (!py::isinstance<py::list>(given))
    raise_type("forces", "a list of dicts or of kinetree.words.PointForce", Py_TYPE(given.ptr())->tp_name);
  py::dict whole;
  whole["forces"] = given;
  const auto text = py::cast<std::string>(py::module_::import("kinetree.words").attr("text_of")(whole));
  Reading read = with_loops_from_text({}, text, "list");
  if (has_error(read.findings)) throw InputError(std::move(read.findings));
  for (PointForceDescription& force : read.description.forces) force.line = 0;  // a list has none
  return {model, PointForces(model->model(), std::move(read.description.forces), "list")};
}

void raise_bad_force(const Status& status, bool one, P of) {
  if (!status.ok() && (one || (!has_no_direction(status) && refuses_call(status)))) raise_status(status, of);
}

/// call(workspace, q, v) of one of the model's workspaces, while other Python threads run.
template <class Call>
Status on_workspace(P of, Call&& call) {
  std::unique_ptr<Workspace> workspace = of.model->take();
  Status status;
  {
    Guard guard;
    const Released released(guard, "");
    status = call(*workspace);
  }
  of.model->give_back(std::move(workspace));
  return status;
}

template <class T>
using MatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
auto view(const Columns<const T>& x) {
  return Eigen::Map<const MatrixOf<T>, 0, Eigen::OuterStride<>>(x.data, x.rows, x.columns,
                                                                Eigen::OuterStride<>(x.stride));
}
template <class T>
auto view(const Columns<T>& x) {
  return Eigen::Map<MatrixOf<T>, 0, Eigen::OuterStride<>>(x.data, x.rows, x.columns, Eigen::OuterStride<>(x.stride));
}

/// of(workspace, q, v, result) with a result of this shape, which begins as zeros, or with the caller's numbers.
template <class Of>
py::object of_states(P self, py::handle q, py::handle v, const char* name, py::handle out, bool adds,
                     const ResultShape& shape, Of&& of) {
  const Model& model = self.model->model();
  Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, model.nq());
  return in_scalar(states, [&](auto scalar) {
    using T = decltype(scalar);
    const Input<T> q_in("q", std::move(first), states, model.nq()), v_in("v", v, states, model.nv());
    Output<T> result(name, out, states, shape);
    if (adds) out.is_none() ? result.clear() : result.read();
    const Status status = on_workspace(self, [&](Workspace& workspace) {
      return of(workspace, view(q_in.columns()), view(v_in.columns()), view(result.columns()));
    });
    raise_bad_force(status, states.one, self);
    return result.finish();
  });
}

py::object potential(P self, py::handle distances) {
  const py::ssize_t count = self.forces.count();
  Array first = Array::of("distances", distances, "an array of shape (forces,) or (batch, forces)");
  const States states = states_of("distances", first, count);
  const Input<double> given("distances", std::move(first), states, count);
  py::array_t<double> sums(states.count);
  for (py::ssize_t k = 0; k < states.count; ++k)
    sums.mutable_at(k) = self.forces.potential(view(given.columns()).col(k));
  return states.one ? py::object(sums[py::int_(0)]) : py::object(sums);
}

py::dict end_words(const PointForceDescription::End& end) {
  py::dict words;
  words["body"] = end.body, words["xyz"] = py::cast(end.xyz);
  return words;
}

/// As the constructor takes them.
py::list dicts_of(P self) {
  py::list all;
  for (int k = 0; k < self.forces.count(); ++k) {
    const PointForceDescription& f = self.forces[k];
    py::dict words;
    words["name"] = f.name;
    words["between"] = py::make_tuple(end_words(f.first), end_words(f.second));
    words["stiffness"] = f.stiffness, words["length"] = f.length;
    words["damping"] = f.damping, words["force"] = f.force;
    all.append(std::move(words));
  }
  return all;
}

void bind_point_forces(py::module_& module) {
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  const auto model = py::arg("model").none(false);
  py::class_<PointForcesObject> type(
      module, "PointForces",
      "Springs, dampers and constant forces between points of links, or of links and the ground.\n\n"
      "PointForces(model, forces=None). forces: dicts in the words of the YAML format, {'name', 'between': [{'body', "
      "'xyz'},\n"
      "{'body', 'xyz'}], 'stiffness' (N/m), 'length' (m, at rest), 'damping' (N s/m), 'force' (N)}; None: the model's "
      "own. At the distance l one pulls its points together with stiffness (l - length) + damping dl/dt + force.\n"
      "Simulation and Rollouts take it as `points`. Raises InputError with every finding.");
  type.def(py::init(&made), model, none("forces"))
      .def(
          "add",
          [](P self, py::handle q, py::handle v, py::handle f_ext) {
            return of_states(self, q, v, "f_ext", f_ext, true,
                             {{py::ssize_t{6} * self.model->model().body_count()}, {0}},
                             [&](Workspace& w, const auto& at, const auto& rate, auto&& sum) {
                               return self.forces.add(w, at, rate, sum);
                             });
          },
          py::arg("q"), py::arg("v"), none("f_ext"),
          "Adds what they do in a state, or in many, to f_ext (6 bodies,), in place; without f_ext to zeros. A state\n"
          "where two points coincide, so that a force has no direction, raises StateError alone and is NaN in a batch.")
      .def(
          "tensions",
          [](P self, py::handle q, py::handle v, py::handle out) {
            return of_states(self, q, v, "out", out, false, {{self.forces.count(), 3}, {0, 1}},
                             [&](Workspace& w, const auto& at, const auto& rate, auto&& result) {
                               return self.forces.tensions(w, at, rate, result);
                             });
          },
          py::arg("q"), py::arg("v"), none("out"),
          "(forces, 3), or (batch, forces, 3): the distance of the points (m), its rate (m/s), the tension (N).")
      .def("potential", &potential, py::arg("distances"),
           "Energy (J) of springs and constant forces where their points are so far apart (m): a number, or (batch,).")
      .def_property_readonly(
          "names",
          [](P self) {
            std::vector<std::string> names;
            for (int k = 0; k < self.forces.count(); ++k) names.push_back(self.forces[k].name);
            return names;
          },
          "What they are called.")
      .def_property_readonly("forces", &dicts_of, "As a list of dicts, which the constructor takes.")
      .def_property_readonly(
          "model", [](P self) { return self.model; }, "The Model.")
      .def("__len__", [](P self) { return self.forces.count(); })
      .def("__repr__",
           [](P self) {
             return "<kinetree.PointForces of '" + self.model->model().name() +
                    "': " + std::to_string(self.forces.count()) + " forces>";
           })
      .def(py::pickle([](P self) { return py::make_tuple(self.model, dicts_of(self)); },
                      [](const py::tuple& kept) { return made(py::cast<Shared>(kept[0]), kept[1]); }));
}

std::vector<double> row_in(const char* name, const py::object& given) {
  const std::string expected = "an array of shape (n,)";
  const Array array = Array::of(name, given, expected);
  expect_numbers<double>(name, array);
  if (array.dimensions() != 1) raise_shape(name, "(n,)", array.sizes());
  const Array row = array.contiguous();
  const auto* begin = reinterpret_cast<const double*>(row.data());
  return {begin, begin + row.size(0)};
}

DrivesObject drives_of(const Shared& model, const py::list& given) {
  std::vector<Drive> all;
  for (const py::handle one : given) {
    const std::vector<int> entries = entries_from("velocity", one.attr("velocity"), model->model());
    if (entries.size() != 1)
      raise_value("velocity", "a joint with one degree of freedom, or an entry of v", py::repr(one.attr("velocity")));
    all.push_back({entries.front(), row_in("times", one.attr("times")), row_in("forces", one.attr("forces")),
                   py::cast<bool>(one.attr("held"))});
  }
  return {model, Drives(model->model(), std::move(all))};
}

py::list listed(const DrivesObject& self) {
  const py::object type = py::module_::import("kinetree.drive").attr("Drive");
  py::list all;
  for (const Drive& d : self.drives.drives())
    all.append(type(d.velocity, py::array_t<double>(static_cast<py::ssize_t>(d.times.size()), d.times.data()),
                    py::array_t<double>(static_cast<py::ssize_t>(d.forces.size()), d.forces.data()), d.held));
  return all;
}

py::object forces_at(const DrivesObject& self, const py::object& times) {
  const std::vector<double> asked = row_in("times", times);
  const py::ssize_t nv = self.model->model().nv();
  Drives drives = self.drives;
  py::array_t<double> result({static_cast<py::ssize_t>(asked.size()), nv});
  for (std::size_t k = 0; k < asked.size(); ++k) {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(nv);
    (void)drives.go_on_from(asked[k]);
    drives.add(asked[k], tau);
    std::copy_n(tau.data(), nv, result.mutable_data(static_cast<py::ssize_t>(k), 0));
  }
  return result;
}

void bind_drives(py::module_& module) {
  py::class_<DrivesObject>(module, "Drives",
                           "Joint forces as tables over time: Drives(model, drives), a list of kinetree.Drive. "
                           "Simulation and Rollouts take\n"
                           "it as `drives`; a Simulation's steps end where a table has a kink or a jump.")
      .def(py::init(&drives_of), py::arg("model").none(false), py::arg("drives"))
      .def("forces", &forces_at, py::arg("times"),
           "(times, nv), Nm or N: the joint forces at times (s), at a jump those after it.")
      .def_property_readonly("drives", &listed, "A list of kinetree.Drive.")
      .def_property_readonly(
          "model", [](const DrivesObject& d) { return d.model; }, "The Model.")
      .def("__len__", [](const DrivesObject& d) { return d.drives.drives().size(); })
      .def("__repr__",
           [](const DrivesObject& d) {
             return "<kinetree.Drives of '" + d.model->model().name() +
                    "': " + std::to_string(d.drives.drives().size()) + ">";
           })
      .def(py::pickle(
          [](const DrivesObject& d) { return py::make_tuple(d.model, listed(d)); },
          [](const py::tuple& kept) { return drives_of(py::cast<Shared>(kept[0]), py::cast<py::list>(kept[1])); }));
}

/// What a call's argument is; null for None.
template <class Object>
const Object* acting(const char* name, const char* type, py::handle given, const Model& model) {
  if (given.is_none()) return nullptr;
  if (!py::isinstance<Object>(given)) raise_type(name, type, Py_TYPE(given.ptr())->tp_name);
  const auto& object = py::cast<const Object&>(given);
  if (&object.model->model().data() != &model.data())
    raise_value(name, std::string(type) + " of this model", "one of another model");
  return &object;
}

}  // namespace

const PointForcesObject* points_acting(py::handle given, const Model& model) {
  return acting<PointForcesObject>("points", "a PointForces", given, model);
}
const DrivesObject* drives_acting(py::handle given, const Model& model) {
  return acting<DrivesObject>("drives", "a Drives", given, model);
}

void raise_status(const Status& status, const PointForcesObject& of) {
  raise_status(status, of.model->model(), of.forces.message(status));
}

void bind_acting(py::module_& module) {
  bind_point_forces(module);
  bind_drives(module);
}

}  // namespace kinetree::python
