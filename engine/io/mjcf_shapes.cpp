#include "engine/io/mjcf_shapes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace kinetree::inline inner {
namespace {

using Kind = MjcfGeomKind;

/// Type and size in our words, which has lengths where MuJoCo has half of them; false: it has no counterpart.
bool take_size(const MjcfGeom& geom, ShapeDescription& s) {
  const Eigen::Vector3d& size = geom.size;
  switch (geom.kind) {
    case Kind::plane:
      s.type = "plane";
      if (size[0] > 0 && size[1] > 0) s.size = {2 * size[0], 2 * size[1]};
      return true;
    case Kind::sphere:
      s.type = "sphere", s.size = {size[0]};
      return !geom.mesh;
    case Kind::capsule:
    case Kind::cylinder:
      s.type = geom.kind == Kind::capsule ? "capsule" : "cylinder", s.size = {size[0], 2 * size[1]};
      return !geom.mesh;
    case Kind::ellipsoid:
      s.type = "ellipsoid", s.size = {size[0], size[1], size[2]};
      return !geom.mesh;
    case Kind::box:
      s.type = "box", s.size = {2 * size[0], 2 * size[1], 2 * size[2]};
      return !geom.mesh;
    case Kind::mesh: {
      const MjcfMesh& mesh = *geom.mesh;
      const bool even = mesh.scale[0] == mesh.scale[1] && mesh.scale[1] == mesh.scale[2];
      s.type = "mesh", s.mesh = mesh.file.string(), s.size = {mesh.scale[0], mesh.scale[1], mesh.scale[2]};
      return !s.mesh.empty() && (even || mesh.origin.turn.vec().isZero(0));  // else it is scaled along axes of its own
    }
    default:
      return false;
  }
}

/// The frame of the shape's own numbers: a mesh's file, scaled, before refpos and refquat.
MjcfPose frame_of(const MjcfGeom& geom) {
  if (geom.kind != Kind::mesh) return geom.pose;
  MjcfPose origin = geom.mesh->origin;
  origin.at = origin.at.cwiseProduct(geom.mesh->scale);
  return geom.pose * origin.inverse();
}

/// A geom's own colour counts before its material's, but for MuJoCo's default.
MaterialDescription material(const MjcfGeom& geom) {
  MaterialDescription look;
  look.name = geom.material;
  const bool own = !geom.look || geom.colour != MjcfGeom{}.colour;
  look.rgba = own ? geom.colour : *geom.look;
  for (double& x : *look.rgba) x = std::clamp(x, 0., 1.);
  return look;
}

void left_out(MjcfReading& r, int line, const char* tag, int count, const char* why) {
  if (count > 0)
    r.say(Severity::notice, line, "<" + std::string(tag) + ">",
          "left out, " + std::to_string(count) + (count == 1 ? " time: " : " times: ") + why);
}

/// MJCF's words for sensors with a frame: of a site, and of an object that the sensor names with its type.
const std::set<std::string_view> of_sites{"touch", "accelerometer", "velocimeter",  "gyro",
                                          "force", "torque",        "magnetometer", "rangefinder"};
const std::set<std::string_view> of_objects{"framepos",    "framequat",   "framexaxis",  "frameyaxis", "framezaxis",
                                            "framelinvel", "frameangvel", "framelinacc", "frameangacc"};

class Sensors {
 public:
  Sensors(MjcfReading& r, const MjcfModel& model, const MjcfNames& names) : r_(r), m_(model), names_(names) {
    for (std::size_t b = 0; b < r.reading.description.bodies.size(); ++b)
      described_.emplace(r.reading.description.bodies[b].name, b);
  }

  void read() {
    for (const MjcfUse& use : m_.uses)
      for (const MjcfElement& section : use.source->document.root().children)
        if (section.tag() == "sensor")
          for (const MjcfElement& e : section.children) sensor(e, use);
    left_out(r_, first_, "sensor", without_, "they have no frame");
  }

