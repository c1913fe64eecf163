#include "python/models.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <iterator>
#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/loops_from.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <kinetree/write_model.hpp>
#include <optional>

#include "python/errors.hpp"
#include "python/yaml_words.hpp"

namespace kinetree::python {
namespace {

using Shared = std::shared_ptr<ModelObject>;

/// {joint: None, a position or several}
std::vector<JointPositions> positions_of(const py::object& lock) {
  std::vector<JointPositions> all;
  if (lock.is_none()) return all;
  if (!py::isinstance<py::dict>(lock))
    raise_type("lock", "a dict of joints: None, a position or several", Py_TYPE(lock.ptr())->tp_name);
  for (const auto& [joint, position] : py::cast<py::dict>(lock)) {
    JointPositions one{py::cast<std::string>(joint)};
    if (py::isinstance<py::float_>(position) || py::isinstance<py::int_>(position))
      one.positions = {py::cast<double>(position)};
    else if (!position.is_none())
      one.positions = py::cast<std::vector<double>>(position);
    all.push_back(std::move(one));
  }
  return all;
}

LoadOptions options_of(bool floating_base, bool ignore_mimic, const py::object& lock) {
  return {floating_base, ignore_mimic, positions_of(lock)};
}

Shared made(Reading reading, const LoadOptions& options) {
  return std::make_shared<ModelObject>(std::move(reading.description), options, std::move(reading.findings));
}

/// A model's file, with the loops, couplings and forces between points of another beside it, if there is one.
Shared loaded(const std::filesystem::path& file, const std::optional<std::filesystem::path>& loops_from,
              const LoadOptions& options) {
  Reading reading = read_model(file);
  return made(loops_from ? with_loops_from(std::move(reading), *loops_from) : std::move(reading), options);
}

Description checked(Reading reading) {
  if (has_error(reading.findings)) throw InputError(std::move(reading.findings));
  return std::move(reading.description);
}

Reading read_text(const std::string& text, const std::string& format, const std::string& name) {
  if (format == "yaml") return read_yaml_text(text, name);
  if (format == "urdf") return read_urdf_text(text, name);
  if (format == "mjcf") return read_mjcf_text(text, name);
  if (format == "sdf") return read_sdf_text(text, name);
  raise_value("format", "one of yaml, urdf, mjcf, sdf", format);
}

py::object fixed_array(const py::object& owner, std::span<const double> numbers) {
  py::array_t<double> view(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

template <class Get>
py::tuple per_body(const Model& m, Get&& get) {
  py::tuple all(static_cast<std::size_t>(m.body_count()));
  for (int k = 0; k < m.body_count(); ++k) all[static_cast<std::size_t>(k)] = get(k);
  return all;
}

/// A number per freedom, which follows the model: a view of it.
template <std::span<const double> (Model::*get)() const>
py::object numbers(const py::object& self) {
  return fixed_array(self, (py::cast<ModelObject&>(self).model().*get)());
}

void bind_description(py::module_& module) {
  const auto with = py::arg("floating_base") = false;
  py::class_<Description>(module, "Description",
                          "A mechanism in the user's words, of which models are made and put together.")
      .def_readonly("name", &Description::name, "The mechanism's.")
      .def_readonly("file", &Description::file, "Where it came from; may be empty.")
      .def_static(
          "from_file", [](const std::filesystem::path& file) { return checked(read_model(file)); }, py::arg("file"),
          "Reads .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml by its ending.")
      .def_static(
          "from_family", [](const std::string& family) { return make_description(family); }, py::arg("family"),
          "What a family stands for, \"chain:8\", say.")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& format, const std::string& name) {
            return checked(read_text(text, format, name));
          },
          py::arg("text"), py::arg("format") = "yaml", py::arg("name") = "text",
          "Reads YAML, URDF, MJCF or SDF (yaml, urdf, mjcf, sdf); findings call it `name`.")
      .def(
          "text", [](const Description& d) { return yaml_text(d); }, "As YAML, which from_text reads back.")
      .def("_words", &yaml_words, "A dict of the same words.")  // which words.Mechanism has as attributes
      .def(
          "locked", [](const Description& d, const py::object& lock) { return locked(d, positions_of(lock)); },
          py::arg("joints"),
          "With joints fixed: {joint: None, a position or several}; None: as `assembled`, else zero.")
      .def(
          "attached",
          [](const Description& d, const Description& other, const std::string& link, const Numbers3& xyz,
             const std::array<double, 4>& quaternion, const std::string& prefix) {
            return attached(d, other, {link, {xyz, quaternion}, prefix});
          },
          py::arg("other"), py::arg("link") = "world", py::arg("xyz") = Numbers3{},
          py::arg("quaternion") = std::array<double, 4>{0, 0, 0, 1}, py::arg("prefix") = "",
          "With another description on a link, at xyz (m) and a quaternion [x, y, z, w] in its frame.")
      .def(
          "sub_model", [](const Description& d, const std::string& link) { return sub_model(d, link); },
          py::arg("link"), "The link, the joint that carries it, and all links outboard.")
      .def(
          "without", [](const Description& d, const std::string& link) { return without(d, link); }, py::arg("link"),
          "All but that part.")
      .def(
          "with_loops_from",
          [](const Description& d, const std::filesystem::path& file) {
            return checked(with_loops_from({d, {}}, file));
          },
          py::arg("file"), "With the loops, couplings, `independent` and `assembled` of a YAML file beside it.")
      .def(
          "model",
          [](const Description& d, bool floating_base, bool ignore_mimic, const py::object& lock) {
            return std::make_shared<ModelObject>(d, options_of(floating_base, ignore_mimic, lock));
          },
          with, py::arg("ignore_mimic") = false, py::arg("lock") = py::none(), "Checks it and makes its Model.")
      .def("__repr__",
           [](const Description& d) {
             return "<kinetree.Description '" + d.name + "', " + std::to_string(d.bodies.size()) + " links>";
           })
      .def(py::pickle([](const Description& d) { return yaml_text(d); },
                      [](const std::string& text) { return checked(read_yaml_text(text, "pickle")); }));
}

}  // namespace

ModelObject::ModelObject(Description description, const LoadOptions& options, std::vector<Finding> findings)
    : description_(std::move(description)),
      options_(options),
      model_(make_model(description_, options_, std::move(findings))) {}

std::string ModelObject::text() const { return yaml_text(description_, options_); }

Description ModelObject::loaded() const { return as_loaded(description_, options_); }

std::unique_ptr<Workspace> ModelObject::take() {
  if (free_.empty()) return std::make_unique<Workspace>(model_);
  std::unique_ptr<Workspace> taken = std::move(free_.back());
  free_.pop_back();
  return taken;
}

void bind_models(py::module_& module) {
  using M = const ModelObject&;
  py::class_<ModelObject, Shared> model(module, "Model",
                                        "A checked mechanism, numbered depth first. It never changes; all threads may "
                                        "share it. kinetree.load_model and kinetree.make_model make models.");
  bind_description(module);  // each names the other
  model
      .def_property_readonly(
          "name", [](M m) { return m.model().name(); }, "The mechanism's.")
      .def_property_readonly(
          "nq", [](M m) { return m.model().nq(); }, "Entries of q.")
      .def_property_readonly(
          "nv", [](M m) { return m.model().nv(); }, "Entries of v, tau and the accelerations.")
      .def_property_readonly(
          "body_count", [](M m) { return m.model().body_count(); }, "Moving bodies, after fixed joints are merged.")
      .def_property_readonly(
          "joint_names",
          [](M m) { return per_body(m.model(), [&](int k) { return py::str(std::string(m.model().joint_name(k))); }); },
          "The joint that carries each body.")
      .def_property_readonly(
          "body_names",
          [](M m) { return per_body(m.model(), [&](int k) { return py::str(std::string(m.model().body_name(k))); }); },
          "The own link of each body.")
      .def_property_readonly(
          "joint_types",
          [](M m) {
            return per_body(m.model(), [&](int k) { return py::str(std::string(name_of(m.model().joint_type(k)))); });
          },
          "The type of each body's joint: revolute, prismatic, floating, ...")
      .def_property_readonly(
          "parents", [](M m) { return per_body(m.model(), [&](int k) { return py::int_(m.model().parent(k)); }); },
          "The body that each joint hangs from; -1: the ground.")
      .def_property_readonly(
          "q_starts", [](M m) { return per_body(m.model(), [&](int k) { return py::int_(m.model().q_index(k)); }); },
          "Each joint's first entry in q.")
      .def_property_readonly(
          "v_starts", [](M m) { return per_body(m.model(), [&](int k) { return py::int_(m.model().v_index(k)); }); },
          "Each joint's first entry in v.")
      .def_property_readonly(
          "link_names",
          [](M m) {
            py::list names;
            for (int k = 0; k < m.model().frame_count(); ++k) names.append(std::string(m.model().frame_name(k)));
            return py::tuple(names);
          },
          "All links as the user wrote them, those on fixed joints too.")
      .def(
          "q_index", [](M m, const std::string& joint) { return m.model().q_index(joint); }, py::arg("joint"),
          "A joint's first entry in q. Raises ValueError for no such joint.")
      .def(
          "v_index", [](M m, const std::string& joint) { return m.model().v_index(joint); }, py::arg("joint"),
          "A joint's first entry in v.")
      .def(
          "link_index", [](M m, const std::string& link) { return frame_index(m.model(), link); }, py::arg("link"),
          "A link's index in link_names, which points take for its name.")
      .def_property_readonly("damping", &numbers<&Model::damping>, "(nv,), Nm s/rad or N s/m.")
      .def_property_readonly("friction", &numbers<&Model::friction>, "(nv,), Nm or N.")
      .def_property_readonly("stiffness", &numbers<&Model::stiffness>, "(nv,), Nm/rad or N/m.")
      .def_property_readonly("spring_reference", &numbers<&Model::spring_reference>,
                             "(nq,), rad or m: springs at rest.")
      .def_property_readonly("lower_limits", &numbers<&Model::lower_limits>, "(nq,), rad or m.")
      .def_property_readonly("upper_limits", &numbers<&Model::upper_limits>, "(nq,), rad or m.")
      .def_property_readonly("velocity_limits", &numbers<&Model::velocity_limits>, "(nv,), rad/s or m/s.")
      .def_property_readonly("effort_limits", &numbers<&Model::effort_limits>, "(nv,), Nm or N.")
      .def_property_readonly(
          "findings", [](M m) { return findings_list(m.model().findings()); },
          "Warnings and notices of loading, a list of kinetree.Finding.")
      .def_property_readonly(
          "independent_velocities", [](M m) { return independent_velocities(m.model()); },
          "Indices in v of the independent coordinates, ascending.")
      .def_property_readonly(
          "independent_joints", [](M m) { return independent_joints(m.model()); },
          "Names of joints that have independent coordinates.")
      .def_property_readonly("description", &ModelObject::loaded, "A copy of the Description that it was made of.")
      .def("text", &ModelObject::text, "As YAML, which reads back as the same model.")
      .def("__repr__",
           [](M m) {
             return "<kinetree.Model '" + m.model().name() + "', " + std::to_string(m.model().body_count()) +
                    " bodies, nq " + std::to_string(m.model().nq()) + ", nv " + std::to_string(m.model().nv()) + ">";
           })
      .def("__copy__", [](const Shared& m) { return m; })
      .def(
          "__deepcopy__", [](const Shared& m, const py::dict&) { return m; }, py::arg("memo"))
      .def(py::pickle([](M m) { return m.text(); },
                      [](const std::string& text) { return made(read_yaml_text(text, "pickle"), {}); }));
  bind_parts(model);

  const auto free = py::arg("floating_base") = false, independent = py::arg("ignore_mimic") = false;
  module.def(
      "load_model",
      [](const std::filesystem::path& file, bool floating_base, bool ignore_mimic, const py::object& lock,
         const std::optional<std::filesystem::path>& loops_from) {
        return loaded(file, loops_from, options_of(floating_base, ignore_mimic, lock));
      },
      py::arg("file"), free, independent, py::arg("lock") = py::none(), py::arg("loops_from") = py::none(),
      "The model of a file: .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml by its ending.\n\n"
      "floating_base: free the root link. ignore_mimic: make mimic joints independent. lock: joints to fix,\n"
      "{joint: None, a position or several}. loops_from: a YAML file beside it with loops, couplings and forces "
      "between\n"
      "points. Raises InputError, whose `findings` has every fault of the file.");
  module.def(
      "read_model",
      [](const std::filesystem::path& file) {
        Reading reading = read_model(file);
        const py::list findings = findings_list(reading.findings);
        return py::make_tuple(std::move(reading.description), findings);
      },
      py::arg("file"), "(Description, findings): as far as a file could be read, and all that is wrong with it.");
  module.def(
      "make_model",
      [](const std::string& family, bool floating_base, bool ignore_mimic, const py::object& lock) {
        return std::make_shared<ModelObject>(make_description(family), options_of(floating_base, ignore_mimic, lock));
      },
      py::arg("family"), free, independent, py::arg("lock") = py::none(),
      "The model of a family: \"chain:8\", \"tree:2x4\", \"random:50:seed=7\". Keywords as load_model has them.");
}

}  // namespace kinetree::python
