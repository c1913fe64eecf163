// Mesh files: the first byte says which, s STL, o OBJ, m MSH, and the file follows.
#include "engine/io/mesh_closed.hpp"
#include "engine/io/mesh_file.hpp"
#include "engine/io/mesh_hull.hpp"
#include "engine/io/mesh_integrals.hpp"
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinetree;
  const kinetree::MeshLimits limits{.bytes = 1u << 16, .triangles = 2000, .points = 6000};
  if (size == 0) return 0;
  const char kind = static_cast<char>(data[0]);
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const ObjParts parts : {ObjParts::all, ObjParts::first}) {
    std::string why;
    const auto mesh = read_mesh(bytes, kind == 's' ? "stl" : kind == 'o' ? "obj" : "msh", limits, why, parts);
    if (mesh.has_value() != why.empty()) std::abort();
    if (!mesh) continue;
    if (mesh->faces.size() > limits.triangles || mesh->points.size() > limits.points) std::abort();
    faults_of(*mesh);
    solid_between(*mesh);
    solid_of_absolutes(*mesh);
    if (mesh->points.size() < 200) hull_of(*mesh, -1, why);
  }
  return 0;
}
