// One Description of two.
#include <kinetree/compose.hpp>
#include <unordered_set>

#include "engine/model/check_description.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/number_checks.hpp"
#include "engine/model/placement.hpp"

namespace kinetree {
namespace {

class Attaching : NumberChecks {
 public:
  Attaching(Description& whole, const Attachment& how, std::vector<Finding>& findings)
      : NumberChecks(whole.file, findings), whole_(whole), how_(how) {}

  void check(const Description& other) {
    std::unordered_set<std::string> links, joints, loops, couplings, forces;
    for (const BodyDescription& b : whole_.bodies) links.insert(b.name), joints.insert(b.joint.name);
    for (const LoopDescription& l : whole_.loops) loops.insert(l.name);
    for (const CouplingDescription& c : whole_.couplings) couplings.insert(c.name);
    for (const PointForceDescription& f : whole_.forces) forces.insert(f.name);
    if (how_.link != "world" && links.count(how_.link) == 0)
      say(Severity::error, 0, "attachment",
          "its link \"" + how_.link + "\" is no link of " + called(whole_) + "; give a link's name, or world" +
              nearest_of(how_.link, whole_.bodies, [](const BodyDescription& b) { return b.name; }));
    check_placement(0, "attachment", "placement", how_.placement);
    if (other.gravity != whole_.gravity)
      say(Severity::error, 0, "attachment",
          called(other) + " has the gravity " + text(other.gravity) + ", " + called(whole_) + " " +
              text(whole_.gravity) + "; give both the same");
    const auto look = [&](const std::string& kind, const std::unordered_set<std::string>& taken,
                          const std::string& name) {
      const std::string full = named(name);
      if (!full.empty() && taken.count(full) > 0)
        say(Severity::error, 0, kind + " \"" + full + "\"",
            "the name is taken by a " + kind + " of " + called(whole_) + "; attach with another prefix");
    };
    for (const BodyDescription& b : other.bodies) look("link", links, b.name), look("joint", joints, b.joint.name);
    for (const LoopDescription& l : other.loops) look("loop", loops, l.name);
    for (const CouplingDescription& c : other.couplings) look("coupling", couplings, c.name);
    for (const PointForceDescription& f : other.forces) look("force", forces, f.name);
  }

  void take(const Description& other) {
    for (BodyDescription b : other.bodies) {
      b.name = named(b.name), b.joint.name = named(b.joint.name);
      if (b.joint.mimic) b.joint.mimic->joint = named(b.joint.mimic->joint);
      carry(b.parent, b.joint.origin);
      b.line = b.joint.line = 0;
      if (b.inertial) b.inertial->line = 0;
      for (ShapeDescription& shape : b.visuals) shape.line = 0;
      for (ShapeDescription& shape : b.collisions) shape.line = 0;
      whole_.bodies.push_back(std::move(b));
    }
    for (LoopDescription l : other.loops) {
      l.name = named(l.name), l.line = 0;
      carry(l.first.body, l.first.frame), carry(l.second.body, l.second.frame);
      whole_.loops.push_back(std::move(l));
    }
    for (CouplingDescription c : other.couplings) {
      c.name = named(c.name), c.line = 0;
      for (CouplingDescription::Term& term : c.terms) term.joint = named(term.joint);
      whole_.couplings.push_back(std::move(c));
    }
    for (PointForceDescription f : other.forces) {
      f.name = named(f.name), f.line = 0;
      for (PointForceDescription::End* end : {&f.first, &f.second}) {
        Placement frame{end->xyz};
        carry(end->body, frame);
        end->xyz = frame.xyz;
      }
      whole_.forces.push_back(std::move(f));
    }
    for (SensorDescription s : other.sensors) {
      s.name = named(s.name), s.line = 0;
      carry(s.link, s.frame);
      whole_.sensors.push_back(std::move(s));
    }
    for (const std::string& joint : other.independent) whole_.independent.push_back(named(joint));
    for (const JointPositions& a : other.assembled) whole_.assembled.push_back({named(a.joint), a.positions});
  }

 private:
  static std::string called(const Description& d) { return "model \"" + d.name + "\""; }
  static std::string text(const Numbers3& x) {
    return "[" + number(x[0]) + ", " + number(x[1]) + ", " + number(x[2]) + "]";
  }
  std::string named(const std::string& name) const { return name.empty() ? name : how_.prefix + name; }

  /// The link that something of the other's is on, and where, in terms of the whole.
  void carry(std::string& link, Placement& frame) const {
    if (link != "world") return void(link = named(link));
    link = how_.link;
    frame = compose(how_.placement, frame);
  }

  Description& whole_;
  Attachment how_;
};

}  // namespace

Description attached(const Description& description, const Description& other, const Attachment& attachment) {
  Description whole = description, checked = other;
  std::vector<Finding> findings;
  (void)check_description(checked, {}, findings);
  Attaching attaching(whole, attachment, findings);
  attaching.check(other);
  place_lines(findings, description);
  place_lines(findings, other);
  if (has_error(findings)) throw InputError(std::move(findings));
  attaching.take(other);
  return whole;
}

}  // namespace kinetree
