#include "engine/model/check_description.hpp"

#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <memory_resource>
#include <string_view>
#include <unordered_map>

#include "engine/model/check_loops.hpp"
#include "engine/model/check_point_forces.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/joint_numbers.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/names.hpp"
#include "engine/model/number_checks.hpp"
#include "engine/model/shapes.hpp"

namespace kinetree::inline inner {
namespace {

/// Its entries stand together: one by one freed, each would leave a hole that nothing later fills, and of a large model
/// these come to 0.1 kB a body.
using IndexOfNames = std::pmr::unordered_map<std::string_view, int>;

class Checker : NumberChecks {
 public:
  Checker(Description& d, const LoadOptions& options, std::vector<Finding>& findings)
      : NumberChecks(d.file, findings), d_(d), options_(options), findings_(findings) {}

  Topology run() {
    if (d_.bodies.empty()) say(Severity::error, 0, "model", "has no bodies; give at least one");
    finite(0, "model", "gravity", d_.gravity.data(), 3);
    for (BodyDescription& body : d_.bodies) {
      check_joint(body);
      check_inertial(body);
      for (ShapeDescription& shape : body.visuals) check_shape(body, "visual", shape);
      for (ShapeDescription& shape : body.collisions) check_shape(body, "collision", shape);
    }
    free_the_base();
    names();
    for (SensorDescription& sensor : d_.sensors) check_sensor(sensor);
    check_forces();
    return topology();
  }

 private:
  static std::string joint_called(const BodyDescription& b) { return "joint \"" + b.joint.name + "\""; }
  static std::string link_called(const BodyDescription& b) { return "link \"" + b.name + "\""; }

  void check_joint(BodyDescription& body) {
    JointDescription& j = body.joint;
    const std::string element = joint_called(body);
    const auto type = joint_type_named(j.type);
    if (!type) {
      std::string known;
      for (std::string_view name : joint_type_names) known += (known.empty() ? "" : ", ") + std::string(name);
      say(Severity::error, j.line, element,
          "unknown type \"" + j.type + "\"" + if_meant(j.type, joint_type_names) + "; known are " + known);
    }
    check_placement(j.line, element, "origin", j.origin);
    for (const JointNumber& own : joint_numbers) finite(j.line, element, own.key.data(), &(j.*own.number), 1);
    if (type && has_axis(*type)) {
      const bool good = check_axis(j.line, element, "axis", j.axis);
      if (facts_of(*type).second_axis) {
        if (!j.axis2) {
          say(Severity::error, j.line, element, "has no axis2; a universal joint takes axis and axis2");
        } else if (check_axis(j.line, element, "axis2", *j.axis2) && good) {
          if (parallel(j.axis, *j.axis2))
            say(Severity::error, j.line, element, "axis and axis2 are parallel; give two different axes");
        }
      }
    }
    if (finite(j.line, element, "armature", &j.armature, 1) && j.armature < 0)
      say(Severity::error, j.line, element, "armature " + number(j.armature) + " is negative; give an inertia >= 0");
    if (type) JointNumberChecks(d_.file, findings_).check(j, *type);
  }

  void check_inertial(BodyDescription& body) {
    if (!body.inertial) return;
    InertialDescription& i = *body.inertial;
    const std::string element = link_called(body);
    const int line = i.line > 0 ? i.line : body.line;
    bool good = finite(line, element, "mass", &i.mass, 1);
    good = finite(line, element, "inertia", i.inertia.data(), 6) && good;
    good = finite(line, element, "centre of mass", i.frame.xyz.data(), 3) && good;
    if (finite(line, element, "inertia's orientation", i.frame.quaternion.data(), 4))
      check_quaternion(line, element, i.frame.quaternion);
    if (good && i.mass < 0)
      say(Severity::error, line, element, "mass " + number(i.mass) + " is negative; give a mass >= 0");
    bool any = false;
    for (double x : i.inertia) any = any || x != 0;
    if (good && i.mass == 0 && any)
      say(Severity::warning, line, element, "has rotational inertia but mass 0; give a mass, or leave out the inertia");
  }

