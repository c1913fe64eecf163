#include "engine/io/mjcf_parts.hpp"

namespace kinetree::inline inner {

namespace {

using GeomKind = MjcfGeomKind;

/// How many numbers its size has.
int sizes_of(GeomKind kind) {
  switch (kind) {
    case GeomKind::sphere:
      return 1;
    case GeomKind::capsule:
    case GeomKind::cylinder:
      return 2;
    case GeomKind::ellipsoid:
    case GeomKind::box:
      return 3;
    default:
      return 0;
  }
}

/// With `fromto` the distance is the length along z.
void stretch(MjcfGeom& geom, double half) {
  if (half == 0) return;
  if (geom.kind == GeomKind::capsule || geom.kind == GeomKind::cylinder) geom.size[1] = half;
  if (geom.kind == GeomKind::ellipsoid || geom.kind == GeomKind::box) geom.size[1] = geom.size[0], geom.size[2] = half;
}

void read_look(MjcfReading& r, const MjcfView& view, const MjcfSource& source, MjcfGeom& geom) {
  r.numbers(view, "rgba", geom.colour.data(), 3, 4);
  const char* material = view.get("material");
  if (!material) return;
  geom.material = material;
  const auto found = source.materials.find(geom.material);
  if (found == source.materials.end()) return;  // how a geom looks is no reason to refuse a file
  const MjcfElement& e = *found->second;
  geom.look.emplace(std::array<double, 4>{1, 1, 1, 1});
  r.numbers({e, source.defaults.of(r, e, "class", source.defaults.main()).of("material")}, "rgba", geom.look->data(), 3,
            4);
}

}  // namespace

MjcfPose read_placed(MjcfReading& r, const MjcfView& view, const MjcfAngles& angles, double& half) {
  half = 0;
  double ends[6];
  if (!r.numbers(view, "fromto", ends, 6, 6)) return read_pose(r, view, angles);
  const Eigen::Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  half = (from - to).norm() / 2;
  if (!(half > 1e-14)) {
    r.refuse(view.element, "its fromto has length zero; give two points");
    return {};
  }
  return {(from + to) / 2, turn_from_z(from - to)};
}

std::optional<MjcfGeom> read_geom(MjcfReading& r, const MjcfView& view, const MjcfSource& source,
                                  const MjcfPose& frame) {
  MjcfGeom geom;
  geom.line = view.element.line();
  geom.kind = static_cast<GeomKind>(
      r.word(view, "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"}, 2));
  if (static_cast<int>(geom.kind) == 8) geom.kind = GeomKind::mesh;  // a mesh with a distance function
  double half = 0;
  geom.pose = frame * read_placed(r, view, source.compiler.angles, half);
  r.numbers(view, "size", geom.size.data(), 1, 3);
  stretch(geom, half);
  double group = 0, bits[2] = {1, 1}, mass = 0;
  if (r.number(view, "group", group)) geom.group = static_cast<int>(std::clamp(group, -1e9, 1e9));
  r.number(view, "contype", bits[0]);
  r.number(view, "conaffinity", bits[1]);
  geom.touches = bits[0] != 0 || bits[1] != 0;
  if (r.number(view, "mass", mass)) geom.mass = mass;
  r.number(view, "density", geom.density);
  if (mass < 0 || geom.density < 0) {
    r.refuse(view.element, "its mass or density is negative; give numbers >= 0");
    return std::nullopt;
  }
  geom.shell = r.flag(view, "shellinertia", false);
  read_look(r, view, source, geom);
  const char* mesh = view.get("mesh");
  if (mesh) {
    const auto found = source.meshes.find(std::string_view(mesh));
    if (found == source.meshes.end()) {
      r.refuse(view.element, "mesh " + in_quotes(mesh) + " is no mesh of this file; give the name of one in <asset>");
      return std::nullopt;
    }
    geom.mesh = &found->second;
  } else if (geom.kind == GeomKind::mesh) {
    r.refuse(view.element, "is a mesh, and names none; give mesh=\"...\"");
    return std::nullopt;
  }
  for (int k = 0; k < sizes_of(geom.kind) && !geom.mesh; ++k)
    if (!(geom.size[k] > 0)) {
      r.refuse(view.element, "number " + std::to_string(k + 1) + " of its size is not positive; give " +
                                 std::to_string(sizes_of(geom.kind)) + " positive numbers");
      return std::nullopt;
    }
  return geom;
}

MjcfPlacedInertia read_inertial(MjcfReading& r, const MjcfView& view, const MjcfCompiler& compiler) {
  MjcfPlacedInertia inertia;
  inertia.line = view.element.line();
  inertia.frame = read_pose(r, view, compiler.angles);
  for (const char* name : {"pos", "mass"})
    if (!view.own(name)) r.refuse(view.element, std::string("has no ") + name + "; give it");
  r.number(view, "mass", inertia.mass);
  if (!view.own("fullinertia")) {
    r.numbers(view, "diaginertia", inertia.moments.data(), 3, 3);
    return inertia;
  }
  r.numbers(view, "fullinertia", inertia.moments.data(), 6, 6);
  for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler", "diaginertia"})
    if (view.own(name)) r.refuse(view.element, std::string("has both fullinertia and ") + name + "; give one of them");
  return inertia;
}

}  // namespace kinetree::inline inner
