// MJCF by libmujoco: mj_loadXML compiles, mjModel is read. What has no part in the dynamics here is said once per kind.
#include "mjcf.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <kinetree/scalar/index.hpp>
#include <kinetree/scalar/worst.hpp>
#include <memory>
#include <sstream>

#include "anchoring.hpp"
#include "mjcf_compile.hpp"
#include "mjcf_includes.hpp"
#include "xml_lines.hpp"

namespace kinetree {
namespace {

using Quaternion = std::array<double, 4>;  // w first, as MuJoCo has it

Numbers3 three(const mjtNum* x) { return {x[0], x[1], x[2]}; }
Placement placement(const Numbers3& xyz, const mjtNum* wxyz) { return {xyz, {wxyz[1], wxyz[2], wxyz[3], wxyz[0]}}; }
std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

class MjcfReader {
 public:
  explicit MjcfReader(const std::string& name) { d_.file = name; }

  Reading read(const std::string& text) {
    if (!xml_.parse(text, "mujoco", d_.file, reading_.findings)) return std::move(reading_);
    if (!includes_are_sound()) return std::move(reading_);
    std::string said;
    std::vector<std::string> warnings;
    const auto model = compile_mjcf(text, d_.file, said, warnings);
    for (const std::string& warning : warnings)
      if (warning != said) pass_on(warning, Severity::warning);
    if (!said.empty()) pass_on(said, model ? Severity::warning : Severity::error);
    if (!model) return std::move(reading_);
    m_ = model.get();
    if (const char* name = xml_.document().RootElement()->Attribute("model")) d_.name = name;
    for (std::size_t k = 0; k < 3; ++k)
      d_.gravity[k] = (m_->opt.disableflags & mjDSBL_GRAVITY) ? 0 : m_->opt.gravity[k];
    name_all();
    note_full_inertias(*xml_.document().RootElement());
    for (int b = 1; b < m_->nbody; ++b) body(b);
    equalities();
    say_what_was_left_out();
    return std::move(reading_);
  }

 private:
  void say(Severity severity, int line, std::string element, std::string message) {
    reading_.findings.push_back({severity, d_.file, line, std::move(element), std::move(message)});
  }

  /// Looks at the files and counts what MuJoCo would build: its time grows with the square of the number of one kind.
  bool includes_are_sound() {
    constexpr int most = 20000;
    std::map<std::string, int> elements;
    const auto includes_of = [&](const tinyxml2::XMLDocument& x) {
      each_element(*x.RootElement(), [&](const tinyxml2::XMLElement& e) { ++elements[e.Name()]; });
      return mjcf_includes(x, d_.file, mjcf_alias);
    };
    bool sound = check_includes(xml_.document(), d_.file, includes_of, reading_.findings);
    for (const auto& [tag, count] : elements)
      if (count > most) {
        sound = false;
        say(Severity::error, xml_.first(tag), "<" + tag + ">",
            "stands " + std::to_string(count) + " times, and " + std::to_string(most) +
                " is the limit; a YAML model or a URDF may have more");
      }
    return sound;
  }

  /// MuJoCo's own words, with the line and the element that stand in them.
  void pass_on(std::string said, Severity severity) {
    for (const char* head : {"XML Error: ", "Error: "})
      if (said.rfind(head, 0) == 0) said.erase(0, std::strlen(head));
    int line = 0;
    const std::size_t at_line = said.find("line");
    if (at_line != std::string::npos) {
      const std::size_t digit = said.find_first_of("0123456789", at_line);
      if (digit != std::string::npos && digit < at_line + 8) line = std::atoi(said.c_str() + digit);
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
      const char* name = mj_id2name(m_, kind, id);
      return std::string(name ? name : "");
    };
    for (int b = 1; b < m_->nbody; ++b) links_.take(given(mjOBJ_BODY, b));
    for (int j = 0; j < m_->njnt; ++j) joints_.take(given(mjOBJ_JOINT, j));
    body_name_.push_back("world");
    for (int b = 1; b < m_->nbody; ++b) {
      std::string name = given(mjOBJ_BODY, b);
      body_name_.push_back(name.empty() ? links_.make("body_" + std::to_string(b)) : name);
    }
    const auto is_free = [this](int j) { return m_->jnt_type[j] == mjJNT_FREE; };
    int floating = 0;
    for (int j = 0; j < m_->njnt; ++j) floating += is_free(j);
    for (int j = 0; j < m_->njnt; ++j) {
      std::string name = given(mjOBJ_JOINT, j);
      const std::string on = body_name_[at(m_->jnt_bodyid[j])];
      if (name.empty())
        name = joints_.make(is_free(j) && floating == 1 ? "floating_base" : on + (is_free(j) ? "_floating" : "_joint"));
      joint_name_.push_back(name);
    }
  }

