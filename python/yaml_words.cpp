// A description as Python's dicts, lists, texts and numbers, which kinetree.words gives attributes.

#include "python/yaml_words.hpp"

#include <yaml-cpp/yaml.h>

#include <kinetree/write_model.hpp>

#include "engine/io/yaml_reading.hpp"

namespace kinetree::python {
namespace {

/// The writer puts quotes around a text that might be taken for a number, and yaml-cpp tags it "!".
py::object plain(const YAML::Node& node) {
  if (node.IsMap()) {
    py::dict all;
    for (const auto& entry : node) all[py::str(entry.first.Scalar())] = plain(entry.second);
    return all;
  }
  if (node.IsSequence()) {
    py::list all;
    for (const auto& one : node) all.append(plain(one));
    return all;
  }
  const auto number = node.Tag() == "!" ? std::nullopt : YamlReading::real_from(node.Scalar());
  if (number) return py::float_(*number);
  return py::str(node.Scalar());
}

}  // namespace

py::object yaml_words(const Description& description) { return plain(YAML::Load(yaml_text(description))); }

}  // namespace kinetree::python
