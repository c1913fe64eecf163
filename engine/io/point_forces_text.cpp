#include "engine/io/point_forces_text.hpp"

#include "engine/io/yaml_text.hpp"

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

std::string end_text(const PointForceDescription::End& end) {
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

std::string inner::text_of(const PointForceDescription& f) {
  YamlMap map;
  map.add("name", yaml_word(f.name));
  const auto number = [&map](const char* key, double x) {
    if (x != 0) map.add(key, yaml_number(x));
  };
  number("stiffness", f.stiffness), number("length", f.length), number("damping", f.damping);
  number("force", f.force);
  return map.add("between", "[" + end_text(f.first) + ", " + end_text(f.second) + "]").text();
}

}  // namespace kinetree
