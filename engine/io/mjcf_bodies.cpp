#include "engine/io/mjcf_bodies.hpp"

#include <algorithm>

#include "engine/io/anchoring.hpp"
#include "engine/io/mjcf_inertia.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

using Kind = MjcfJointKind;
using Eigen::Vector3d;

class Bodies {
 public:
  Bodies(MjcfReading& r, const MjcfModel& model, const MjcfOptions& options)
      : r_(r), d_(r.reading.description), m_(model), options_(options) {}

  MjcfNames run() {
    name_all();
    const auto all = inertias(r_, m_);
    for (int b = 1; b < static_cast<int>(m_.bodies.size()); ++b) body(b, all[at(b)]);
    if (apart_ > 0)
      r_.say(Severity::notice, 0, "model",
             std::to_string(apart_) + (apart_ == 1 ? " joint is" : " joints are") +
                 " off the body's origin or not the body's last: massless links named <joint>_link stand there");
    say_what_is_disabled();
    return std::move(names_);
  }

 private:
  /// What the file gives joints and switches off.
  void say_what_is_disabled() {
    const auto any = [&](auto&& has) { return std::ranges::any_of(m_.joints, has); };
    const auto tell = [&](bool on, const char* flag, const char* what, bool given) {
      if (!on && given)
        r_.say(Severity::notice, options_.line,
               std::string("<flag ") + (options_.constraint ? flag : "constraint") + ">",
               std::string(what) + " of joints are left out: the file disables them");
    };
    const bool springs = any([](const MjcfJoint&j) { return j.stiffness != 0; }),
               dampers = any([](const MjcfJoint&j) { return j.damping != 0; });
    if (!options_.spring && !options_.damper) {
      if (springs || dampers)
        r_.say(Severity::notice, options_.line, "<flag passive>",
               "springs and damping of joints are left out: the file disables them");
    } else if ((!options_.spring && springs) || (!options_.damper && dampers)) {
      r_.say(Severity::notice, options_.line, options_.spring ? "<flag damper>" : "<flag spring>",
             std::string(options_.spring ? "damping" : "springs") + " of joints are left out: the file disables them");
    }
    tell(options_.friction && options_.constraint, "frictionloss", "friction forces",
         any([](const MjcfJoint& j) { return j.friction != 0; }));
    tell(options_.limit && options_.constraint, "limit", "limits",
         any([](const MjcfJoint& j) { return j.range.has_value(); }));
  }

  /// Names that the file gives come first, so that none of ours is one of them.
  void name_all() {
    links_.take("world");
    for (const MjcfBody& b : m_.bodies) links_.take(b.name);
    for (const MjcfJoint& j : m_.joints) joints_.take(j.name);
    names_.body.push_back("world");
    for (std::size_t b = 1; b < m_.bodies.size(); ++b) {
      const std::string& name = m_.bodies[b].name;
      names_.body.push_back(name.empty() ? links_.make("body_" + std::to_string(b)) : name);
    }
    const auto floating =
        std::count_if(m_.joints.begin(), m_.joints.end(), [](const MjcfJoint& j) { return j.kind == Kind::free; });
    for (const MjcfJoint& j : m_.joints) {
      const std::string& on = names_.body[at(j.body)];
      const bool free = j.kind == Kind::free;
      names_.joint.push_back(!j.name.empty()         ? j.name
                             : free && floating == 1 ? joints_.make("floating_base")
                                                     : joints_.make(on + (free ? "_floating" : "_joint")));
    }
  }

  void body(int b, const std::optional<MjcfPlacedInertia>& inertia) {
    const MjcfBody& given = m_.bodies[at(b)];
    BodyDescription body;
    body.name = names_.body[at(b)];
    body.line = given.line;
    body.parent = names_.body[at(given.parent)];
    if (inertia) {
      body.inertial.emplace();
      body.inertial->line = inertia->line;
      body.inertial->mass = inertia->mass;
      body.inertial->frame = placement(inertia->frame);
      body.inertial->inertia = inertia->moments;
    }
    MjcfPose pose = given.pose;  // in what the body hangs from so far
    if (given.joints.empty()) {
      body.joint.name = joints_.make(body.name + "_fixed");
      body.joint.type = "fixed";
      body.joint.line = body.line;
      body.joint.origin = placement(pose);
      d_.bodies.push_back(std::move(body));
      return;
    }
    for (const int j : given.joints) {
      const Vector3d anchor = anchor_of(m_.joints[at(j)]);
      JointDescription joint = this->joint(j, pose);
      if (j == given.joints.back()) {
        body.joint = std::move(joint);
        apart_ += hang(d_, std::move(body), three(anchor), links_, joints_);
        return;
      }
      BodyDescription carrier;
      carrier.name = links_.make(joint.name + "_link");
      carrier.parent = body.parent;
      carrier.line = body.line;
      carrier.joint = std::move(joint);
      body.parent = carrier.name;
      d_.bodies.push_back(std::move(carrier));
      ++apart_;
      pose = {-anchor, Eigen::Quaterniond::Identity()};
    }
  }