  /// What the file itself says of full inertias, by body.
  void note_full_inertias(const tinyxml2::XMLElement& e) {
    for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      const char* text = std::string_view(c->Name()) == "inertial" ? c->Attribute("fullinertia") : nullptr;
      const char* name = e.Attribute("name");
      if (text) ++full_unread_;
      if (text && name) {
        std::istringstream numbers(text);
        std::array<double, 6> I{};
        for (double& x : I) numbers >> x;
        if (numbers) full_inertia_[name] = I;
      }
      note_full_inertias(*c);
    }
  }

  void body(int b) {
    BodyDescription body;
    body.name = body_name_[at(b)];
    body.line = xml_.line("body", body.name);
    body.parent = body_name_[at(m_->body_parentid[b])];
    body.inertial = inertial(b, body.line);
    Numbers3 position = three(m_->body_pos + 3 * b);  // of the body at qpos0, in what it hangs from so far
    Quaternion turn;
    mju_copy4(turn.data(), m_->body_quat + 4 * b);
    const int count = m_->body_jntnum[b], first = m_->body_jntadr[b];
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
    joint.name = joint_name_[at(j)];
    joint.line = std::max(xml_.line("body/joint", joint.name), xml_.line("body/freejoint", joint.name));
    joint.armature = m_->dof_armature[m_->jnt_dofadr[j]];
    if (m_->jnt_type[j] == mjJNT_FREE) {  // qpos is the pose in the world, and the body's place in the file its start
      joint.type = "floating";
      if (joint.armature != 0)
        say(Severity::warning, joint.line, "joint " + in_quotes(joint.name),
            "its armature is left out: on a free joint MuJoCo's acts along the world's axes; give the body mass "
            "instead");
      joint.armature = 0;
      return joint;
    }
    const mjtNum *axis = m_->jnt_axis + 3 * j, zero = m_->qpos0[m_->jnt_qposadr[j]];
    const bool slide = m_->jnt_type[j] == mjJNT_SLIDE, hinge = m_->jnt_type[j] == mjJNT_HINGE;
    joint.type = slide ? "prismatic" : hinge ? "revolute" : "spherical";
    if (slide || hinge) joint.axis = three(axis);
    if (!slide) anchor = three(m_->jnt_pos + 3 * j);
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

  std::optional<InertialDescription> inertial(int b, int line) {
    const mjtNum* moments = m_->body_inertia + 3 * b;
    if (m_->body_mass[b] == 0 && moments[0] == 0 && moments[1] == 0 && moments[2] == 0) return std::nullopt;
    InertialDescription i;
    i.line = line;
    i.mass = m_->body_mass[b];
    i.frame = placement(three(m_->body_ipos + 3 * b), m_->body_iquat + 4 * b);
    for (std::size_t k = 0; k < 3; ++k) i.inertia[k] = moments[k];
    if (const auto full = full_inertia_.find(body_name_[at(b)]); full != full_inertia_.end()) {
      // the file's own numbers, where the compiler took them: its axes are only good to about 5e-7
      mjtNum R[9], trace = 0, worst = 0;
      mju_quat2Mat(R, m_->body_iquat + 4 * b);
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

  std::string equality_called(int e) const {
    const char* name = mj_id2name(m_, mjOBJ_EQUALITY, e);
    return name ? name : "equality_" + std::to_string(e);
  }

  void equalities() {
    int inactive = 0, taken = 0;
    const bool off = m_->opt.disableflags & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT);
    for (int e = 0; e < m_->neq; ++e) {
      if (off || !m_->eq_active[e])
        ++inactive;
      else
        equality(e), ++taken;
    }
    if (inactive > 0) left_out("equality", inactive, "they are not active in the file");
    if (taken > 0)
      say(Severity::notice, xml_.first("equality"), "<equality>",
          "holds exactly here (" + std::to_string(taken) +
              "), where MuJoCo's are soft: solref and solimp are left out");
  }

  void equality(int e) {
    const std::string name = equality_called(e);
    const int type = m_->eq_type[e], one = m_->eq_obj1id[e], two = m_->eq_obj2id[e];
    const mjtNum* data = m_->eq_data + mjNEQDATA * e;
    const auto line_of = [&](const char* tag) { return xml_.line(std::string("equality/") + tag, name); };
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
      LoopDescription loop;
      loop.name = name;
      loop.first.body = body_name_[at(one)];
      loop.second.body = body_name_[at(two)];
      if (type == mjEQ_CONNECT) {  // data: the point in either body
        loop.type = "spherical";
        loop.first.frame.xyz = three(data);
        loop.second.frame.xyz = three(data + 3);
      } else {  // data: the point in the second body, and the second body's frame there in the first
        loop.type = "weld";
        loop.first.frame = placement(three(data + 3), data + 6);
        loop.second.frame.xyz = three(data);
      }
      loop.line = line_of(type == mjEQ_CONNECT ? "connect" : "weld");
      d_.loops.push_back(std::move(loop));
    } else if (type == mjEQ_JOINT) {
      const int line = line_of("joint");
      couple(name, line, data, combination(one), two < 0 ? Combination{} : combination(two));
    } else if (type == mjEQ_TENDON) {
      const int line = line_of("tendon");
      for (const int t : {one, two})
        if (t >= 0 && m_->wrap_type[m_->tendon_adr[t]] != mjWRAP_JOINT)
          return say(
              Severity::error, line, "equality " + in_quotes(name),
              "couples a spatial tendon, which is not linear in joint positions; take it out or make it inactive");
      couple(name, line, data, tendon(one), two < 0 ? Combination{} : tendon(two));
    } else {
      say(Severity::error, 0, "equality " + in_quotes(name),
          "is of a type that has no counterpart here; known are connect, weld, joint and tendon");
    }
  }

  /// A linear combination of joint positions, and its value at qpos0.
  struct Combination {
    std::vector<CouplingDescription::Term> terms;
    double zero = 0;
  };
  Combination combination(int j) const { return {{{joint_name_[at(j)], 1}}, m_->qpos0[m_->jnt_qposadr[j]]}; }
  Combination tendon(int t) const {
    Combination sum;
    for (int w = m_->tendon_adr[t]; w < m_->tendon_adr[t] + m_->tendon_num[t]; ++w) {
      const int j = m_->wrap_objid[w];
      sum.terms.push_back({joint_name_[at(j)], m_->wrap_prm[w]});
      sum.zero += m_->wrap_prm[w] * m_->qpos0[m_->jnt_qposadr[j]];
    }
    return sum;
  }

  /// MuJoCo's y - y0 = c0 + c1 (x - x0), as y - c1 x = c0 + y0 - c1 x0.
  void couple(const std::string& name, int line, const mjtNum* c, const Combination& y, const Combination& x) {
    if (!x.terms.empty() && (c[2] != 0 || c[3] != 0 || c[4] != 0)) {
      std::ostringstream text;
      for (int k = 0; k < 5; ++k) text << (k ? " " : "") << c[k];
      return say(Severity::error, line, "equality " + in_quotes(name),
                 "its polycoef " + in_quotes(text.str()) +
                     " is not linear, which couplings are; set the last three to 0 or make it inactive");
    }
    CouplingDescription coupling{name, y.terms, c[0] + y.zero, line};
    const auto add = [&](const CouplingDescription::Term& term) {  // a joint may be in both tendons
      for (auto& other : coupling.terms)
        if (other.joint == term.joint) return void(other.coefficient -= c[1] * term.coefficient);
      coupling.terms.push_back({term.joint, -c[1] * term.coefficient});
    };
    if (!x.terms.empty() && c[1] != 0) {
      for (const auto& term : x.terms) add(term);
      coupling.offset -= c[1] * x.zero;
    }
    d_.couplings.push_back(std::move(coupling));
  }

  void left_out(const std::string& tag, int count, const std::string& why) {
    if (count == 0) return;
    say(Severity::notice, xml_.first(tag), "<" + tag + ">",
        "left out, " + std::to_string(count) + (count == 1 ? " time: " : " times: ") + why);
  }

  template <class T>
  static int nonzero(const T* x, int count) {
    return static_cast<int>(std::count_if(x, x + count, [](T y) { return y != 0; }));
  }

  void say_what_was_left_out() {
    const mjModel& m = *m_;
    if (apart_ > 0)
      say(Severity::notice, 0, "model",
          std::to_string(apart_) + (apart_ == 1 ? " joint is" : " joints are") +
              " off the body's origin or not the body's last, and carry massless links named <joint>_link");
    if (full_unread_ > 0)
      say(Severity::notice, xml_.first("inertial"), "<inertial fullinertia>",
          "MuJoCo's principal axes stand for it, " + std::to_string(full_unread_) +
              (full_unread_ == 1 ? " time" : " times") +
              ", good to about 5e-7; name the body to have the file's numbers");
    left_out("geom", m.ngeom, "there are no contacts here; what mass MuJoCo gives their bodies counts");
    left_out("tendon", m.ntendon, "only equalities of fixed tendons count");
    left_out("actuator", m.nu, "joint forces are given as tau");
    left_out("sensor", m.nsensor, "they have no part in the dynamics");
    left_out("keyframe", m.nkey, "states are given apart from the model");
    left_out("site", m.nsite, "they have no part in the dynamics");
    left_out("camera", m.ncam, "they have no part in the dynamics");
    left_out("light", m.nlight, "they have no part in the dynamics");
    left_out("skin", m.nskin, "they have no part in the dynamics");
    left_out("contact", m.npair + m.nexclude, "there are no contacts here");
    const auto joints = [&](const std::string& what, int count, const std::string& why) {
      if (count > 0)
        say(Severity::notice, xml_.first("joint"), "<joint " + what + ">",
            "left out, " + std::to_string(count) + (count == 1 ? " time: " : " times: ") + why);
    };
    joints("stiffness", nonzero(m.jnt_stiffness, m.njnt), "joints have no springs here");
    joints("damping", nonzero(m.dof_damping, m.nv), "joints have no damping here; each freedom counts");
    joints("frictionloss", nonzero(m.dof_frictionloss, m.nv), "joints have no friction here; each freedom counts");
    joints("range", nonzero(m.jnt_limited, m.njnt), "joints have no limits here");
    if (m.nmocap > 0)
      say(Severity::notice, xml_.first("body"), "<body mocap>",
          std::to_string(m.nmocap) + (m.nmocap == 1 ? " body stands" : " bodies stand") +
              " still here, at the file's pose");
    if (m.opt.density != 0 || m.opt.viscosity != 0)
      say(Severity::notice, xml_.first("option"), "<option density viscosity>",
          "left out: there are no forces of a fluid here");
  }

  Reading reading_;
  Description& d_ = reading_.description;
  XmlLines xml_;
  const mjModel* m_ = nullptr;
  std::vector<std::string> body_name_, joint_name_;
  Names links_, joints_;
  std::map<std::string, std::array<double, 6>> full_inertia_;
  int full_unread_ = 0, apart_ = 0;
};

}  // namespace

Reading read_mjcf_text(const std::string& text, const std::string& name) { return MjcfReader(name).read(text); }

}  // namespace kinetree
