#include "engine/io/point_forces_text.hpp"

#include <kinetree/point_forces_from.hpp>

#include "engine/io/yaml_text.hpp"
#include "engine/model/file_text.hpp"

namespace kinetree {
namespace {

using YAML::Node;

void read_end(const Node& node, const std::string& element, YamlReading& yaml, PointForceDescription::End& end) {
  yaml.entries(node, element, {"body", "xyz"}, [&](const std::string& key, const Node& value) {
    if (key == "body")
      yaml.text(value, element, key, end.body);
    else
      yaml.numbers(value, element, key, end.xyz.data(), 3);
  });
  if (node.IsMap() && !node["body"]) yaml.error(node, element, "an end has no body; give a link's name, or world");
}

std::string text_of(const PointForceDescription::End& end) {
  YamlMap map;
  map.add("body", yaml_word(end.body));
  if (end.xyz != Numbers3{0, 0, 0}) map.add("xyz", yaml_list(end.xyz));
  return map.text();
}

}  // namespace

void inner::read_point_force(const Node& node, YamlReading& yaml, std::vector<PointForceDescription>& forces) {
  PointForceDescription f;
  f.line = YamlReading::line_of(node);
  if (node.IsMap() && node["name"] && node["name"].IsScalar()) f.name = node["name"].Scalar();
  const std::string element = "force \"" + f.name + "\"";
  bool ends = false;
  yaml.entries(node, element, {"name", "between", "stiffness", "length", "damping", "force"},
               [&](const std::string& key, const Node& value) {
                 if (key == "name") {
                   yaml.text(value, element, key, f.name);
                 } else if (key != "between") {
                   yaml.number(value, element, key,
                               key == "stiffness" ? f.stiffness
                               : key == "length"  ? f.length
                               : key == "damping" ? f.damping
                                                  : f.force);
                 } else if (value.IsSequence() && value.size() == 2) {
                   ends = true;
                   read_end(value[0], element, yaml, f.first);
                   read_end(value[1], element, yaml, f.second);
                 }
               });
  if (!node.IsMap()) return;
  if (!ends)
    return yaml.error(node, element, "has no two ends; give between: [{body, xyz: [x, y, z]}, {body, xyz: [x, y, z]}]");
  if (!f.first.body.empty() && !f.second.body.empty()) forces.push_back(std::move(f));
}

PointForcesReading read_point_forces_text(const std::string& text, const std::string& name) {
  PointForcesReading reading;
  YamlReading yaml(name, reading.findings);
  yaml.document(text, [&](const Node& root) {
    if (!root.IsMap() || !root["forces"]) return;
    const Node list = root["forces"];
    if (!list.IsSequence()) return yaml.error(list, "forces", "is not a list");
    for (const Node& force : list) read_point_force(force, yaml, reading.forces);
  });
  return reading;
}

PointForcesReading read_point_forces(const std::filesystem::path& file) {
  std::vector<Finding> findings;
  const std::string text =
      file_text(file, {.element = "file", .advice = "give a YAML file with forces between points"}, findings);
  return has_error(findings) ? PointForcesReading{{}, std::move(findings)}
                             : read_point_forces_text(text, file.string());
}

std::string yaml_text(const std::vector<PointForceDescription>& forces) {
  std::string text;
  for (const PointForceDescription& f : forces) {
    YamlMap map;
    map.add("name", yaml_word(f.name));
    const auto number = [&map](const char* key, double x) {
      if (x != 0) map.add(key, yaml_number(x));
    };
    number("stiffness", f.stiffness), number("length", f.length), number("damping", f.damping);
    number("force", f.force);
    map.add("between", "[" + text_of(f.first) + ", " + text_of(f.second) + "]");
    text += "  - " + map.text() + "\n";
  }
  return text.empty() ? text : "forces:\n" + text;
}

}  // namespace kinetree
