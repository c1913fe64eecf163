#include "engine/io/mjcf_tendons.hpp"

#include <algorithm>
#include <optional>

namespace kinetree::inline inner {
namespace {

class Tendons {
 public:
  Tendons(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options)
      : r_(r), m_(model), names_(names), options_(options) {}

  MjcfElements read() {
    for (const MjcfUse& use : m_.uses)
      for (const MjcfElement& section : use.source->document.root().children)
        if (section.tag() == "tendon")
          for (const MjcfElement& e : section.children)
            if (e.tag() == "spatial" && tendon(e, use)) taken_.insert(&e);
    return std::move(taken_);
  }

 private:
  bool tendon(const MjcfElement& e, const MjcfUse& use) {
    const int number = number_++;
    const MjcfView view{e, use.source->defaults.of(r_, e, "class", use.source->defaults.main()).of("tendon")};
    std::optional<PointForceDescription> force = spring(view);
    if (!force || !two_sites(e)) return false;
    const char *first = e.children[0].attribute("site"), *second = e.children[1].attribute("site");
    std::vector<std::string> suffixes{use.naming.suffix};
    for (const char* site : {first, second})
      if (const auto found = m_.replicas.find(use.naming.prefix + site); found != m_.replicas.end())
        suffixes = found->second;
    std::vector<PointForceDescription> copies;
    for (const std::string& suffix : suffixes) {
      const MjcfNaming naming{use.naming.prefix, suffix};
      const MjcfSpot *one = site(naming, first), *other = site(naming, second);
      if (!one || !other || one->body == other->body) return false;
      PointForceDescription f = *force;
      const char* name = e.attribute("name");
      f.name = name ? naming(name) : naming("tendon_" + std::to_string(number));
      f.first = end(*one), f.second = end(*other), f.line = e.line();
      if (f.length < 0) {
        if (!rests_as_it_stands()) return false;
        f.length = (stands(*one) - stands(*other)).norm();
      }
      copies.push_back(std::move(f));
    }
    for (PointForceDescription& f : copies) r_.reading.description.forces.push_back(std::move(f));
    return true;
  }

  static bool two_sites(const MjcfElement& e) {
    return e.children.size() == 2 && std::ranges::all_of(e.children, [](const MjcfElement& c) {
             return c.tag() == "site" && c.attribute("site");
           });
  }

  /// Its law, with a length of -1 where the spring is at rest as the model stands; none where the law is another.
  std::optional<PointForceDescription> spring(const MjcfView& view) {
    PointForceDescription f;
    double length[2]{-1, -1}, other = 0;
    r_.number(view, "stiffness", f.stiffness), r_.number(view, "damping", f.damping);
    for (const char* name : {"frictionloss", "armature"}) {
      r_.number(view, name, other);
      if (other != 0) return std::nullopt;
    }
    if (view.get("range")) return std::nullopt;
    if (r_.numbers(view, "springlength", length, 1, 2) == 2 && length[0] != length[1]) return std::nullopt;
    if (!options_.spring) f.stiffness = 0;
    if (!options_.damper) f.damping = 0;
    if (f.stiffness < 0 || f.damping < 0 || (f.stiffness == 0 && f.damping == 0)) return std::nullopt;
    f.length = f.stiffness == 0 ? 0 : length[0] >= 0 ? length[0] : -1;
    return f;
  }

  const MjcfSpot* site(const MjcfNaming& naming, const char* name) const {
    auto found = m_.sites.find(naming(name));
    if (found == m_.sites.end()) found = m_.sites.find(naming.prefix + name);
    return found == m_.sites.end() ? nullptr : &found->second;
  }
  PointForceDescription::End end(const MjcfSpot& spot) const {
    return {spot.body == 0 ? "world" : names_.body[at(spot.body)], three(spot.pose.at)};
  }

  /// MuJoCo takes the length where all joints are at springref.
  bool rests_as_it_stands() const {
    return std::ranges::all_of(m_.joints, [](const MjcfJoint& j) {
      return (j.kind != MjcfJointKind::slide && j.kind != MjcfJointKind::hinge) || j.rest == j.zero;
    });
  }
  Eigen::Vector3d stands(const MjcfSpot& spot) const {
    MjcfPose pose = spot.pose;
    for (int b = spot.body; b != 0; b = m_.bodies[at(b)].parent) pose = m_.bodies[at(b)].pose * pose;
    return pose.at;
  }

  MjcfReading& r_;
  const MjcfModel& m_;
  const MjcfNames& names_;
  const MjcfOptions& options_;
  MjcfElements taken_;
  int number_ = 0;
};

}  // namespace

MjcfElements read_tendons(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options) {
  return Tendons(r, model, names, options).read();
}

}  // namespace kinetree::inline inner
