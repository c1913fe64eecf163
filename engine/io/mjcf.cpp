// MJCF by libmujoco: mj_loadXML compiles, mjModel is read. What has no part in the dynamics here is said once per kind.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <kinetree/description.hpp>
#include <kinetree/mjcf.hpp>
#include <memory>

#include "engine/io/anchoring.hpp"
#include "engine/io/mjcf_compile.hpp"
#include "engine/io/mjcf_equalities.hpp"
#include "engine/io/mjcf_includes.hpp"
#include "engine/io/mjcf_meshes.hpp"
#include "engine/io/mjcf_shapes.hpp"
#include "engine/io/plain_locale.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree {
namespace {

using Quaternion = std::array<double, 4>;  // w first, as MuJoCo has it

class MjcfReader : MjcfReading {
 public:
  explicit MjcfReader(const std::string& name) { d_.file = name; }

  Reading read(const std::string& text) {
    if (!xml.parse(text, "mujoco", d_.file, reading.findings)) return std::move(reading);
    if (!mjcf_files_are_sound(xml, d_.file, mjcf_alias, reading.findings)) return std::move(reading);
    if (const std::string locale = foreign_numbers(); !locale.empty()) {
      say(Severity::error, 0, "file",
          "can't be read under C++'s global locale, by which libmujoco reads numbers: it is " + locale +
              "; call std::locale::global(std::locale::classic()) first, or convert the file to YAML or URDF");
      return std::move(reading);
    }
    std::string said;
    std::vector<std::string> warnings;
    const auto model = compile_mjcf(text, d_.file, said, warnings);
    for (const std::string& warning : warnings)
      if (warning != said) pass_on(warning, Severity::warning);
    if (!said.empty()) pass_on(said, model ? Severity::warning : Severity::error);
    if (!model) return std::move(reading);
    compiled = model.get();
    if (const char* name = xml.document().RootElement()->Attribute("model")) d_.name = name;
    for (std::size_t k = 0; k < 3; ++k) d_.gravity[k] = disabled(mjDSBL_GRAVITY) ? 0 : compiled->opt.gravity[k];
    name_all();
    note_full_inertias(*xml.document().RootElement());
    for (int b = 1; b < compiled->nbody; ++b) body(b);
    read_shapes(*this);
    read_sensors(*this);
    read_equalities(*this);
    say_what_was_left_out();
    note_concave_meshes(*this, text);
    return std::move(reading);
  }

 private:
  /// Whether one of these flags of <option> switches off what it names.
  bool disabled(int flags) const { return (compiled->opt.disableflags & flags) != 0; }

  /// MuJoCo's own words, with the line and the element that stand in them.
  void pass_on(std::string said, Severity severity) {
    for (const char* head : {"XML Error: ", "Error: "})
      if (said.rfind(head, 0) == 0) said.erase(0, std::strlen(head));
    int line = 0;
    const std::size_t at_line = said.find("line");
    if (at_line != std::string::npos) {
      const std::size_t digit = said.find_first_of("0123456789", at_line);
      if (digit != std::string::npos && digit < at_line + 8) {
        const std::string number = said.substr(digit, said.find_first_not_of("0123456789", digit) - digit);
        line = number_from<int>(number).value_or(0);
      }
    }
    std::string element = "file";
    const auto between = [&](const char* head, char end) {
      const std::size_t start = said.find(head);
      if (start == std::string::npos) return std::string();
      const std::size_t from = start + std::strlen(head);
      return said.substr(from, said.find(end, from) - from);
    };
    if (const std::string tag = between("\nElement '", '\''); !tag.empty()) element = "<" + tag + ">";
    if (const std::string name = between("\nObject name = ", ','); !name.empty()) element = in_quotes(name);
    std::size_t end = said.find('\n');
    if (end != std::string::npos && end > 0 && said[end - 1] == ':') {  // the fault stands on the next line
      said[end] = ' ';
      end = said.find('\n', end);
    }
    said.erase(std::min(end, said.size()));
    const bool triangle = said.find("A + B >= C") != std::string::npos;
    const std::string advice =
        triangle ? "correct it; <compiler balanceinertia=\"true\"/> loads it, but changes the inertia: each moment "
                   "becomes the mean of the three (as URDF or YAML it loads as it stands)"
                 : "correct it and read again";
    say(severity, line, element,
        severity == Severity::error
            ? "MuJoCo " + std::string(mj_versionString()) + " can't compile it: " + said + "; " + advice
            : "MuJoCo warns: " + said);
  }

