// A machine's times, from which plans are predicted (kinetree/calibration.hpp), as text and by name.

#include <pybind11/pybind11.h>

#include <kinetree/calibration.hpp>

#include "python/bindings.hpp"
#include "python/errors.hpp"

namespace kinetree::python {
namespace {

/// Its numbers by their names, as its text has them.
py::dict numbers_of(const Calibration& calibration) {
  py::dict all;
  const py::list lines = py::str(to_text(calibration)).attr("splitlines")();
  for (const py::handle line : lines) {
    const py::list words = line.attr("split")();
    if (words.size() == 2 && !py::cast<std::string>(words[0]).starts_with("#"))
      all[words[0]] = py::float_(py::str(words[1]));
  }
  return all;
}

template <class Measure>
Calibration measured(int most_readings, Measure&& measure) {
  if (most_readings < 1) raise_value("most_readings", "a number above 0", std::to_string(most_readings));
  const py::gil_scoped_release unlocked;
  return measure(most_readings);
}

}  // namespace

void bind_calibration(py::module_& module) {
  using C = Calibration;
  py::class_<C>(module, "Calibration",
                "A machine's times, from which plans are predicted; Calibration() has the default ones.")
      .def(py::init<>())
      .def_static(
          "from_text", [](const std::string& text, const std::string& name) { return read_calibration(text, name); },
          py::arg("text"), py::arg("name") = "text", "Of lines `name value`; findings call it `name`.")
      .def_static("from_file", &load_calibration, py::arg("file"), "Of a file, as `kinetree calibrate` writes it.")
      .def(
          "text", [](const C& c) { return to_text(c); }, "Lines `name value`, every digit kept.")
      .def(
          "save", [](const C& c, const std::string& file) { save_calibration(c, file); }, py::arg("file"),
          "Writes that text to a file.")
      .def_property_readonly("numbers", &numbers_of, "A dict of its numbers, named as in its text.")
      .def("__eq__", [](const C& a, const C& b) { return a == b; })
      .def("__repr__",
           [](const C& c) {
             return "<kinetree.Calibration of " + py::cast<std::string>(py::repr(py::float_(c.cores))) +
                    " cores, disagreement " + py::cast<std::string>(py::repr(py::float_(c.disagreement))) + ">";
           })
      .def(py::pickle([](const C& c) { return to_text(c); },
                      [](const std::string& text) { return read_calibration(text, "pickle"); }));
  module.def(
      "calibration", &calibration,
      "This process's Calibration: what use_calibration or calibrate gave it, else this machine's kept one, else\n"
      "the default.");
  module.def("calibration_source", &calibration_source, "Where it comes from: a file, \"the program\", or \"\".");
  module.def("kept_calibration", &kept_calibration, "The file of this machine's calibration.");
  module.def("use_calibration", &use_calibration, py::arg("calibration"), "Makes this process choose plans by it.");
  module.def(
      "measured_calibration", [](int most) { return measured(most, [](int n) { return measured_calibration(n); }); },
      py::arg("most_readings") = 20, "Measures this machine (seconds; for a quiet one) and gives its Calibration.");
  module.def(
      "calibrate", [](int most) { return measured(most, [](int n) { return calibrate(n); }); },
      py::arg("most_readings") = 20,
      "Measures, makes this process choose by it, and keeps it where readings agree, as `kinetree calibrate` does.");
}

}  // namespace kinetree::python
