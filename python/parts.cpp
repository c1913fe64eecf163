// What a model has beside its dynamics, shapes, sensors, forces between points, and words of descriptions.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/compose.hpp>
#include <kinetree/joint_type.hpp>

#include "python/acting.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/models.hpp"

namespace kinetree::python {
namespace {

using py::literals::operator""_a;

template <std::size_t n>
py::tuple tuple_of(const std::array<double, n>& numbers) {
  py::tuple all(n);
  for (std::size_t k = 0; k < n; ++k) all[k] = numbers[k];
  return all;
}

py::list shapes_of(std::span<const ShapeDescription> shapes) {
  const py::object shape = py::module_::import("kinetree.facts").attr("Shape"),
                   look = py::module_::import("kinetree.facts").attr("Material");
  py::list all;
  for (const ShapeDescription& s : shapes) {
    py::object material = py::none();
    if (s.material)
      material = look("name"_a = s.material->name,
                      "rgba"_a = s.material->rgba ? py::object(tuple_of(*s.material->rgba)) : py::none(),
                      "texture"_a = s.material->texture);
    all.append(shape("name"_a = s.name, "type"_a = s.type, "size"_a = py::tuple(py::cast(s.size)), "mesh"_a = s.mesh,
                     "xyz"_a = tuple_of(s.frame.xyz), "quaternion"_a = tuple_of(s.frame.quaternion),
                     "material"_a = material));
  }
  return all;
}

py::list sensors_of(const Model& model) {
  const py::object sensor = py::module_::import("kinetree.facts").attr("Sensor");
  py::list all;
  for (const SensorDescription& s : model.sensors())
    all.append(sensor("name"_a = s.name, "type"_a = s.type, "link"_a = s.link, "xyz"_a = tuple_of(s.frame.xyz),
                      "quaternion"_a = tuple_of(s.frame.quaternion)));
  return all;
}

py::dict positions_in(const ModelObject& m, py::handle q, const std::vector<std::string>& joints) {
  const Input<double> given("q", q, States{true, 1, true}, m.model().nq());
  py::dict all;
  for (const JointPositions& one :
       boundary::joint_positions(m.model(), {given.columns().data, static_cast<std::size_t>(m.model().nq())}, joints))
    all[py::str(one.joint)] = one.positions;
  return all;
}

py::dict joint_types() {
  py::dict all;
  for (const JointFacts& f : joint_facts) all[py::str(std::string(f.name))] = py::make_tuple(f.positions, f.velocities);
  return all;
}

}  // namespace

void bind_parts(py::class_<ModelObject, std::shared_ptr<ModelObject>>& model) {
  using M = const ModelObject&;
  model
      .def(
          "visuals",
          [](M m, const std::string& link) { return shapes_of(m.model().visuals(frame_index(m.model(), link))); },
          py::arg("link"), "The link's shapes for pictures, a list of kinetree.facts.Shape.")
      .def(
          "collisions",
          [](M m, const std::string& link) { return shapes_of(m.model().collisions(frame_index(m.model(), link))); },
          py::arg("link"), "The link's shapes for contacts, likewise: data for the caller.")
      .def_property_readonly(
          "sensors", [](M m) { return sensors_of(m.model()); }, "All sensors, a list of kinetree.facts.Sensor.")
      .def(
          "body_of_joint", [](M m, const std::string& joint) { return m.model().body_of_joint(joint); },
          py::arg("joint"), "The body that a joint carries. Raises ValueError for no joint that moves.")
      .def(
          "body_of_link", [](M m, const std::string& link) { return m.model().body_of_link(link); }, py::arg("link"),
          "The body that a link is, or is merged into by fixed joints; -1: the ground.")
      .def(
          "body_of_position",
          [](M m, int entry) {
            if (entry < 0 || entry >= m.model().nq()) throw py::index_error("q has no entry " + std::to_string(entry));
            return m.model().body_of_position(entry);
          },
          py::arg("entry"), "The body whose joint has an entry of q.")
      .def(
          "body_of_velocity",
          [](M m, int entry) {
            if (entry < 0 || entry >= m.model().nv()) throw py::index_error("v has no entry " + std::to_string(entry));
            return m.model().body_of_velocity(entry);
          },
          py::arg("entry"), "The body whose joint has an entry of v.")
      .def_property_readonly(
          "point_forces",
          [](const std::shared_ptr<ModelObject>& m) -> py::object {
            if (m->model().point_forces().empty()) return py::none();
            return py::cast(PointForcesObject{m, PointForces(m->model())});
          },
          "Its springs between points, a PointForces; None where it has none. They act where they are given:\n"
          "Simulation(model, points=model.point_forces).");
}

void bind_words(py::module_& module) {
  module.attr("JOINT_TYPES") = joint_types();
  py::tuple loops(loop_type_names.size());
  for (std::size_t k = 0; k < loop_type_names.size(); ++k) loops[k] = py::str(std::string(loop_type_names[k]));
  module.attr("LOOP_TYPES") = loops;
  module.def("joint_positions", &positions_in, py::arg("model"), py::arg("q"), py::arg("joints"),
             "Where joints stand in q (nq,), by name: what `lock` and `locked` take.");
  module.def(
      "quaternion_from_rpy", [](const Numbers3& rpy) { return tuple_of(quaternion_from_rpy(rpy)); }, py::arg("rpy"),
      "The quaternion (x, y, z, w) of roll, pitch and yaw (rad) about fixed axes, as URDF has them.");
  module.def(
      "names_family", [](const std::string& text) { return names_family(text); }, py::arg("text"),
      "Whether a text has the form of a family, \"chain:8\", say.");
}

}  // namespace kinetree::python