  /// Where a joint is in its body; the place of a slide does not matter.
  static Vector3d anchor_of(const MjcfJoint& j) {
    return j.kind == Kind::ball || j.kind == Kind::hinge ? j.at : Vector3d(0, 0, 0);
  }

  /// A joint of a body that stands at `pose` where every joint stands at its `zero`: ours starts at -zero.
  JointDescription joint(int number, const MjcfPose& pose) {
    const MjcfJoint& j = m_.joints[at(number)];
    JointDescription joint;
    joint.name = names_.joint[at(number)];
    joint.line = j.line;
    joint.armature = j.armature;
    joint.passive = passive(j);
    if (j.range && options_.limit && options_.constraint && (j.kind == Kind::hinge || j.kind == Kind::slide)) {
      joint.limits.lower = {j.range->first};
      joint.limits.upper = {j.range->second};
    }
    if (j.effort > 0 && (j.kind == Kind::hinge || j.kind == Kind::slide)) joint.limits.effort = {j.effort};
    if (j.kind == Kind::free) {
      // qpos is the pose in the world, and the body's place in the file its start
      joint.type = "floating";
      const std::string element = "joint " + in_quotes(joint.name);
      if (joint.armature != 0)
        r_.say(Severity::warning, joint.line, element,
               "its armature is left out, " + number_text(joint.armature) +
                   ": on a free joint MuJoCo's is a mass and a ball's inertia at the body's origin, without "
                   "weight; if a class of defaults gave it, write armature=\"0\" or <freejoint/>, else give the body "
                   "mass");
      joint.armature = 0;
      if (!joint.passive.friction.empty())
        r_.say(Severity::warning, joint.line, element,
               "its frictionloss is left out: on a free joint MuJoCo's acts along the world's axes");
      joint.passive.friction.clear();
      return joint;
    }
    joint.type = j.kind == Kind::slide ? "prismatic" : j.kind == Kind::hinge ? "revolute" : "spherical";
    MjcfPose start{anchor_of(j), Eigen::Quaterniond::Identity()};
    if (j.kind != Kind::ball) joint.axis = three(j.axis);
    if (j.kind == Kind::slide) start.at -= j.zero * j.axis;
    if (j.kind == Kind::hinge && j.zero != 0) start.turn = Eigen::AngleAxisd(-j.zero, j.axis);
    joint.origin = placement(pose * start);
    return joint;
  }

  /// One number for every degree of freedom, as the file gives it; springs rest at springref, those of free and ball
  /// joints at the file's pose.
  PassiveDescription passive(const MjcfJoint& j) const {
    PassiveDescription p;
    const auto give = [](PerFreedom& out, double x, bool on) {
      if (x != 0 && on) out = {x};
    };
    give(p.damping, j.damping, options_.damper);
    give(p.friction, j.friction, options_.friction && options_.constraint);
    give(p.stiffness, j.stiffness, options_.spring);
    if (p.stiffness.empty()) return p;
    if (j.kind == Kind::hinge || j.kind == Kind::slide) {
      p.reference = {j.rest};
    } else {
      const Placement start = placement(j.kind == Kind::free ? m_.bodies[at(j.body)].pose : MjcfPose{});
      if (j.kind == Kind::free) p.reference.assign(start.xyz.begin(), start.xyz.end());
      p.reference.insert(p.reference.end(), start.quaternion.begin(), start.quaternion.end());
    }
    return p;
  }

  MjcfReading& r_;
  Description& d_;
  const MjcfModel& m_;
  const MjcfOptions& options_;
  MjcfNames names_;
  Names links_, joints_;
  int apart_ = 0;
};

}  // namespace

MjcfNames add_bodies(MjcfReading& r, const MjcfModel& model, const MjcfOptions& options) {
  return Bodies(r, model, options).run();
}

}  // namespace kinetree::inline inner