  /// Names that the file gives come first, so that none of ours is one of them.
  void name_all() {
    links_.take("world");
    const auto given = [this](mjtObj kind, int id) {
      const char* name = mj_id2name(compiled, kind, id);
      return std::string(name ? name : "");
    };
    for (int b = 1; b < compiled->nbody; ++b) links_.take(given(mjOBJ_BODY, b));
    for (int j = 0; j < compiled->njnt; ++j) joints_.take(given(mjOBJ_JOINT, j));
    body_name.push_back("world");
    for (int b = 1; b < compiled->nbody; ++b) {
      std::string name = given(mjOBJ_BODY, b);
      body_name.push_back(name.empty() ? links_.make("body_" + std::to_string(b)) : name);
    }
    const auto FloatingSubspace = [this](int j) { return compiled->jnt_type[j] == mjJNT_FREE; };
    int floating = 0;
    for (int j = 0; j < compiled->njnt; ++j) floating += FloatingSubspace(j);
    for (int j = 0; j < compiled->njnt; ++j) {
      std::string name = given(mjOBJ_JOINT, j);
      const std::string on = body_name[at(compiled->jnt_bodyid[j])];
      if (name.empty())
        name = joints_.make(FloatingSubspace(j) && floating == 1 ? "floating_base"
                                                                 : on + (FloatingSubspace(j) ? "_floating" : "_joint"));
      joint_name.push_back(name);
    }
  }

  /// What the file itself says of full inertias, by body.
  void note_full_inertias(const tinyxml2::XMLElement& e) {
    for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      const char* text = std::string_view(c->Name()) == "inertial" ? c->Attribute("fullinertia") : nullptr;
      const char* name = e.Attribute("name");
      if (text) ++full_unread_;
      if (text && name) {
        const auto numbers = numbers_from(text);
        if (numbers && numbers->size() == 6) std::copy_n(numbers->begin(), 6, full_inertia_[name].begin());
      }
      note_full_inertias(*c);
    }
  }

