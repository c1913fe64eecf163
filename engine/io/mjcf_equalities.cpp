#include "engine/io/mjcf_equalities.hpp"

#include <algorithm>
#include <optional>

namespace kinetree::inline inner {
namespace {

using Eigen::Vector3d;

class Equalities {
 public:
  Equalities(MjcfReading& r, const MjcfModel& model, const MjcfNames& names)
      : r_(r), m_(model), names_(names), stands_(model.bodies.size()) {
    for (std::size_t b = 1; b < m_.bodies.size(); ++b)
      stands_[b] = stands_[at(m_.bodies[b].parent)] * m_.bodies[b].pose;
  }

  void read(const MjcfOptions& options) {
    const bool off = !options.equality || !options.constraint;
    for (const MjcfUse& use : m_.uses) {
      use_ = &use;
      note_tendons();
      for (const MjcfElement& section : use.source->document.root().children)
        if (section.tag() == "equality")
          for (const MjcfElement& e : section.children) equality(e, off);
    }
    if (inactive_ > 0)
      r_.say(Severity::notice, first_, "<equality>",
             "left out, " + times(inactive_) + ": they are not active in the file");
    if (taken_ > 0)
      r_.say(Severity::notice, first_, "<equality>",
             "holds exactly here (" + std::to_string(taken_) +
                 "), where MuJoCo's are soft: solref and solimp are left out");
  }

