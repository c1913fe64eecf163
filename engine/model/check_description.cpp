#include "check_description.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <unordered_map>

namespace kinetree {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

class Checker {
 public:
  Checker(Description& d, const LoadOptions& options, std::vector<Finding>& findings)
      : d_(d), options_(options), findings_(findings) {}

  Topology run() {
    if (d_.bodies.empty()) say(Severity::error, 0, "model", "has no bodies; give at least one");
    finite(0, "model", "gravity", d_.gravity.data(), 3);
    for (BodyDescription& body : d_.bodies) {
      check_joint(body);
      check_inertial(body);
    }
    free_the_base();
    names();
    return topology();
  }

 private:
  void say(Severity severity, int line, std::string element, std::string message) {
    findings_.push_back({severity, d_.file, line, std::move(element), std::move(message)});
  }
  static std::string joint_called(const BodyDescription& b) { return "joint \"" + b.joint.name + "\""; }
  static std::string link_called(const BodyDescription& b) { return "link \"" + b.name + "\""; }

  bool finite(int line, const std::string& element, const char* field, const double* x, int count) {
    for (int k = 0; k < count; ++k)
      if (!std::isfinite(x[k])) {
        const std::string place = count > 1 ? " (number " + std::to_string(k + 1) + ")" : "";
        say(Severity::error, line, element, field + place + " is " + number(x[k]) + "; give finite numbers");
        return false;
      }
    return true;
  }

  void check_quaternion(int line, const std::string& element, std::array<double, 4>& q) {
    double norm = 0;
    for (double x : q) norm += x * x;
    norm = std::sqrt(norm);
    if (norm < 1e-12) {
      say(Severity::error, line, element, "quaternion has length zero; give a unit quaternion");
      return;
    }
    if (!std::isfinite(norm)) {
      say(Severity::error, line, element, "quaternion is too long to be normalized; give a unit quaternion");
      return;
    }
    if (std::abs(norm - 1) > 1e-6)
      say(Severity::notice, line, element, "quaternion of length " + number(norm) + " was normalized");
    for (double& x : q) x /= norm;
  }

  bool check_axis(int line, const std::string& element, const char* field, Numbers3& axis) {
    if (!finite(line, element, field, axis.data(), 3)) return false;
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (length < 1e-12) {
      say(Severity::error, line, element, std::string(field) + " [0, 0, 0] has length zero; give a direction");
      return false;
    }
    if (!std::isfinite(length)) {
      say(Severity::error, line, element, std::string(field) + " is too long to be normalized; give a unit vector");
      return false;
    }
    if (std::abs(length - 1) > 1e-9)
      say(Severity::notice, line, element, std::string(field) + " of length " + number(length) + " was normalized");
    for (double& x : axis) x /= length;
    return true;
  }

  void check_joint(BodyDescription& body) {
    JointDescription& j = body.joint;
    const std::string element = joint_called(body);
    const auto type = joint_type_named(j.type);
    if (!type) {
      std::string known;
      for (std::string_view name : joint_type_names) known += (known.empty() ? "" : ", ") + std::string(name);
      say(Severity::error, j.line, element, "unknown type \"" + j.type + "\"; known are " + known);
    }
    if (finite(j.line, element, "origin", j.origin.xyz.data(), 3) &&
        finite(j.line, element, "origin's orientation", j.origin.quaternion.data(), 4))
      check_quaternion(j.line, element, j.origin.quaternion);
    finite(j.line, element, "pitch", &j.pitch, 1);
    if (type && has_axis(*type)) {
      const bool good = check_axis(j.line, element, "axis", j.axis);
      if (*type == JointType::universal) {
        if (!j.axis2) {
          say(Severity::error, j.line, element, "has no axis2; a universal joint takes axis and axis2");
        } else if (check_axis(j.line, element, "axis2", *j.axis2) && good) {
          const double c = j.axis[0] * (*j.axis2)[0] + j.axis[1] * (*j.axis2)[1] + j.axis[2] * (*j.axis2)[2];
          if (std::abs(c) > 1 - 1e-8)
            say(Severity::error, j.line, element, "axis and axis2 are parallel; give two different axes");
        }
      }
    }
    if (j.mimic) {
      if (type == JointType::fixed)
        say(Severity::notice, j.line, element, "mimic on a fixed joint has no effect");
      else if (options_.ignore_mimic)
        say(Severity::notice, j.line, element, "mimics \"" + j.mimic->joint + "\"; made independent as asked");
      else
        say(Severity::error, j.line, element,
            "mimics \"" + j.mimic->joint +
                "\": coupled joints are not supported yet; --ignore-mimic "
                "(LoadOptions::ignore_mimic) makes it independent");
    }
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

  void names() {
    std::unordered_map<std::string_view, int> joints;
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
        "the name is taken by another " + kind + (first > 0 ? " (line " + std::to_string(first) + ")" : "") +
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
      root->joint.name = "floating_base";
      root->joint.mimic.reset();
    }
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
              "its parent \"" + b.parent + "\" is no link of this model; give a link's name, or world");
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
  std::unordered_map<std::string_view, int> bodies_;  ///< the first of each name
};

}  // namespace

Topology check_description(Description& description, const LoadOptions& options, std::vector<Finding>& findings) {
  return Checker(description, options, findings).run();
}

}  // namespace kinetree
