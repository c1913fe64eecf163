#include "engine/io/sdf_auto_inertia.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <sdf/sdf.hh>
#include <utility>
#include <vector>

#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_shapes.hpp"
#include "engine/io/sdf_user_text.hpp"
#include "engine/io/solid_inertia.hpp"
#include "engine/model/shapes.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double density_of_water = 1000;  // SDFormat's default

/// Collisions of one link.
class SdfCollisions {
 public:
  using Say = std::function<void(Severity, std::string)>;
  SdfCollisions(const sdf::Link& link, const BodyDescription& body, const std::string& file, SdfMeshes& meshes,
                const Say& say)
      : link_(link), body_(body), file_(file), meshes_(meshes), say_(say) {}

  /// In the link's axes. None, with an error: it has no volume or no density that counts. `without_density`: whether
  /// water's counts.
  std::optional<SolidInertia> inertia(const sdf::Collision& c, bool& without_density) const {
    const std::string called = "collision \"" + c.Name() + "\"";
    const auto density = density_of(c, called, without_density);
    const auto solid = solid_of(c, called);
    if (!density || !solid) return std::nullopt;
    SolidInertia all = *solid;
    all.mass *= *density;
    all.moments *= *density;
    if (!(all.mass > 0) || !std::isfinite(all.mass)) {
      fail(called + " has a mass of " + number_text(all.mass) + " kg; give it another size or density");
      return std::nullopt;
    }
    const Placement p = sdf_frame_of(c.SemanticPose());
    const Eigen::Quaterniond turn(p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2]);
    return placed(all, turn.normalized().toRotationMatrix(), {p.xyz[0], p.xyz[1], p.xyz[2]});
  }

 private:
  void fail(std::string message) const { say_(Severity::error, std::move(message)); }

  std::optional<double> density_of(const sdf::Collision& c, const std::string& called, bool& without) const {
    const sdf::ElementPtr inertial = link_.Element()->FindElement("inertial");
    without = false;
    for (const auto& [e, owner] : {std::pair{c.Element(), called}, std::pair{inertial, std::string("<inertial>")}}) {
      if (!e->HasElement("density")) continue;
      const std::string& whose = owner;  // clang 14 captures no binding
      bool sound = true;
      const double density = user_number(e, "density", density_of_water, [&](std::string message) {
        sound = false;
        fail("of " + whose + " the " + std::move(message));
      });
      if (!sound) return std::nullopt;
      if (density > 0 && std::isfinite(density)) return density;
      fail("of " + whose + " the <density> is " + number_text(density) + " kg/m³; give a finite one above 0");
      return std::nullopt;
    }
    without = true;
    return density_of_water;
  }

  std::optional<SolidInertia> solid_of(const sdf::Collision& c, const std::string& called) const {
    const auto refuse = [&](const std::string& why) {
      fail("its automatic inertia can't be found: " + called + " " + why +
           "; give the link <mass> and <inertia> without auto");
      return std::nullopt;
    };
    const sdf::ElementPtr geometry = c.Element()->FindElement("geometry");
    if (const auto cone = geometry ? geometry->FindElement("cone") : nullptr) return cone_of(cone, called);
    for (const ShapeDescription& s : body_.collisions) {
      if (s.name != c.Name()) continue;
      const std::vector<double>& x = s.size;
      if (s.type == "box") return solid_box(Eigen::Vector3d(x[0], x[1], x[2]) / 2);
      if (s.type == "sphere") return solid_sphere(x[0]);
      if (s.type == "cylinder") return solid_cylinder(x[0], x[1]);
      if (s.type == "capsule") return solid_capsule(x[0], x[1]);
      if (s.type == "ellipsoid") return solid_ellipsoid({x[0], x[1], x[2]});
      if (s.type == "mesh") return mesh_of(*c.Geom()->MeshShape(), called);
      return refuse("is a " + s.type + ", which has no volume");
    }
    return refuse("has no geometry that kinetree reads");
  }

  std::optional<SolidInertia> mesh_of(const sdf::Mesh& mesh, const std::string& called) const {
    const std::string which = called + "'s mesh \"" + mesh.Uri() + "\" ";
    std::string why, warning;
    const auto found = meshes_.solid_of(mesh, file_, why, warning);
    if (!found)
      fail("its automatic inertia can't be found: " + which + why +
           "; or give the link <mass> and <inertia> without auto");
    if (!warning.empty()) say_(Severity::warning, "of its automatic inertia " + which + warning);
    return found;
  }

  std::optional<SolidInertia> cone_of(const sdf::ElementPtr& e, const std::string& called) const {
    double size[2] = {0, 0};
    bool sound = true;
    const auto fault = [&](const std::string& message) {
      sound = false;
      fail("of the cone of " + called + " the " + message);
    };
    for (const int k : {0, 1}) {
      const std::string tag = k ? "length" : "radius";
      size[k] = user_number(e, tag, 1, fault);
      if (!e->HasElement(tag)) fault("<" + tag + "> is missing; give it");
      if (sound && (!(size[k] > 0) || !std::isfinite(size[k])))
        fault("<" + tag + "> is " + number_text(size[k]) + " m; give a finite one above 0");
    }
    return sound ? std::optional(solid_cone(size[0], size[1])) : std::nullopt;
  }

  const sdf::Link& link_;
  const BodyDescription& body_;
  const std::string& file_;
  SdfMeshes& meshes_;
  const Say& say_;
};

}  // namespace