  void body(int b) {
    BodyDescription body;
    body.name = body_name[at(b)];
    body.line = xml.line("body", body.name);
    body.parent = body_name[at(compiled->body_parentid[b])];
    body.inertial = inertial(b, body.line);
    Numbers3 position = three(compiled->body_pos + 3 * b);  // of the body at qpos0, in what it hangs from so far
    Quaternion turn;
    mju_copy4(turn.data(), compiled->body_quat + 4 * b);
    const int count = compiled->body_jntnum[b], first = compiled->body_jntadr[b];
    if (count == 0) {
      body.joint.name = joints_.make(body.name + "_fixed");
      body.joint.type = "fixed";
      body.joint.line = body.line;
      body.joint.origin = placement(position, turn.data());
      d_.bodies.push_back(std::move(body));
      return;
    }
    for (int j = first; j < first + count; ++j) {
      Numbers3 anchor{0, 0, 0};
      JointDescription joint = this->joint(j, position, turn, anchor);
      if (j == first + count - 1) {
        body.joint = std::move(joint);
        apart_ += hang(d_, std::move(body), anchor, links_, joints_);
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
      for (std::size_t k = 0; k < 3; ++k) position[k] = -anchor[k];
      turn = {1, 0, 0, 0};
    }
  }

  /// A joint of a body that stands at `position`, `turn` where every qpos is qpos0. MuJoCo moves a body by qpos -
  /// qpos0, so ours starts at -qpos0. `anchor`: where the joint is in the body; a slide's place does not matter.
  JointDescription joint(int j, const Numbers3& position, const Quaternion& turn, Numbers3& anchor) {
    JointDescription joint;
    joint.name = joint_name[at(j)];
    joint.line = std::max(xml.line("body/joint", joint.name), xml.line("body/freejoint", joint.name));
    joint.armature = compiled->dof_armature[compiled->jnt_dofadr[j]];
    joint.passive = passive(j);
    if (compiled->jnt_limited[j] && !disabled(mjDSBL_LIMIT | mjDSBL_CONSTRAINT) &&
        (compiled->jnt_type[j] == mjJNT_HINGE || compiled->jnt_type[j] == mjJNT_SLIDE)) {
      joint.limits.lower = {compiled->jnt_range[2 * j]};
      joint.limits.upper = {compiled->jnt_range[2 * j + 1]};
    }
    if (compiled->jnt_type[j] == mjJNT_FREE) {
      // qpos is the pose in the world, and the body's place in the file its start
      joint.type = "floating";
      if (joint.armature != 0)
        say(Severity::warning, joint.line, "joint " + in_quotes(joint.name),
            "its armature is left out: on a free joint MuJoCo's acts along the world's axes; give the body mass "
            "instead");
      joint.armature = 0;
      if (!joint.passive.friction.empty())
        say(Severity::warning, joint.line, "joint " + in_quotes(joint.name),
            "its frictionloss is left out: on a free joint MuJoCo's acts along the world's axes");
      joint.passive.friction.clear();
      return joint;
    }
    const mjtNum *axis = compiled->jnt_axis + 3 * j, zero = compiled->qpos0[compiled->jnt_qposadr[j]];
    const bool slide = compiled->jnt_type[j] == mjJNT_SLIDE, hinge = compiled->jnt_type[j] == mjJNT_HINGE;
    joint.type = slide ? "prismatic" : hinge ? "revolute" : "spherical";
    if (slide || hinge) joint.axis = three(axis);
    if (!slide) anchor = three(compiled->jnt_pos + 3 * j);
    mjtNum shift[3] = {anchor[0], anchor[1], anchor[2]}, start[4];
    mju_copy4(start, turn.data());
    if (slide) mju_addToScl3(shift, axis, -zero);
    if (hinge) {
      mjtNum back[4];
      mju_axisAngle2Quat(back, axis, -zero);
      mju_mulQuat(start, turn.data(), back);
    }
    mju_rotVecQuat(shift, std::array<mjtNum, 3>{shift[0], shift[1], shift[2]}.data(), turn.data());
    joint.origin = placement({position[0] + shift[0], position[1] + shift[1], position[2] + shift[2]}, start);
    return joint;
  }

  /// One number for every degree of freedom, as the file gives it; springs rest at qpos_spring. Friction is one of
  /// MuJoCo's constraints, springs and damping are its passive forces.
  PassiveDescription passive(int j) const {
    PassiveDescription p;
    const auto give = [](PerFreedom& out, mjtNum x) {
      if (x != 0) out = {x};
    };
    if (!disabled(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT))
      give(p.friction, compiled->dof_frictionloss[compiled->jnt_dofadr[j]]);
    if (disabled(mjDSBL_PASSIVE)) return p;
    give(p.damping, compiled->dof_damping[compiled->jnt_dofadr[j]]);
    give(p.stiffness, compiled->jnt_stiffness[j]);
    if (p.stiffness.empty()) return p;
    const mjtNum* rest = compiled->qpos_spring + compiled->jnt_qposadr[j];
    const int type = compiled->jnt_type[j], plain = type == mjJNT_FREE ? 3 : type == mjJNT_BALL ? 0 : 1;
    p.reference.assign(rest, rest + plain);
    if (type == mjJNT_FREE || type == mjJNT_BALL)
      for (const int k : {1, 2, 3, 0}) p.reference.push_back(rest[plain + k]);
    return p;
  }

  std::optional<InertialDescription> inertial(int b, int line) {
    const mjtNum* moments = compiled->body_inertia + 3 * b;
    if (compiled->body_mass[b] == 0 && moments[0] == 0 && moments[1] == 0 && moments[2] == 0) return std::nullopt;
    InertialDescription i;
    i.line = line;
    i.mass = compiled->body_mass[b];
    i.frame = placement(three(compiled->body_ipos + 3 * b), compiled->body_iquat + 4 * b);
    for (std::size_t k = 0; k < 3; ++k) i.inertia[k] = moments[k];
    if (const auto full = full_inertia_.find(body_name[at(b)]); full != full_inertia_.end()) {
      // the file's own numbers, where the compiler took them: its axes are only good to about 5e-7
      mjtNum R[9], trace = 0, worst = 0;
      mju_quat2Mat(R, compiled->body_iquat + 4 * b);
      static constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
      for (std::size_t e = 0; e < 6; ++e) {
        mjtNum sum = 0;
        for (int k = 0; k < 3; ++k) sum += R[3 * row[e] + k] * moments[k] * R[3 * column[e] + k];
        keep_worst(worst, std::abs(sum - full->second[e]));
      }
      for (int k = 0; k < 3; ++k) trace += moments[k];
      if (worst <= 1e-5 * trace) {
        i.inertia = full->second;
        i.frame.quaternion = {0, 0, 0, 1};
        --full_unread_;
      }
    }
    return i;
  }

  void say_what_was_left_out() {
    const mjModel& m = *compiled;
    if (apart_ > 0)
      say(Severity::notice, 0, "model",
          std::to_string(apart_) + (apart_ == 1 ? " joint is" : " joints are") +
              " off the body's origin or not the body's last, and carry massless links named <joint>_link");
    if (full_unread_ > 0)
      say(Severity::notice, xml.first("inertial"), "<inertial fullinertia>",
          "MuJoCo's principal axes stand for it, " + std::to_string(full_unread_) +
              (full_unread_ == 1 ? " time" : " times") +
              ", good to about 5e-7; name the body to have the file's numbers");
    left_out("tendon", m.ntendon, "only equalities of fixed tendons count");
    say_what_tendons_do();
    say_what_is_disabled();
    left_out("actuator", m.nu, "joint forces are given as tau");
    left_out("keyframe", m.nkey, "states are given apart from the model");
    left_out("site", m.nsite, "only the frames of sensors on them count");
    left_out("camera", m.ncam, "they have no part in the dynamics");
    left_out("light", m.nlight, "they have no part in the dynamics");
    left_out("skin", m.nskin, "they have no part in the dynamics");
    left_out("contact", m.npair + m.nexclude, "there are no contacts here");
    int cones = 0;
    for (int j = 0; j < m.njnt; ++j) cones += m.jnt_limited[j] && m.jnt_type[j] == mjJNT_BALL;
    if (cones > 0)
      say(Severity::notice, xml.first("joint"), "<joint range>",
          "left out, " + std::to_string(cones) + (cones == 1 ? " time: " : " times: ") +
              "the angle of a ball joint has no limit here");
    if (m.nmocap > 0)
      say(Severity::notice, xml.first("body"), "<body mocap>",
          std::to_string(m.nmocap) + (m.nmocap == 1 ? " body stands" : " bodies stand") +
              " still here, at the file's pose");
    if (m.opt.density != 0 || m.opt.viscosity != 0)
      say(Severity::notice, xml.first("option"), "<option density viscosity>",
          "left out: there are no forces of a fluid here");
  }

  void say_what_tendons_do() {
    const mjModel& m = *compiled;
    int forces = 0;
    for (int t = 0; t < m.ntendon; ++t)
      forces += (!disabled(mjDSBL_PASSIVE) && (m.tendon_stiffness[t] != 0 || m.tendon_damping[t] != 0)) ||
                (!disabled(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT) && m.tendon_frictionloss[t] != 0);
    if (forces > 0)
      say(Severity::warning, xml.first("tendon"), "<tendon>",
          "springs, damping and friction of " + std::to_string(forces) + (forces == 1 ? " tendon" : " tendons") +
              " are dynamics that is not read; joints have their own");
  }

  /// What the file gives joints and switches off.
  void say_what_is_disabled() {
    const mjModel& m = *compiled;
    bool passive = false, friction = false, limits = false;
    for (int v = 0; v < m.nv; ++v) {
      passive = passive || m.dof_damping[v] != 0;
      friction = friction || m.dof_frictionloss[v] != 0;
    }
    for (int j = 0; j < m.njnt; ++j) {
      passive = passive || m.jnt_stiffness[j] != 0;
      limits = limits || m.jnt_limited[j];
    }
    const auto tell = [&](bool any, int flags, const std::string& flag, const std::string& what) {
      if (any && disabled(flags))
        say(Severity::notice, xml.first("flag"),
            "<flag " + (disabled(flags & ~mjDSBL_CONSTRAINT) ? flag : "constraint") + ">",
            what + " of joints are left out: the file disables them");
    };
    tell(passive, mjDSBL_PASSIVE, "passive", "springs and damping");
    tell(friction, mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT, "frictionloss", "friction forces");
    tell(limits, mjDSBL_LIMIT | mjDSBL_CONSTRAINT, "limit", "limits");
  }

  Description& d_ = reading.description;
  Names links_, joints_;
  std::map<std::string, std::array<double, 6>> full_inertia_;
  int full_unread_ = 0, apart_ = 0;
};

}  // namespace

Reading read_mjcf_text(const std::string& text, const std::string& name) { return MjcfReader(name).read(text); }

}  // namespace kinetree
