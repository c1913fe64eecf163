#include "engine/io/mjcf_shapes.hpp"

#include <map>

namespace kinetree::inline inner {
namespace {

std::string name_of(const mjModel& m, int kind, int id) {
  const char* name = mj_id2name(&m, kind, id);
  return name ? name : "";
}

/// Type and size in our words, which has lengths where MuJoCo has half of them; false: it has no counterpart.
bool take_size(int type, const mjtNum* size, ShapeDescription& s) {
  switch (type) {
    case mjGEOM_PLANE:
      s.type = "plane";
      if (size[0] > 0 && size[1] > 0) s.size = {2 * size[0], 2 * size[1]};
      return true;
    case mjGEOM_SPHERE:
      s.type = "sphere", s.size = {size[0]};
      return true;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      s.type = type == mjGEOM_CAPSULE ? "capsule" : "cylinder", s.size = {size[0], 2 * size[1]};
      return true;
    case mjGEOM_ELLIPSOID:
      s.type = "ellipsoid", s.size = {size[0], size[1], size[2]};
      return true;
    case mjGEOM_BOX:
      s.type = "box", s.size = {2 * size[0], 2 * size[1], 2 * size[2]};
      return true;
    default:
      return false;
  }
}

MaterialDescription material(const mjModel& m, int geom) {
  MaterialDescription look;
  const int id = m.geom_matid[geom];
  const float* rgba = id >= 0 ? m.mat_rgba + 4 * id : m.geom_rgba + 4 * geom;
  if (id >= 0) look.name = name_of(m, mjOBJ_MATERIAL, id);
  look.rgba.emplace();
  for (std::size_t k = 0; k < 4; ++k) (*look.rgba)[k] = std::min(1.0, std::max(0.0, static_cast<double>(rgba[k])));
  return look;
}

/// The frame of what a sensor senses, and the body that it is on; false: it has none.
bool frame_of(const mjModel& m, int kind, int id, int& body, Placement& frame) {
  switch (kind) {
    case mjOBJ_SITE:
      body = m.site_bodyid[id];
      frame = placement(three(m.site_pos + 3 * id), m.site_quat + 4 * id);
      return true;
    case mjOBJ_GEOM:
      body = m.geom_bodyid[id];
      frame = placement(three(m.geom_pos + 3 * id), m.geom_quat + 4 * id);
      return true;
    case mjOBJ_CAMERA:
      body = m.cam_bodyid[id];
      frame = placement(three(m.cam_pos + 3 * id), m.cam_quat + 4 * id);
      return true;
    case mjOBJ_BODY:  // the body's inertial frame
      body = id;
      frame = placement(three(m.body_ipos + 3 * id), m.body_iquat + 4 * id);
      return true;
    case mjOBJ_XBODY:
      body = id;
      return true;
    default:
      return false;
  }
}

/// MJCF's words, in the order of MuJoCo's numbers as far as these sensors have frames.
std::string word_of(int type) {
  static const std::map<int, const char*> words{{mjSENS_TOUCH, "touch"},
                                                {mjSENS_ACCELEROMETER, "accelerometer"},
                                                {mjSENS_VELOCIMETER, "velocimeter"},
                                                {mjSENS_GYRO, "gyro"},
                                                {mjSENS_FORCE, "force"},
                                                {mjSENS_TORQUE, "torque"},
                                                {mjSENS_MAGNETOMETER, "magnetometer"},
                                                {mjSENS_RANGEFINDER, "rangefinder"},
                                                {mjSENS_FRAMEPOS, "framepos"},
                                                {mjSENS_FRAMEQUAT, "framequat"},
                                                {mjSENS_FRAMEXAXIS, "framexaxis"},
                                                {mjSENS_FRAMEYAXIS, "frameyaxis"},
                                                {mjSENS_FRAMEZAXIS, "framezaxis"},
                                                {mjSENS_FRAMELINVEL, "framelinvel"},
                                                {mjSENS_FRAMEANGVEL, "frameangvel"},
                                                {mjSENS_FRAMELINACC, "framelinacc"},
                                                {mjSENS_FRAMEANGACC, "frameangacc"}};
  const auto found = words.find(type);
  return found == words.end() ? "" : found->second;
}

}  // namespace

void read_shapes(MjcfReading& mjcf) {
  const mjModel& m = *mjcf.compiled;
  std::map<std::string, BodyDescription*> bodies;
  for (BodyDescription& b : mjcf.reading.description.bodies) bodies.emplace(b.name, &b);
  int on_ground = 0, without = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    ShapeDescription s;
    if (m.geom_bodyid[g] == 0) {
      ++on_ground;
      continue;
    }
    if (!take_size(m.geom_type[g], m.geom_size + 3 * g, s)) {
      ++without;
      continue;
    }
    s.name = name_of(m, mjOBJ_GEOM, g);
    s.line = s.name.empty() ? 0 : mjcf.xml.line("geom", s.name);
    s.frame = placement(three(m.geom_pos + 3 * g), m.geom_quat + 4 * g);
    BodyDescription& body = *bodies.at(mjcf.body_name[at(m.geom_bodyid[g])]);
    if (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0) body.collisions.push_back(s);
    s.material = material(m, g);
    body.visuals.push_back(std::move(s));
  }
  mjcf.left_out("geom", on_ground, "of the world, which is the ground");
  mjcf.left_out("geom", without, "MuJoCo keeps no frame of a mesh's own, and a height field has no counterpart");
}

void read_sensors(MjcfReading& mjcf) {
  const mjModel& m = *mjcf.compiled;
  int without = 0;
  for (int k = 0; k < m.nsensor; ++k) {
    SensorDescription s;
    int body = 0;
    s.type = word_of(m.sensor_type[k]);
    if (s.type.empty() || !frame_of(m, m.sensor_objtype[k], m.sensor_objid[k], body, s.frame)) {
      ++without;
      continue;
    }
    s.name = name_of(m, mjOBJ_SENSOR, k);
    s.line = s.name.empty() ? 0 : mjcf.xml.line("sensor/" + s.type, s.name);
    s.link = mjcf.body_name[at(body)];
    mjcf.reading.description.sensors.push_back(std::move(s));
  }
  mjcf.left_out("sensor", without, "they have no frame");
}

}  // namespace kinetree::inline inner
