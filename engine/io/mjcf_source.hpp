#pragma once
// One MJCF file as its elements need it: how its compiler is told to read, its defaults, meshes and materials. A model
// that another attaches keeps its own.

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/mjcf_defaults.hpp"
#include "engine/io/mjcf_pose.hpp"

namespace kinetree::inline inner {

struct MjcfCompiler {
  MjcfAngles angles;
  bool exact_meshes = false;  ///< by default, as files before MuJoCo 3.2 ask for it
  bool strip_path = false, fit_to_boxes = false, balance = false;
  int inertia_from_geoms = 2;  ///< 0: never; 1: always; 2: where there is no <inertial>
  int first_group = std::numeric_limits<int>::min(), last_group = std::numeric_limits<int>::max();
  double least_mass = 0, least_moment = 0, total_mass = -1;
  std::string mesh_folder;
};

/// MuJoCo's words for what a mesh is taken for: its hull, the solid that its faces enclose, absolute tetrahedra, its
/// faces.
enum class MjcfMeshInertia { convex, exact, legacy, shell };

struct MjcfMesh {
  const MjcfElement* element = nullptr;
  std::string name;
  std::filesystem::path file;      ///< empty: the mesh's numbers stand in the MJCF file
  Eigen::Vector3d scale{1, 1, 1};  ///< after the file's origin and axes are moved
  MjcfPose origin;                 ///< refpos, refquat: the mesh's own frame in the file's
  MjcfMeshInertia inertia = MjcfMeshInertia::legacy;
  int most_hull_points = -1;  ///< none: -1
};

struct MjcfSource {
  MjcfDocument document;
  MjcfCompiler compiler;
  MjcfDefaults defaults;
  std::map<std::string, MjcfMesh, std::less<>> meshes;
  std::map<std::string, const MjcfElement*, std::less<>> materials, models;
  std::filesystem::path folder;

  /// Reads <compiler>, <default> and <asset> of the document, which stands.
  void read(MjcfReading& r);

 private:
  void read_compiler(MjcfReading& r, const MjcfElement& e);
  void read_mesh(MjcfReading& r, const MjcfElement& e);
};

}  // namespace kinetree::inline inner
