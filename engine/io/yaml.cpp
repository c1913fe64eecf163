// kinetree's own YAML models (docs/using.md).
#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>

#include "engine/io/loops_text.hpp"
#include "engine/io/point_forces_text.hpp"
#include "engine/io/yaml_reading.hpp"
#include "engine/model/passive_notice.hpp"

namespace kinetree {
namespace {

using YAML::Node;

std::string all_types() {
  std::string all;
  for (std::string_view name : joint_type_names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

/// The types that a fact holds of, as a sentence has them.
std::string types_with(bool JointFacts::*fact) {
  std::string all;
  for (const JointFacts& facts : joint_facts)
    if (facts.*fact) all += (all.empty() ? "" : ", ") + std::string(facts.name);
  return all + " joints";
}

class ModelReader {
 public:
  ModelReader(const std::string& name, YamlReading::Keys known)
      : known_(std::move(known)), yaml_(name, reading_.findings) {
    reading_.description.file = name;
  }

  Reading read(const std::string& text) {
    yaml_.document(text, [this](const Node& root) { read_root(root); });
    return std::move(reading_);
  }

 private:
  void read_root(const Node& root) {
    Description& d = reading_.description;
    yaml_.entries(root, "model", known_, [&](const std::string& key, const Node& value) {
      if (key == "name") {
        yaml_.text(value, "model", key, d.name);
      } else if (key == "gravity") {
        yaml_.numbers(value, "model", key, d.gravity.data(), 3);
      } else if (key == "bodies") {
        if (!value.IsSequence()) return yaml_.error(value, "bodies", "is not a list");
        for (const Node& body : value) read_body(body);
      } else if (key == "assembled") {
        read_assembled(value);
      } else if (!value.IsSequence()) {
        yaml_.error(value, key, "is not a list");
      } else if (key == "sensors") {
        for (const Node& sensor : value) read_sensor(sensor);
      } else if (key == "loops") {
        for (const Node& loop : value) read_loop(loop);
      } else if (key == "couplings") {
        for (const Node& coupling : value) read_coupling(coupling);
      } else if (key == "forces") {
        for (const Node& force : value) read_point_force(force, yaml_, d.forces);
      } else {
        for (const Node& joint : value) yaml_.text(joint, "model", key, d.independent.emplace_back());
      }
    });
  }

  void read_body(const Node& node) {
    BodyDescription b;
    b.line = node.Mark().line + 1;
    if (node.IsMap() && node["name"] && node["name"].IsScalar()) b.name = node["name"].Scalar();
    const std::string element = "link \"" + b.name + "\"";
    bool has_parent = false, has_joint = false;
    yaml_.entries(node, element, {"name", "parent", "joint", "inertial", "visuals", "collisions"},
                  [&](const std::string& key, const Node& value) {
                    if (key == "name") {
                      yaml_.text(value, element, key, b.name);
                    } else if (key == "parent") {
                      has_parent = yaml_.text(value, element, key, b.parent);
                    } else if (key == "joint") {
                      has_joint = true;
                      read_joint(value, b.joint);
                    } else if (key == "inertial") {
                      b.inertial = read_inertial(value, element);
                    } else if (!value.IsSequence()) {
                      yaml_.error(value, element, key + " is " + YamlReading::kind(value) + "; give a list of shapes");
                    } else {
                      for (const Node& shape : value)
                        (key == "visuals" ? b.visuals : b.collisions).push_back(read_shape(shape, element));
                    }
                  });
    if (!node.IsMap()) return;
    if (!has_parent) yaml_.error(node, element, "has no parent; give a link's name, or world");
    if (!has_joint) yaml_.error(node, element, "has no joint; give joint: {name, type, ...}");
    // kept all the same, so that what hangs from it is not said to hang from nothing
    if (!has_parent) b.parent = "world";
    if (!has_joint) b.joint.type = "fixed";
    reading_.description.bodies.push_back(std::move(b));
  }

  void read_joint(const Node& node, JointDescription& j) {
    j.line = node.Mark().line + 1;
    if (node.IsMap() && node["name"] && node["name"].IsScalar()) j.name = node["name"].Scalar();
    const std::string element = "joint \"" + j.name + "\"";
    bool has_type = false, has_axis_key = false;
    std::vector<std::string_view> known{"name",    "type",     "axis",      "axis2",     "origin", "armature",
                                        "damping", "friction", "stiffness", "reference", "limits"};
    for (const JointNumber& own : joint_numbers) known.push_back(own.key);
    yaml_.entries(node, element, known, [&](const std::string& key, const Node& value) {
      const auto own = std::ranges::find(joint_numbers, key, &JointNumber::key);
      if (own != joint_numbers.end()) {
        yaml_.number(value, element, key, j.*own->number);
      } else if (key == "name") {
        yaml_.text(value, element, key, j.name);
      } else if (key == "type") {
        has_type = yaml_.text(value, element, key, j.type);
      } else if (key == "axis") {
        has_axis_key = true;
        yaml_.numbers(value, element, key, j.axis.data(), 3);
      } else if (key == "axis2") {
        j.axis2.emplace();
        yaml_.numbers(value, element, key, j.axis2->data(), 3);
      } else if (key == "origin") {
        j.origin = read_placement(value, element);
      } else if (key == "armature") {
        yaml_.number(value, element, key, j.armature);
      } else if (key == "limits") {
        read_limits(value, element, j.limits);
      } else {
        read_list(value, element, key,
                  key == "damping"     ? j.passive.damping
                  : key == "friction"  ? j.passive.friction
                  : key == "stiffness" ? j.passive.stiffness
                                       : j.passive.reference);
      }
    });
    if (!node.IsMap()) return;
    if (!has_type) {
      yaml_.error(node, element, "has no type; known are " + all_types());
      j.type = "fixed";
      return;
    }
    const auto type = joint_type_named(j.type);
    if (type && has_axis(*type) && !has_axis_key)
      yaml_.error(node, element, "has no axis; a " + j.type + " joint takes axis: [x, y, z]");
    if (type && !has_axis(*type) && has_axis_key)
      yaml_.error(node, element, "has an axis; a " + j.type + " joint takes none");
    if (type && !facts_of(*type).second_axis && j.axis2)
      yaml_.error(
          node, element,
          "has axis2, which belongs to " + types_with(&JointFacts::second_axis) + " only; its type is " + j.type);
    for (const JointNumber& own : joint_numbers)
      if (type && !(facts_of(*type).*own.given) && j.*own.number != JointDescription{}.*own.number)
        yaml_.error(node, element,
                    "has a " + std::string(own.key) + ", which belongs to " + types_with(own.given) +
                        " only; its type is " + j.type);
  }

  /// A number, or a list of them.
  void read_list(const Node& node, const std::string& element, const std::string& key, std::vector<double>& out) {
    for (const Node& x : yaml_.values(node, element, key)) yaml_.number(x, element, key, out.emplace_back());
  }

  void read_limits(const Node& node, const std::string& element, LimitsDescription& l) {
    yaml_.entries(node, element, {"lower", "upper", "velocity", "effort"},
                  [&](const std::string& key, const Node& value) {
                    read_list(value, element, key,
                              key == "lower"      ? l.lower
                              : key == "upper"    ? l.upper
                              : key == "velocity" ? l.velocity
                                                  : l.effort);
                  });
  }

  void read_loop(const Node& node) {
    LoopDescription loop;
    loop.line = node.Mark().line + 1;
    if (node.IsMap() && node["name"] && node["name"].IsScalar()) loop.name = node["name"].Scalar();
    const std::string element = "loop \"" + loop.name + "\"";
    bool has_type = false, has_axis_key = false, has_ends = false;
    yaml_.entries(node, element, {"name", "type", "axis", "axis2", "between"},
                  [&](const std::string& key, const Node& value) {
                    if (key == "name") {
                      yaml_.text(value, element, key, loop.name);
                    } else if (key == "type") {
                      has_type = yaml_.text(value, element, key, loop.type);
                    } else if (key == "axis") {
                      has_axis_key = true;
                      yaml_.numbers(value, element, key, loop.axis.data(), 3);
                    } else if (key == "axis2") {
                      loop.axis2.emplace();
                      yaml_.numbers(value, element, key, loop.axis2->data(), 3);
                    } else if (value.IsSequence() && value.size() == 2) {
                      has_ends = true;
                      read_end(value[0], element, loop.first);
                      read_end(value[1], element, loop.second);
                    }
                  });
    if (!node.IsMap()) return;
    if (!has_type) return yaml_.error(node, element, "has no type; give what stays free, e.g. type: revolute");
    if (!has_ends)
      return yaml_.error(node, element, "has no two ends; give between: [{body, xyz, ...}, {body, xyz, ...}]");
    const auto type = loop_type_named(loop.type);
    if (type && has_axis(*type) && !has_axis_key)
      yaml_.error(node, element, "has no axis; a " + loop.type + " loop takes axis: [x, y, z]");
    if (type && !has_axis(*type) && has_axis_key)
      yaml_.error(node, element, "has an axis; a " + loop.type + " loop takes none");
    if (type && *type != LoopType::universal && loop.axis2)
      yaml_.error(node, element, "has axis2, which belongs to universal loops only; its type is " + loop.type);
    reading_.description.loops.push_back(std::move(loop));
  }

  void read_end(const Node& node, const std::string& element, LoopDescription::End& end) {
    end.frame = read_placement(node, element, {"body"}, [&](const std::string& key, const Node& value) {
      yaml_.text(value, element, key, end.body);
    });
    if (node.IsMap() && end.body.empty())
      yaml_.error(node, element, "an end has no body; give a link's name, or world");
  }

  void read_coupling(const Node& node) {
    CouplingDescription c;
    c.line = node.Mark().line + 1;
    if (node.IsMap() && node["name"] && node["name"].IsScalar()) c.name = node["name"].Scalar();
    const std::string element = "coupling \"" + c.name + "\"";
    yaml_.entries(node, element, {"name", "terms", "offset"}, [&](const std::string& key, const Node& value) {
      if (key == "name") {
        yaml_.text(value, element, key, c.name);
      } else if (key == "offset") {
        yaml_.number(value, element, key, c.offset);
      } else if (!value.IsMap()) {
        yaml_.error(value, element, "terms is " + YamlReading::kind(value) + "; give {joint: coefficient, ...}");
      } else {  // a joint that stands twice is found when the model is checked
        for (const auto& entry : value) {
          CouplingDescription::Term& term = c.terms.emplace_back();
          yaml_.text(entry.first, element, "joint", term.joint);
          const std::string of = "the coefficient of \"" + term.joint + "\"";
          if (entry.second.IsSequence())
            read_powers(entry.second, element, of, term);
          else
            yaml_.number(entry.second, element, of, term.coefficient);
        }
      }
    });
    if (node.IsMap()) reading_.description.couplings.push_back(std::move(c));
  }

  /// Factors of a position's first to fourth power.
  void read_powers(const Node& node, const std::string& element, const std::string& of,
                   CouplingDescription::Term& term) {
    if (node.size() < 1 || node.size() > 4)
      return yaml_.error(node, element,
                         of + " is a list of " + std::to_string(node.size()) +
                             "; give a number, or one to four for the position's powers from the first");
    term.coefficient = 0;
    for (std::size_t k = 0; k < node.size(); ++k)
      yaml_.number(node[k], element, of, k == 0 ? term.coefficient : term.powers[k - 1]);
  }

  /// Joints that stand twice, and wrong numbers of positions, are found when the model is checked.
  void read_assembled(const Node& node) {
    const std::string element = "assembled";
    if (!node.IsMap())
      return yaml_.error(node, element, "is " + YamlReading::kind(node) + "; give {joint: position, ...}");
    for (const auto& entry : node) {
      JointPositions a;
      a.line = YamlReading::line_of(entry.first);
      bool good = yaml_.text(entry.first, element, "joint", a.joint);
      const std::string what = "the position of \"" + a.joint + "\"";
      for (const Node& x : yaml_.values(entry.second, element, what))
        good = yaml_.number(x, element, what, a.positions.emplace_back()) && good;
      if (good && !a.positions.empty()) reading_.description.assembled.push_back(std::move(a));
    }
  }

  ShapeDescription read_shape(const Node& node, const std::string& element) {
    ShapeDescription s;
    s.line = YamlReading::line_of(node);
    const auto more = [&](const std::string& key, const Node& value) {
      if (key == "name") yaml_.text(value, element, key, s.name);
      if (key == "type") yaml_.text(value, element, key, s.type);
      if (key == "mesh") yaml_.text(value, element, key, s.mesh);
      if (key == "size") read_list(value, element, key, s.size);
      if (key == "material") s.material = read_material(value, element);
    };
    s.frame = read_placement(node, element, {"name", "type", "size", "mesh", "material"}, more);
    return s;
  }

  MaterialDescription read_material(const Node& node, const std::string& element) {
    MaterialDescription m;
    yaml_.entries(node, element, {"name", "rgba", "texture"}, [&](const std::string& key, const Node& value) {
      if (key == "rgba")
        yaml_.numbers(value, element, key, m.rgba.emplace().data(), 4);
      else
        yaml_.text(value, element, key, key == "name" ? m.name : m.texture);
    });
    return m;
  }

  void read_sensor(const Node& node) {
    SensorDescription s;
    s.line = YamlReading::line_of(node);
    if (node.IsMap() && node["name"] && node["name"].IsScalar()) s.name = node["name"].Scalar();
    const std::string element = "sensor \"" + s.name + "\"";
    s.frame = read_placement(node, element, {"name", "type", "link"}, [&](const std::string& key, const Node& value) {
      yaml_.text(value, element, key, key == "name" ? s.name : key == "type" ? s.type : s.link);
    });
    if (node.IsMap()) reading_.description.sensors.push_back(std::move(s));
  }

  /// Reads xyz, and rpy or quat. The map may have the keys `more` too, whose values are given to `take`.
  Placement read_placement(const Node& node, const std::string& element, YamlReading::Keys more = {},
                           const std::function<void(const std::string&, const Node&)>& take = {}) {
    Placement p;
    bool rpy = false, quat = false;
    YamlReading::Keys known = more;
    known.insert(known.end(), {"xyz", "rpy", "quat"});
    yaml_.entries(node, element, known, [&](const std::string& key, const Node& value) {
      if (std::find(more.begin(), more.end(), key) != more.end()) {
        take(key, value);
      } else if (key == "xyz") {
        yaml_.numbers(value, element, key, p.xyz.data(), 3);
      } else if (key == "rpy") {
        Numbers3 angles{};
        rpy = true;
        if (yaml_.numbers(value, element, key, angles.data(), 3)) p.quaternion = quaternion_from_rpy(angles);
      } else if (key == "quat") {
        std::array<double, 4> wxyz{};
        quat = true;
        if (yaml_.numbers(value, element, key, wxyz.data(), 4)) p.quaternion = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
      }
    });
    if (rpy && quat) yaml_.error(node, element, "origin has rpy and quat; give one of them");
    return p;
  }

  InertialDescription read_inertial(const Node& node, const std::string& element) {
    InertialDescription i;
    i.line = node.Mark().line + 1;
    bool has_mass = false;
    yaml_.entries(node, element, {"mass", "com", "quat", "inertia"}, [&](const std::string& key, const Node& value) {
      if (key == "quat") {
        std::array<double, 4> wxyz{};
        if (yaml_.numbers(value, element, key, wxyz.data(), 4))
          i.frame.quaternion = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
      } else if (key == "mass") {
        has_mass = true;
        yaml_.number(value, element, key, i.mass);
      } else if (key == "com") {
        yaml_.numbers(value, element, key, i.frame.xyz.data(), 3);
      } else if (key == "inertia") {
        yaml_.numbers(value, element, key, i.inertia.data(), 6);
      }
    });
    if (node.IsMap() && !has_mass) yaml_.error(node, element, "inertial has no mass; give mass in kg");
    return i;
  }

  YamlReading::Keys known_;  ///< of the model
  Reading reading_;
  YamlReading yaml_;
};

}  // namespace

Reading read_yaml_text(const std::string& text, const std::string& name) {
  return ModelReader(
             name, {"name", "gravity", "bodies", "loops", "couplings", "forces", "independent", "assembled", "sensors"})
      .read(text);
}

Reading inner::read_loops_text(const std::string& text, const std::string& name) {
  return ModelReader(name, {"loops", "couplings", "forces", "independent", "assembled"}).read(text);
}

}  // namespace kinetree