 private:
  void sensor(const MjcfElement& e, const MjcfUse& use) {
    const bool on_site = of_sites.count(e.tag()), on_object = of_objects.count(e.tag());
    const char* object = on_site ? e.attribute("site") : on_object ? e.attribute("objname") : nullptr;
    const char* type = on_site ? "site" : e.attribute("objtype");
    std::vector<std::string> suffixes{use.naming.suffix};
    if (object)
      if (const auto found = m_.replicas.find(use.naming.prefix + object); found != m_.replicas.end())
        suffixes = found->second;
    for (const std::string& suffix : suffixes) {
      const MjcfNaming naming{use.naming.prefix, suffix};
      std::optional<MjcfSpot> spot;
      if (object && type) spot = named(type, naming(object));
      if (!spot) {
        if (++without_ == 1) first_ = e.line();
        continue;
      }
      SensorDescription s;
      s.name = naming(e.attribute("name") ? e.attribute("name") : "");
      s.type = e.tag();
      s.line = e.line();
      s.link = names_.body[at(spot->body)];
      s.frame = placement(spot->pose);
      r_.reading.description.sensors.push_back(std::move(s));
    }
  }

  std::optional<MjcfSpot> named(std::string_view type, const std::string& name) const {
    const auto spot = [&](const auto& table) -> std::optional<MjcfSpot> {
      const auto found = table.find(name);
      return found == table.end() ? std::nullopt : std::optional<MjcfSpot>(found->second);
    };
    if (type == "site") return spot(m_.sites);
    if (type == "camera") return spot(m_.cameras);
    if (type == "geom") {
      const auto found = m_.geom_called.find(name);
      if (found == m_.geom_called.end()) return std::nullopt;
      const MjcfGeom& geom = m_.geoms[at(found->second)];
      return MjcfSpot{geom.body, geom.pose};
    }
    const auto found = m_.body_called.find(name);
    if (found == m_.body_called.end()) return std::nullopt;
    MjcfSpot body{found->second, {}};
    if (type == "body") {  // the body's inertial frame
      const auto& own = r_.reading.description.bodies[described_.at(names_.body[at(body.body)])].inertial;
      if (own) {
        body.pose.at = {own->frame.xyz[0], own->frame.xyz[1], own->frame.xyz[2]};
        const auto& q = own->frame.quaternion;
        body.pose.turn = {q[3], q[0], q[1], q[2]};
      }
    }
    return body;
  }

  MjcfReading& r_;
  const MjcfModel& m_;
  const MjcfNames& names_;
  std::unordered_map<std::string, std::size_t> described_;
  int without_ = 0, first_ = 0;
};

}  // namespace

void read_shapes(MjcfReading& r, const MjcfModel& m, const MjcfNames& names) {
  std::unordered_map<std::string_view, BodyDescription*> bodies;
  for (BodyDescription& b : r.reading.description.bodies) bodies.emplace(b.name, &b);
  int without = 0, first = 0;
  for (const MjcfGeom& geom : m.geoms) {
    if (geom.body == 0) continue;
    ShapeDescription s;
    if (!take_size(geom, s)) {
      if (without++ == 0) first = geom.line;
      continue;
    }
    s.name = geom.name;
    s.line = geom.line;
    s.frame = placement(frame_of(geom));
    BodyDescription& body = *bodies.at(names.body[at(geom.body)]);
    if (geom.touches) body.collisions.push_back(s);
    s.material = material(geom);
    body.visuals.push_back(std::move(s));
  }
  left_out(r, m.first_ground_geom, "geom", m.ground_geoms, "of the world, which is the ground");
  left_out(r, first, "geom", without,
           "a height field, a mesh in the file itself and a primitive fitted to a mesh have no counterpart");
}

void read_sensors(MjcfReading& r, const MjcfModel& model, const MjcfNames& names) { Sensors(r, model, names).read(); }

}  // namespace kinetree::inline inner
