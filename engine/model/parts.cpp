// A Description cut at a joint: the part outboard of it, and the rest.
#include <kinetree/compose.hpp>
#include <unordered_map>
#include <unordered_set>

#include "engine/model/check_description.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/number_checks.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree {
namespace {

class Cut : NumberChecks {
 public:
  Cut(const Description& d, std::vector<Finding>& findings) : NumberChecks(d.file, findings), d_(d) {}

  /// Finds the part that begins at a link, and what is on both sides.
  void find(const Topology& topology, std::string_view link) {
    std::vector<bool> outboard(d_.bodies.size(), false);
    for (const int k : topology.order) {
      const BodyDescription& b = d_.bodies[at(k)];
      const int parent = topology.parent[at(k)];
      outboard[at(k)] = b.name == link || (parent >= 0 && outboard[at(parent)]);
      if (outboard[at(k)]) links_.insert(b.name), joints_.insert(b.joint.name);
      if (b.name == link) carrier_ = b.parent;
    }
    if (links_.empty())
      return say(Severity::error, 0, "part",
                 "\"" + std::string(link) + "\" is no link of this model; give a link's name" +
                     nearest_of(link, d_.bodies, [](const BodyDescription& b) { return b.name; }));
    for (const BodyDescription& b : d_.bodies)
      if (b.joint.mimic && has_joint(b.joint.name) != has_joint(b.joint.mimic->joint))
        ties(b.joint.line, "joint \"" + b.joint.name + "\"", b.joint.name, b.joint.mimic->joint);
    for (const LoopDescription& l : d_.loops)
      if (has_end(l.first.body) != has_end(l.second.body) && !has_both(l))
        ties(l.line, "loop \"" + l.name + "\"", l.first.body, l.second.body);
    for (const PointForceDescription& f : d_.forces)
      if (has_end(f.first.body) != has_end(f.second.body) && !has_both(f))
        ties(f.line, "force \"" + f.name + "\"", f.first.body, f.second.body);
    for (const CouplingDescription& c : d_.couplings)
      for (const CouplingDescription::Term& term : c.terms)
        if (has_joint(term.joint) != has_joint(c.terms.front().joint)) {
          ties(c.line, "coupling \"" + c.name + "\"", c.terms.front().joint, term.joint);
          break;
        }
  }

  /// What is in the part (`own`), or what is not.
  Description take(bool own) const {
    Description d = d_;
    std::erase_if(d.bodies, [&](const BodyDescription& b) { return has_end(b.name) != own; });
    std::erase_if(d.loops, [&](const LoopDescription& l) { return has_both(l) != own; });
    std::erase_if(d.forces, [&](const PointForceDescription& f) { return has_both(f) != own; });
    std::erase_if(d.couplings, [&](const CouplingDescription& c) { return has_joint(c.terms.front().joint) != own; });
    std::erase_if(d.sensors, [&](const SensorDescription& s) { return has_end(s.link) != own; });
    std::erase_if(d.independent, [&](const std::string& joint) { return has_joint(joint) != own; });
    std::erase_if(d.assembled, [&](const JointPositions& a) { return has_joint(a.joint) != own; });
    if (!own) return d;
    const auto ground = [&](std::string& link) {
      if (!has_end(link)) link = "world";
    };
    for (BodyDescription& b : d.bodies) ground(b.parent);
    for (LoopDescription& l : d.loops) ground(l.first.body), ground(l.second.body);
    for (PointForceDescription& f : d.forces) ground(f.first.body), ground(f.second.body);
    return d;
  }

 private:
  void ties(int line, std::string element, const std::string& one, const std::string& other) {
    say(Severity::error, line, std::move(element),
        "ties \"" + one + "\" to \"" + other +
            "\", which is on the other side of the cut; cut where both are on one side, or take it out");
  }

  bool has_end(const std::string& link) const { return links_.count(link) > 0; }
  bool has_joint(const std::string& joint) const { return joints_.count(joint) > 0; }
  /// Whether a loop or a force is between links of the part, or between one and the link that carries it.
  template <class Tie>
  bool has_both(const Tie& l) const {
    const auto carries = [&](const std::string& link) { return has_end(link) || link == carrier_; };
    return (has_end(l.first.body) || has_end(l.second.body)) && carries(l.first.body) && carries(l.second.body);
  }

  const Description& d_;
  std::unordered_set<std::string> links_, joints_;  ///< of the part
  std::string carrier_;                             ///< the link that carries it, or `world`
};

Description cut(const Description& description, std::string_view link, bool own) {
  Description checked = description;
  std::vector<Finding> findings;
  const Topology topology = check_description(checked, {}, findings);
  place_lines(findings, description);
  if (has_error(findings)) throw InputError(std::move(findings));
  Cut parts(description, findings);
  parts.find(topology, link);
  place_lines(findings, description);
  if (has_error(findings)) throw InputError(std::move(findings));
  return parts.take(own);
}

}  // namespace

Description sub_model(const Description& description, std::string_view link) {
  Description part = cut(description, link, true);
  part.name = link;
  return part;
}

Description without(const Description& description, std::string_view link) { return cut(description, link, false); }

}  // namespace kinetree