bool SdfAutoInertias::asked_for(const sdf::Link& link) {
  const sdf::ElementPtr inertial = link.Element()->FindElement("inertial");
  return inertial && is_true_in_sdf(user_attribute(inertial, auto_in_older_sdf));
}

void SdfAutoInertias::take(const sdf::Link& link, BodyDescription& body) {
  const SdfCollisions::Say say = [&](Severity severity, std::string message) {
    reading_.findings.push_back(
        {severity, reading_.description.file, body.line, "link \"" + body.name + "\"", std::move(message)});
  };
  const sdf::ElementPtr inertial = link.Element()->FindElement("inertial");
  if (is_given(inertial, "pose") || is_given(inertial, "inertia")) overwritten_.note(body.line);
  if (link.CollisionCount() == 0)
    return say(
        Severity::error,
        "its inertia is automatic, and it has no <collision>; give it one, or <mass> and <inertia> without auto");
  const std::string included = places_.file_of(link.Element());
  const SdfCollisions collisions(link, body, included.empty() ? reading_.description.file : included, meshes_, say);
  std::vector<SolidInertia> parts;
  for (std::uint64_t k = 0; k < link.CollisionCount(); ++k) {
    const sdf::Collision& c = *link.CollisionByIndex(k);
    bool without_density = false;
    if (auto part = collisions.inertia(c, without_density)) parts.push_back(std::move(*part));
    if (without_density && !is_given(inertial, "mass")) without_density_.note(places_.line_of(c.Element()));
  }
  if (parts.size() != link.CollisionCount()) return;
  SolidInertia all = sum_of(parts);
  if (is_given(inertial, "mass")) {
    const double mass = link.Inertial().MassMatrix().Mass();
    all.moments *= mass / all.mass;
    all.mass = mass;
  }
  if (std::ranges::any_of(body.collisions, [](const ShapeDescription& s) { return s.type == "mesh"; }))
    say(Severity::notice,
        "its automatic inertia, with a mass of " + number_text(all.mass, 4) + " kg, comes from meshes");
  const Eigen::Matrix3d& I = all.moments;
  body.inertial = InertialDescription{all.mass,
                                      {{all.centre[0], all.centre[1], all.centre[2]}, {0, 0, 0, 1}},
                                      {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)},
                                      body.line};
}

void SdfAutoInertias::say_what_counts() {
  const auto say = [&](Severity severity, const Seen& seen, const std::string& tag, const std::string& message) {
    if (seen.count > 0)
      reading_.findings.push_back({severity, reading_.description.file, seen.line, tag,
                                   message.substr(0, message.find('|')) + count_of(seen.count, "time") +
                                       message.substr(message.find('|') + 1)});
  };
  say(Severity::notice, without_density_, "<collision>",
      "without <density> in a link of automatic inertia, |: SDFormat's default counts, 1000 kg/m³");
  say(Severity::warning, overwritten_, "<inertial>",
      "<pose> or <inertia> beside auto=\"true\" are left out, |: the collisions count, as in SDFormat");
}

}  // namespace kinetree::inline inner