  void check_shape(const BodyDescription& body, const std::string& kind, ShapeDescription& shape) {
    const std::string element = link_called(body) + ", " + kind + (shape.name.empty() ? "" : " \"" + shape.name + "\"");
    if (const std::string fault = fault_of_shape(shape); !fault.empty())
      say(Severity::error, shape.line > 0 ? shape.line : body.line, element, fault);
    else
      check_quaternion(shape.line, element, shape.frame.quaternion);
  }

  void check_forces() {
    if (d_.forces.empty()) return;
    std::vector<std::string> links;
    for (const BodyDescription& body : d_.bodies) links.push_back(body.name);
    check_point_forces(d_.forces, links, d_.file, findings_);
  }

  void check_sensor(SensorDescription& sensor) {
    const std::string element = "sensor \"" + sensor.name + "\"";
    check_placement(sensor.line, element, "frame", sensor.frame);
    if (sensor.link != "world" && bodies_.count(sensor.link) == 0)
      say(Severity::error, sensor.line, element,
          "its link \"" + sensor.link + "\" is no link of this model; give a link's name, or world" +
              nearest_link(sensor.link));
  }

  std::string nearest_link(const std::string& name) const {
    return nearest_of(
        name, d_.bodies, [](const BodyDescription& b) { return b.name; }, findings_.size());
  }

  void names() {
    std::pmr::monotonic_buffer_resource room;
    IndexOfNames joints(&room);
    joints.reserve(d_.bodies.size());
    bodies_.reserve(d_.bodies.size());
    for (int k = 0; k < static_cast<int>(d_.bodies.size()); ++k) {
      BodyDescription& b = d_.bodies[static_cast<std::size_t>(k)];
      if (b.name.empty()) say(Severity::error, b.line, "link", "has no name; give every link one");
      if (b.name == "world")
        say(Severity::error, b.line, link_called(b), "the name stands for the ground; give another");
      const auto [first, fresh] = bodies_.emplace(b.name, k);
      if (!fresh && !b.name.empty())
        taken(link_called(b), "link", d_.bodies[static_cast<std::size_t>(first->second)].line, b.line);
      if (b.joint.name.empty() && b.joint.type == "fixed") continue;  // a link on the ground needs no joint's name
      if (b.joint.name.empty())
        say(Severity::error, b.joint.line, link_called(b), "its joint has no name; give every joint one");
      const auto [same, new_joint] = joints.emplace(b.joint.name, k);
      if (!new_joint && !b.joint.name.empty())
        taken(joint_called(b), "joint", d_.bodies[static_cast<std::size_t>(same->second)].joint.line, b.joint.line);
    }
  }

  /// The later of the two lines is at fault: a Description need not have the file's order.
  void taken(const std::string& element, const std::string& kind, int line, int other) {
    const int first = std::min(line, other);
    say(Severity::error, std::max(line, other), element,
        "the name is taken by another " + kind + (first > 0 ? " (" + line_text(d_, first) + ")" : "") +
            "; names must be unique");
  }

  void free_the_base() {
    if (!options_.floating_base) return;
    BodyDescription* root = nullptr;
    int roots = 0;
    for (BodyDescription& b : d_.bodies)
      if (b.parent == "world") root = &b, ++roots;
    if (roots != 1) {
      say(Severity::error, 0, "model", "a floating base needs one root link; this model has " + std::to_string(roots));
    } else if (root->joint.type == "floating") {
      say(Severity::error, root->joint.line, joint_called(*root),
          "the model has a floating root already; leave out --floating");
    } else if (root->joint.type != "fixed") {
      say(Severity::error, root->joint.line, joint_called(*root),
          "the root link \"" + root->name +
              "\" moves by this joint; a floating base needs a root link fixed to the world");
    } else {
      root->joint.type = "floating";
      root->joint.name = name_of_the_base(*root);
      root->joint.mimic.reset();
    }
  }

