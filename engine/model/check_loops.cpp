#include "engine/model/check_loops.hpp"

#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/model/joint_positions.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/mimic_joints.hpp"
#include "engine/model/number_checks.hpp"

namespace kinetree::inline inner {
namespace {

class LoopChecker : NumberChecks {
 public:
  LoopChecker(Description& d, std::vector<Finding>& findings)
      : NumberChecks(d.file, findings), d_(d), findings_(findings) {
    for (const BodyDescription& b : d_.bodies) {
      bodies_.emplace(b.name, &b);
      joints_.emplace(b.joint.name, &b.joint);
    }
  }

  void run() {
    for (LoopDescription& loop : d_.loops) check_loop(loop);
    for (CouplingDescription& coupling : d_.couplings) check_coupling(coupling);
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : d_.independent) {
      if (joints_.count(name) == 0)
        say(Severity::error, 0, "independent",
            "joint \"" + name + "\" is no joint of this model; give a joint's name" + nearest_joint(name));
      if (!seen.insert(name).second) say(Severity::error, 0, "independent", "joint \"" + name + "\" is named twice");
    }
    JointPositionChecks(d_, findings_).check("assembled", d_.assembled);
  }

 private:
  std::string nearest_joint(const std::string& name) const {
    return nearest_of(
        name, d_.bodies, [](const BodyDescription& b) { return b.joint.name; }, findings_.size());
  }

  void unique(const std::string& kind, const std::string& name, int line) {
    const std::string element = kind + " \"" + name + "\"";
    if (name.empty()) say(Severity::error, line, kind, "has no name; give every " + kind + " one");
    if (!names_.insert(kind + " " + name).second && !name.empty())
      say(Severity::error, line, element, "the name is taken by another " + kind + "; names must be unique");
  }

  void check_loop(LoopDescription& loop) {
    unique("loop", loop.name, loop.line);
    const std::string element = "loop \"" + loop.name + "\"";
    const auto type = loop_type_named(loop.type);
    if (!type) {
      std::string known;
      for (std::string_view name : loop_type_names) known += (known.empty() ? "" : ", ") + std::string(name);
      say(Severity::error, loop.line, element,
          "unknown type \"" + loop.type + "\"" + if_meant(loop.type, loop_type_names) + "; known are " + known);
    }
    for (LoopDescription::End* end : {&loop.first, &loop.second}) {
      if (end->body != "world" && bodies_.count(end->body) == 0)
        say(Severity::error, loop.line, element,
            "\"" + end->body + "\" is no link of this model; give a link's name, or world" +
                nearest_of(
                    end->body, d_.bodies, [](const BodyDescription& b) { return b.name; }, findings_.size()));
      check_placement(loop.line, element, end == &loop.first ? "first frame" : "second frame", end->frame);
    }
    if (loop.first.body == loop.second.body)
      say(Severity::error, loop.line, element,
          "both ends are on \"" + loop.first.body + "\"; a loop closes between two bodies");
    if (!type || !has_axis(*type)) return;
    const bool good = check_axis(loop.line, element, "axis", loop.axis);
    if (*type != LoopType::universal) return;
    if (!loop.axis2)
      say(Severity::error, loop.line, element, "has no axis2; a universal loop takes axis and axis2");
    else if (check_axis(loop.line, element, "axis2", *loop.axis2) && good && parallel(loop.axis, *loop.axis2))
      say(Severity::error, loop.line, element, "axis and axis2 are parallel; give two different axes");
  }

  void check_coupling(const CouplingDescription& coupling) {
    unique("coupling", coupling.name, coupling.line);
    const std::string element = "coupling \"" + coupling.name + "\"";
    finite(coupling.line, element, "offset", &coupling.offset, 1);
    if (coupling.terms.empty())
      say(Severity::error, coupling.line, element, "has no terms; give terms: {joint: coefficient, ...}");
    std::unordered_set<std::string_view> seen;
    for (const CouplingDescription::Term& term : coupling.terms) {
      const std::string joint = "joint \"" + term.joint + "\"";
      if (!seen.insert(term.joint).second)
        say(Severity::error, coupling.line, element, joint + " stands in it twice; give each joint one coefficient");
      if (finite(coupling.line, element, "coefficient", &term.coefficient, 1) &&
          finite_powers(coupling.line, element, joint, term) && term.coefficient == 0 && term.linear())
        say(Severity::error, coupling.line, element, "the coefficient of " + joint + " is 0; leave the joint out");
      const auto found = joints_.find(term.joint);
      if (found == joints_.end()) {
        say(Severity::error, coupling.line, element,
            joint + " is no joint of this model; give a joint's name" + nearest_joint(term.joint));
        continue;
      }
      const auto type = joint_type_named(found->second->type);
      if (type && velocity_count(*type) != 1)
        say(Severity::error, coupling.line, element,
            joint + " is " + found->second->type + " with " + std::to_string(velocity_count(*type)) +
                " freedoms; a coupling takes joints of one freedom");
    }
  }

  bool finite_powers(int line, const std::string& element, const std::string& joint,
                     const CouplingDescription::Term& term) {
    const char* const name[] = {"second", "third", "fourth"};
    for (std::size_t k = 0; k < term.powers.size(); ++k) {
      const std::string field = std::string("the factor of the ") + name[k] + " power of " + joint;
      if (!finite(line, element, field.c_str(), &term.powers[k], 1)) return false;
    }
    return true;
  }

  Description& d_;
  std::vector<Finding>& findings_;
  std::unordered_map<std::string_view, const BodyDescription*> bodies_;
  std::unordered_map<std::string_view, const JointDescription*> joints_;
  std::unordered_set<std::string> names_;
};

}  // namespace

void check_loops(Description& description, const LoadOptions& options, std::vector<Finding>& findings) {
  take_mimic_joints(description, options, findings);
  const Description& d = description;
  if (d.loops.empty() && d.couplings.empty() && d.independent.empty() && d.assembled.empty()) return;
  LoopChecker(description, findings).run();
}

}  // namespace kinetree::inline inner
