// A Description as kinetree's own YAML: whatever the reader (yaml.cpp) takes, and in the same words.
#include <kinetree/compose.hpp>
#include <kinetree/write_model.hpp>

#include "engine/io/point_forces_text.hpp"
#include "engine/io/yaml_text.hpp"

namespace kinetree {
namespace {

void add_placement(YamlMap& map, const Placement& p) {
  if (p.xyz != Numbers3{0, 0, 0}) map.add("xyz", yaml_list(p.xyz));
  const auto& q = p.quaternion;
  if (q != std::array<double, 4>{0, 0, 0, 1}) map.add("quat", yaml_list(std::array{q[3], q[0], q[1], q[2]}));
}

/// Adds nothing for no numbers, a number for one, a list for several.
void add_numbers(YamlMap& map, const char* key, const std::vector<double>& numbers) {
  if (!numbers.empty()) map.add(key, numbers.size() == 1 ? yaml_number(numbers[0]) : yaml_list(numbers));
}

std::string text_of(const JointDescription& j) {
  YamlMap map, origin, limits;
  if (!j.name.empty()) map.add("name", yaml_word(j.name));
  map.add("type", yaml_word(j.type));
  const auto type = joint_type_named(j.type);
  if (type && has_axis(*type)) map.add("axis", yaml_list(j.axis));
  if (j.axis2 && type && facts_of(*type).second_axis) map.add("axis2", yaml_list(*j.axis2));
  for (const JointNumber& own : joint_numbers)
    if (type && facts_of(*type).*own.given) map.add(std::string(own.key), yaml_number(j.*own.number));
  add_placement(origin, j.origin);
  if (!origin.empty()) map.add("origin", origin.text());
  if (j.armature != 0) map.add("armature", yaml_number(j.armature));
  add_numbers(map, "damping", j.passive.damping);
  add_numbers(map, "friction", j.passive.friction);
  add_numbers(map, "stiffness", j.passive.stiffness);
  add_numbers(map, "reference", j.passive.reference);
  add_numbers(limits, "lower", j.limits.lower);
  add_numbers(limits, "upper", j.limits.upper);
  add_numbers(limits, "velocity", j.limits.velocity);
  add_numbers(limits, "effort", j.limits.effort);
  if (!limits.empty()) map.add("limits", limits.text());
  return map.text();
}

std::string text_of(const InertialDescription& i) {
  YamlMap map;
  map.add("mass", yaml_number(i.mass));
  if (i.frame.xyz != Numbers3{0, 0, 0}) map.add("com", yaml_list(i.frame.xyz));
  add_placement(map, {{0, 0, 0}, i.frame.quaternion});
  if (i.inertia != std::array<double, 6>{}) map.add("inertia", yaml_list(i.inertia));
  return map.text();
}

std::string text_of(const MaterialDescription& m) {
  YamlMap map;
  if (!m.name.empty()) map.add("name", yaml_word(m.name));
  if (m.rgba) map.add("rgba", yaml_list(*m.rgba));
  if (!m.texture.empty()) map.add("texture", yaml_word(m.texture));
  return map.text();
}

std::string text_of(const ShapeDescription& s) {
  YamlMap map;
  if (!s.name.empty()) map.add("name", yaml_word(s.name));
  map.add("type", yaml_word(s.type));
  if (!s.size.empty()) map.add("size", yaml_list(s.size));
  if (!s.mesh.empty()) map.add("mesh", yaml_word(s.mesh));
  add_placement(map, s.frame);
  if (s.material) map.add("material", text_of(*s.material));
  return map.text();
}

std::string text_of(const SensorDescription& s) {
  YamlMap map;
  map.add("name", yaml_word(s.name)).add("type", yaml_word(s.type)).add("link", yaml_word(s.link));
  add_placement(map, s.frame);
  return map.text();
}

std::string text_of(const LoopDescription::End& end) {
  YamlMap map;
  map.add("body", yaml_word(end.body));
  add_placement(map, end.frame);
  return map.text();
}

std::string text_of(const LoopDescription& l) {
  YamlMap map;
  map.add("name", yaml_word(l.name)).add("type", yaml_word(l.type));
  const auto type = loop_type_named(l.type);
  if (type && has_axis(*type)) map.add("axis", yaml_list(l.axis));
  if (l.axis2 && type == LoopType::universal) map.add("axis2", yaml_list(*l.axis2));
  return map.add("between", "[" + text_of(l.first) + ", " + text_of(l.second) + "]").text();
}

std::string text_of(const CouplingDescription& c) {
  YamlMap map, terms;
  for (const CouplingDescription::Term& term : c.terms)
    terms.add(yaml_word(term.joint),
              term.linear() ? yaml_number(term.coefficient)
                            : yaml_list(std::array{term.coefficient, term.powers[0], term.powers[1], term.powers[2]}));
  map.add("name", yaml_word(c.name)).add("terms", terms.text());
  if (c.offset != 0) map.add("offset", yaml_number(c.offset));
  return map.text();
}

template <class List>
std::string section(const std::string& key, const List& list, const std::string& indent = "") {
  std::string text;
  for (const auto& one : list) text += indent + "  - " + text_of(one) + "\n";
  return text.empty() ? text : indent + key + ":\n" + text;
}

}  // namespace

std::string yaml_text(const Description& description, const LoadOptions& options) {
  (void)make_model(description, options);  // throws where something is wrong
  const Description d = as_loaded(description, options);
  std::string text = "name: " + yaml_word(d.name) + "\ngravity: " + yaml_list(d.gravity) + "\nbodies:\n";
  for (const BodyDescription& b : d.bodies) {
    text += "  - name: " + yaml_word(b.name) + "\n    parent: " + yaml_word(b.parent) +
            "\n    joint: " + text_of(b.joint) + "\n";
    if (b.inertial) text += "    inertial: " + text_of(*b.inertial) + "\n";
    text += section("visuals", b.visuals, "    ") + section("collisions", b.collisions, "    ");
  }
  text += section("loops", d.loops) + section("couplings", d.couplings) + section("forces", d.forces) +
          section("sensors", d.sensors);
  std::string names;
  for (const std::string& joint : d.independent) names += (names.empty() ? "" : ", ") + yaml_word(joint);
  if (!names.empty()) text += "independent: [" + names + "]\n";
  YamlMap assembled;
  for (const JointPositions& a : d.assembled) add_numbers(assembled, yaml_word(a.joint).c_str(), a.positions);
  if (!assembled.empty()) text += "assembled: " + assembled.text() + "\n";
  return text;
}

}  // namespace kinetree
