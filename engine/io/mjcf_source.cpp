#include "engine/io/mjcf_source.hpp"

#include <algorithm>
#include <utility>

#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

namespace fs = std::filesystem;

void MjcfSource::read(MjcfReading& r) {
  const MjcfElement& root = document.root();
  for (const MjcfElement& e : root.children)
    if (e.tag() == "compiler") read_compiler(r, e);
  defaults.read(r, root);
  for (const MjcfElement& section : root.children) {
    if (section.tag() != "asset") continue;
    for (const MjcfElement& e : section.children) {
      const char* name = e.attribute("name");
      if (e.tag() == "mesh")
        read_mesh(r, e);
      else if (e.tag() == "material" && name)
        materials.emplace(name, &e);
      else if (e.tag() == "model")
        models.emplace(name ? name : fs::path(e.attribute("file") ? e.attribute("file") : "").stem().string(), &e);
    }
  }
}

void MjcfSource::read_compiler(MjcfReading& r, const MjcfElement& e) {
  const MjcfView view{e};
  MjcfCompiler& c = compiler;
  c.angles.degrees = r.word(view, "angle", {"radian", "degree"}, c.angles.degrees) == 1;
  if (const char* order = view.get("eulerseq")) {
    std::string axes(order);
    if (axes.size() == 3 && axes.find_first_not_of("xyzXYZ") == std::string::npos)
      c.angles.order = axes;
    else
      r.refuse(e, "eulerseq " + in_quotes(axes) + " is not three of x, y, z, X, Y, Z");
  }
  if (r.word(view, "coordinate", {"local", "global"}, 0) == 1)
    r.refuse(e, "coordinate \"global\" is read by no MuJoCo since 3.0; let an older MuJoCo write the model out anew");
  c.exact_meshes = r.flag(view, "exactmeshinertia", c.exact_meshes);
  c.strip_path = r.flag(view, "strippath", c.strip_path);
  c.fit_to_boxes = r.flag(view, "fitaabb", c.fit_to_boxes);
  c.balance = r.flag(view, "balanceinertia", c.balance);
  c.inertia_from_geoms = r.word(view, "inertiafromgeom", {"false", "true", "auto"}, c.inertia_from_geoms);
  double groups[2];
  if (r.numbers(view, "inertiagrouprange", groups, 2, 2)) {
    c.first_group = static_cast<int>(std::clamp(groups[0], -1e9, 1e9));
    c.last_group = static_cast<int>(std::clamp(groups[1], -1e9, 1e9));
  }
  r.number(view, "boundmass", c.least_mass);
  r.number(view, "boundinertia", c.least_moment);
  r.number(view, "settotalmass", c.total_mass);
  for (const char* name : {"assetdir", "meshdir"})
    if (const char* text = view.get(name)) c.mesh_folder = text;
}

void MjcfSource::read_mesh(MjcfReading& r, const MjcfElement& e) {
  const MjcfView view{e, defaults.of(r, e, "class", defaults.main()).of("mesh")};
  MjcfMesh mesh;
  mesh.element = &e;
  const char *name = view.own("name"), *file = view.own("file");
  if (file) {
    const fs::path given = compiler.strip_path ? fs::path(file).filename() : fs::path(file);
    mesh.file = folder / compiler.mesh_folder / given;
    std::error_code error;
    if (*e.folder != folder && !fs::exists(mesh.file, error)) {
      // an included file may name a mesh that lies in its own folder
      const fs::path beside = *e.folder / compiler.mesh_folder / given;
      if (fs::exists(beside, error)) mesh.file = beside;
    }
  }
  mesh.name = name ? name : fs::path(file ? file : "").stem().string();
  r.numbers(view, "scale", mesh.scale.data(), 3, 3);
  r.numbers(view, "refpos", mesh.origin.at.data(), 3, 3);
  double q[4];
  if (r.numbers(view, "refquat", q, 4, 4) && Eigen::Vector4d(q).norm() > 1e-14)
    mesh.origin.turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  mesh.inertia = static_cast<MjcfMeshInertia>(
      r.word(view, "inertia", {"convex", "exact", "legacy", "shell"}, compiler.exact_meshes ? 1 : 2));
  double most = -1;
  if (r.number(view, "maxhullvert", most)) {
    if (most != -1 && !(most > 3))
      r.refuse(e, "maxhullvert " + number_text(most) + " is not above 3; give more, or -1");
    mesh.most_hull_points = most > 3 ? static_cast<int>(std::min(most, 1e9)) : -1;
  }
  if (mesh.name.empty()) return r.refuse(e, "has neither a name nor a file; give it a name");
  const std::string key = mesh.name;
  if (!meshes.emplace(key, std::move(mesh)).second)
    r.refuse(e, "the name " + in_quotes(key) + " is taken by another mesh; names must be unique");
}

}  // namespace kinetree::inline inner