  /// The first of floating_base, floating_base_2, ... that no joint and no link has.
  std::string name_of_the_base(const BodyDescription& root) {
    static const std::string wanted = "floating_base";
    Names used;
    const char* holder = nullptr;
    int line = 0;
    const auto take = [&](const std::string& name, const char* kind, int at_line) {
      used.take(name);
      if (name == wanted) holder = kind, line = at_line;
    };
    for (const BodyDescription& b : d_.bodies) {
      take(b.name, "link", b.line);
      if (&b != &root) take(b.joint.name, "joint", b.joint.line);
    }
    std::string name = used.make(wanted);
    if (holder != nullptr)
      say(Severity::notice, line, std::string(holder) + " \"" + wanted + "\"",
          "has the name that the base's joint would get, so that joint is called \"" + name + "\"");
    return name;
  }

  Topology topology() {
    const auto n = d_.bodies.size();
    Topology t;
    t.parent.assign(n, -1);
    std::vector<int> first_child(n + 1, -1), next(n, -1);  // the last: the world's
    bool good = true;
    for (std::size_t k = n; k-- > 0;) {
      const BodyDescription& b = d_.bodies[k];
      if (b.parent != "world") {
        const auto p = bodies_.find(b.parent);
        good = good && p != bodies_.end();
        if (p != bodies_.end())
          t.parent[k] = p->second;
        else  // taken as a root, so that cycles are still told apart
          say(Severity::error, b.joint.line, joint_called(b),
              "its parent \"" + b.parent + "\" is no link of this model; give a link's name, or world" +
                  nearest_link(b.parent));
      }
      int& first = first_child[t.parent[k] < 0 ? n : static_cast<std::size_t>(t.parent[k])];
      next[k] = first;
      first = static_cast<int>(k);
    }
    std::vector<int> stack{first_child[n]};
    std::vector<bool> seen(n, false);
    while (!stack.empty()) {
      const int k = stack.back();
      stack.pop_back();
      if (k < 0) continue;
      seen[static_cast<std::size_t>(k)] = true;
      t.order.push_back(k);
      stack.push_back(next[static_cast<std::size_t>(k)]);
      stack.push_back(first_child[static_cast<std::size_t>(k)]);
    }
    good = good && t.order.size() == n;
    if (t.order.size() < n) report_cycles(t.parent, seen);
    return good ? t : Topology{};
  }

  /// Links that the world does not reach hang in a cycle, or from one.
  void report_cycles(const std::vector<int>& parent, const std::vector<bool>& seen) {
    const auto n = d_.bodies.size();
    std::vector<int> mark(n, -1);
    for (std::size_t start = 0; start < n; ++start) {
      if (seen[start] || mark[start] >= 0) continue;
      std::size_t k = start;
      for (; mark[k] < 0; k = static_cast<std::size_t>(parent[k])) mark[k] = static_cast<int>(start);
      if (mark[k] != static_cast<int>(start)) continue;
      // from parent to child reads naturally, but the way goes from child to parent; a long ring is cut short
      constexpr int most_names = 8;
      const std::string& name = d_.bodies[k].name;
      std::string ring = name;
      auto m = static_cast<std::size_t>(parent[k]);
      for (int count = 0; m != k && count < most_names; ++count, m = static_cast<std::size_t>(parent[m]))
        ring = d_.bodies[m].name + " -> " + ring;
      if (m != k) ring = "... -> " + ring;
      say(Severity::error, d_.bodies[k].joint.line, joint_called(d_.bodies[k]),
          "closes a cycle of parents: " + name + " -> " + ring + "; one of them must hang from the world");
    }
  }

  Description& d_;
  const LoadOptions& options_;
  std::vector<Finding>& findings_;
  std::pmr::monotonic_buffer_resource room_;
  IndexOfNames bodies_{&room_};  ///< the first of each name
};

}  // namespace

Topology check_description(Description& description, const LoadOptions& options, std::vector<Finding>& findings) {
  Topology topology = Checker(description, options, findings).run();
  check_loops(description, options, findings);
  return topology;
}

}  // namespace kinetree::inline inner