 private:
  static std::string times(int count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

  void note_tendons() {
    tendons_.clear();
    for (const MjcfElement& section : use_->source->document.root().children)
      if (section.tag() == "tendon")
        for (const MjcfElement& e : section.children)
          if (const char* name = e.attribute("name")) tendons_.emplace(name, &e);
  }

  /// The copies of an equality: one, or where it names what was replicated one for each replica.
  void equality(const MjcfElement& e, bool off) {
    const std::string_view tag = e.tag();
    if (tag != "connect" && tag != "weld" && tag != "joint" && tag != "tendon") return;
    if (first_ == 0) first_ = e.line();
    const MjcfView view{e, use_->source->defaults.of(r_, e, "class", use_->source->defaults.main()).of("equality")};
    if (!r_.flag(view, "active", true) || off) return void(++inactive_);
    const int number = number_++;
    std::vector<std::string> suffixes;
    for (const char* attribute : {"body1", "body2", "site1", "site2", "joint1", "joint2"})
      if (const char* name = e.attribute(attribute)) {
        const auto found = m_.replicas.find(use_->naming.prefix + name);
        if (found != m_.replicas.end() && suffixes.empty()) suffixes = found->second;
      }
    if (suffixes.empty()) suffixes.push_back(use_->naming.suffix);
    for (const std::string& suffix : suffixes) {
      naming_ = {use_->naming.prefix, suffix};
      const char* name = e.attribute("name");
      name_ = name ? naming_(name) : "equality_" + std::to_string(suffixes.size() == 1 ? number : number_++);
      element_ = "equality " + in_quotes(name_);
      one(view);
    }
  }

  void one(const MjcfView& view) {
    const std::string_view tag = view.element.tag();
    const bool good = tag == "connect" || tag == "weld" ? loop(view, tag == "weld") : coupling(view, tag == "tendon");
    taken_ += good;
  }

  // ---- names

  /// What an attribute names; with an error where there is none.
  template <class Table>
  const typename Table::mapped_type* find(const MjcfView& view, const char* attribute, const Table& table,
                                          const char* kind) {
    const char* name = view.element.attribute(attribute);
    if (!name) return nullptr;
    auto found = table.find(naming_(name));
    if (found == table.end()) found = table.find(naming_.prefix + name);
    if (found != table.end()) return &found->second;
    if (use_ == &m_.uses.front())  // of an attached model not everything comes along
      refuse(view, std::string(attribute) + " " + in_quotes(name) + " is no " + kind + " of this model; give a " +
                       kind + "'s name");
    return nullptr;
  }

  void refuse(const MjcfView& view, std::string message) {
    r_.say(Severity::error, view.element.line(), element_, std::move(message));
  }

  // ---- loops

  struct Ends {
    MjcfSpot one, two;
  };

  /// The two frames: those of sites, or of bodies, with the world where body2 is not given.
  std::optional<Ends> ends(const MjcfView& view) {
    const bool sites = view.own("site1") || view.own("site2");
    const char *first = sites ? "site1" : "body1", *second = sites ? "site2" : "body2";
    if (!view.own(first) || (sites && !view.own(second))) {
      refuse(view, std::string("names no ") + (view.own(first) ? second : first) + "; give " +
                       (sites ? "both sites" : "body1, or site1 and site2"));
      return std::nullopt;
    }
    Ends found;
    for (const bool other : {false, true}) {
      const char* name = other ? second : first;
      MjcfSpot& end = other ? found.two : found.one;
      if (!view.own(name)) continue;
      if (sites) {
        const MjcfSpot* spot = find(view, name, m_.sites, "site");
        if (!spot) return std::nullopt;
        end = *spot;
      } else if (std::string_view(view.own(name)) != "world") {
        const int* body = find(view, name, m_.body_called, "body");
        if (!body) return std::nullopt;
        end.body = *body;
      }
    }
    return found;
  }

  bool loop(const MjcfView& view, bool weld) {
    const auto found = ends(view);
    if (!found) return false;
    const MjcfSpot &one = found->one, &two = found->two;
    const bool sites = view.own("site1");
    LoopDescription loop;
    loop.name = name_;
    loop.type = weld ? "weld" : "spherical";
    loop.line = view.element.line();
    MjcfPose first = one.pose, second = two.pose;
    if (!sites) {
      Vector3d anchor(0, 0, 0);
      const bool given = r_.numbers(view, "anchor", anchor.data(), 3, 3);
      if (!weld && !given) return refuse(view, "has no anchor; give anchor=\"x y z\", or site1 and site2"), false;
      const MjcfPose apart = stands_[at(one.body)].inverse() * stands_[at(two.body)];  // of the second in the first
      if (!weld) {
        first.at = anchor;
        second.at = apart.inverse().at + apart.inverse().turn * anchor;
      } else {
        // the anchor stands in the second body, and `relpose` says where it is in the first, and how the second body
        // stands there; an orientation of zero, the default, means the file's pose
        double pose[7] = {0, 1, 0, 0, 0, 0, 0};
        second.at = anchor;
        first = apart * second;
        if (r_.numbers(view, "relpose", pose, 7, 7) && Eigen::Vector4d(pose + 3).norm() > 1e-14)
          first = {Vector3d(pose[0], pose[1], pose[2]),
                   Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized()};
      }
    }
    loop.first = {names_.body[at(one.body)], placement(first)};
    loop.second = {names_.body[at(two.body)], placement(second)};
    r_.reading.description.loops.push_back(std::move(loop));
    return true;
  }

  // ---- couplings

  /// A linear combination of joint positions, and its value at the file's pose.
  struct Combination {
    std::vector<CouplingDescription::Term> terms;
    double zero = 0;
  };

  bool add_joint(const MjcfView& view, const char* attribute, double factor, Combination& sum) {
    const int* found = find(view, attribute, m_.joint_called, "joint");
    if (!found) return false;
    const MjcfJoint& j = m_.joints[at(*found)];
    if (j.kind != MjcfJointKind::hinge && j.kind != MjcfJointKind::slide)
      return refuse(view, "couples " + called(view.element) + ", which is neither a hinge nor a slide"), false;
    sum.terms.push_back({names_.joint[at(*found)], factor});
    sum.zero += factor * j.zero;
    return true;
  }

  bool add_tendon(const MjcfView& view, const char* attribute, Combination& sum) {
    const auto found = tendons_.find(std::string_view(view.element.attribute(attribute)));
    if (found == tendons_.end())
      return refuse(view, std::string(attribute) + " " + in_quotes(view.element.attribute(attribute)) +
                              " is no tendon of this model; give a tendon's name"),
             false;
    const MjcfElement& tendon = *found->second;
    if (tendon.tag() != "fixed")
      return refuse(view, "couples the spatial tendon " + in_quotes(found->first) +
                              ", which is not linear in joint positions; take it out or make it inactive"),
             false;
    for (const MjcfElement& c : tendon.children) {
      double factor = 1;
      if (c.tag() != "joint") continue;
      r_.number({c}, "coef", factor);
      if (!c.attribute("joint")) return r_.refuse(c, "names no joint; give joint=\"...\""), false;
      if (!add_joint({c}, "joint", factor, sum)) return false;
    }
    return true;
  }

  /// From a polynomial of x - x0 without its constant to one of x (Horner's shift); what the constant becomes.
  static double about_zero(double* c, const Combination& x) {
    double constant = 0;
    for (int first = 0; first < 4; ++first)
      for (int k = 3; k >= first; --k) (k > 0 ? c[k] : constant) -= x.zero * c[k + 1];
    return constant;
  }

  /// A joint may be on both sides.
  static void add(CouplingDescription& coupling, const CouplingDescription::Term& term) {
    if (term.coefficient == 0 && term.linear()) return;
    for (auto& other : coupling.terms) {
      if (other.joint != term.joint) continue;
      other.coefficient += term.coefficient;
      for (std::size_t k = 0; k < 3; ++k) other.powers[k] += term.powers[k];
      return;
    }
    coupling.terms.push_back(term);
  }

  /// MuJoCo's y - y0 = c0 + c1 (x - x0) + ... + c4 (x - x0)^4, as y - c1 x - ... = c0 + y0 - c1 x0 + ...
  bool coupling(const MjcfView& view, bool tendons) {
    const char *first = tendons ? "tendon1" : "joint1", *second = tendons ? "tendon2" : "joint2";
    if (!view.own(first)) return refuse(view, std::string("names no ") + first + "; give it"), false;
    double c[5] = {0, 1, 0, 0, 0};
    r_.numbers(view, "polycoef", c, 1, 5);
    Combination y, x;
    if (!(tendons ? add_tendon(view, first, y) : add_joint(view, first, 1, y))) return false;
    if (view.own(second) && !(tendons ? add_tendon(view, second, x) : add_joint(view, second, 1, x))) return false;
    const bool curved = c[2] != 0 || c[3] != 0 || c[4] != 0;
    if (curved && x.terms.size() > 1)
      return refuse(view, "its polycoef " + in_quotes(view.get("polycoef")) +
                              " bends the sum of the joints of tendon " + in_quotes(view.own(second)) +
                              "; kinetree has powers of one joint's position: set the last three numbers to 0, or make "
                              "it inactive"),
             false;
    CouplingDescription coupling{name_, y.terms, c[0] + y.zero, view.element.line()};
    if (x.terms.empty()) c[1] = 0;
    if (curved && !x.terms.empty())
      coupling.offset += about_zero(c, x);
    else
      coupling.offset -= c[1] * x.zero;
    for (const auto& term : x.terms) {
      CouplingDescription::Term moved{term.joint, -c[1] * term.coefficient};
      if (curved) {
        double power = term.coefficient;
        for (std::size_t k = 0; k < 3; ++k) moved.powers[k] = -c[k + 2] * (power *= term.coefficient);
      }
      add(coupling, moved);
    }
    r_.reading.description.couplings.push_back(std::move(coupling));
    return true;
  }

  MjcfReading& r_;
  const MjcfModel& m_;
  const MjcfNames& names_;
  std::vector<MjcfPose> stands_;  ///< of bodies in the world, where every joint stands at its `zero`
  const MjcfUse* use_ = nullptr;
  std::map<std::string, const MjcfElement*, std::less<>> tendons_;
  MjcfNaming naming_;
  std::string name_, element_;
  int first_ = 0, inactive_ = 0, taken_ = 0, number_ = 0;
};

}  // namespace

void read_equalities(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options) {
  Equalities(r, model, names).read(options);
}

}  // namespace kinetree::inline inner
