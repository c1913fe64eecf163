// Mesh files: the same triangles from STL, OBJ and MSH, and what is said of files that have none.
#include "engine/io/mesh_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/mesh_closed.hpp"
#include "engine/io/mesh_hull.hpp"
#include "engine/io/mesh_integrals.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

const TriangleMesh tetrahedron{{{0, 0, 0}, {1.5, 0, 0}, {0, .75, 0}, {0, 0, 2}},
                               {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
constexpr double volume = 1.5 * .75 * 2 / 6;

template <class T>
void put(std::string& bytes, T x) {
  char raw[sizeof x];
  std::memcpy(raw, &x, sizeof x);
  bytes.append(raw, sizeof x);
}

std::string stl(const TriangleMesh& mesh) {
  std::string bytes(80, ' ');
  put(bytes, static_cast<std::uint32_t>(mesh.faces.size()));
  for (const auto& face : mesh.faces) {
    for (int k = 0; k < 3; ++k) put(bytes, 0.f);
    for (const int corner : face)
      for (const double x : mesh.points[static_cast<std::size_t>(corner)]) put(bytes, static_cast<float>(x));
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string msh(const TriangleMesh& mesh, int normals = 0, int textures = 0) {
  std::string bytes;
  for (const int count : {static_cast<int>(mesh.points.size()), normals, textures, static_cast<int>(mesh.faces.size())})
    put(bytes, count);
  for (const auto& p : mesh.points)
    for (const double x : p) put(bytes, static_cast<float>(x));
  for (int k = 0; k < 3 * normals + 2 * textures; ++k) put(bytes, .5f);
  for (const auto& face : mesh.faces)
    for (const int corner : face) put(bytes, corner);
  return bytes;
}

const std::string obj =
    "mtllib none.mtl\nv 0 0 0\nv 1.5 0 0\nv 0 .75 0\nv 0 0 2\nvn 0 0 1\no a\nusemtl x\nf 1//1 3//1 2//1\nf 1 2 4\n"
    "o b\nusemtl y\nf 1 4 3\nf 2 3 4\n";

const std::string text_stl =
    "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\n"
    "vertex 0 .75 0\nvertex 1.5 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\n"
    "vertex 1.5 0 0\nvertex 0 0 2\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\n"
    "vertex 0 0 2\nvertex 0 .75 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 1.5 0 0\n"
    "vertex 0 .75 0\nvertex 0 0 2\nendloop\nendfacet\n"
    "endsolid a\n";

class MeshFile : public testing::Test {
 protected:
  MeshFile() : folder_(fs::temp_directory_path() / ("kinetree_mesh_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~MeshFile() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string refusal(const std::string& name, const std::string& bytes, const MeshLimits& limits = {}) const {
    std::string why;
    const fs::path file = write(name, bytes);
    EXPECT_FALSE(read_mesh_file(file, "", limits, why)) << name;
    EXPECT_TRUE(why.starts_with(file.string())) << why;
    return why;
  }

  fs::path folder_;
};

TEST_F(MeshFile, TheSameInEveryFormat) {
  const std::vector<std::pair<std::string, std::string>> files{{"binary.STL", stl(tetrahedron)},
                                                               {"text.stl", text_stl},
                                                               {"parts.obj", obj},
                                                               {"m.msh", msh(tetrahedron)},
                                                               {"more.msh", msh(tetrahedron, 4, 3)}};
  for (const auto& [name, bytes] : files) {
    std::string why;
    const auto mesh = read_mesh_file(write(name, bytes), "", {}, why);
    ASSERT_TRUE(mesh) << why;
    EXPECT_EQ(mesh->points.size(), 4u) << name;
    EXPECT_EQ(mesh->faces.size(), 4u) << name;
    EXPECT_TRUE(faults_of(*mesh).none()) << name;
    EXPECT_NEAR(solid_between(*mesh).mass, volume, 1e-15) << name;
  }
  std::string why;
  EXPECT_TRUE(read_mesh_file(write("without_ending", stl(tetrahedron)), "stl", {}, why)) << why;
}

TEST_F(MeshFile, PolygonsOfObjAreCutIntoTriangles) {
  std::string why;
  const auto cube = read_mesh_file(
      write("cube.obj",
            "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 4 3 2 1\nf 5 6 7 8\n"
            "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"),
      "", {}, why);
  ASSERT_TRUE(cube) << why;
  EXPECT_EQ(cube->faces.size(), 12u);
  EXPECT_TRUE(faults_of(*cube).none());
  EXPECT_NEAR(solid_between(*cube).mass, 8, 1e-14);
}

TEST_F(MeshFile, WhatCantBeReadIsSaid) {
  EXPECT_NE(refusal("m.dae", "<a/>").find("of a kind that kinetree does not read; save it as STL, OBJ or MSH"),
            std::string::npos);
  EXPECT_NE(refusal("empty.stl", "").find("can't be read by Assimp"), std::string::npos);
  EXPECT_NE(refusal("points.obj", "v 0 0 0\nv 1 0 0\n").find("; save the mesh"), std::string::npos);
  EXPECT_NE(
      refusal("words.obj", "v 0 0 0\nv 1 0-2\nv 0 1 0\nv 0 0 1\nf 1 2 3\n").find("vertex in line 2 that is not three"),
      std::string::npos);
  EXPECT_NE(refusal("short.msh", "abc").find("shorter than the 16 bytes"), std::string::npos);
  std::string cut = msh(tetrahedron);
  cut.pop_back();
  EXPECT_NE(refusal("cut.msh", cut).find("has 111 bytes where its head asks for 112"), std::string::npos);
  TriangleMesh wrong = tetrahedron;
  wrong.faces[2][1] = 4;
  EXPECT_NE(refusal("wrong.msh", msh(wrong)).find("has a face with point 4 where points are 0 to 3"),
            std::string::npos);
  wrong = tetrahedron;
  wrong.points[1][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal("nan.msh", msh(wrong)).find("coordinates are no numbers"), std::string::npos);
  std::string negative;
  for (const int count : {4, -1, 0, 4}) put(negative, count);
  EXPECT_NE(refusal("negative.msh", negative).find("has -1 as a number of parts"), std::string::npos);
  std::string why;
  EXPECT_FALSE(read_mesh_file(folder_ / "absent.stl", "", {}, why));
  EXPECT_NE(why.find("does not exist"), std::string::npos) << why;
}

TEST_F(MeshFile, SizesHaveLimits) {
  EXPECT_NE(refusal("m.stl", stl(tetrahedron), {.bytes = 200}).find("has 284 bytes, more than the 200"),
            std::string::npos);
  for (const auto& [name, bytes] : {std::pair("a.stl", stl(tetrahedron)), std::pair("a.msh", msh(tetrahedron))}) {
    EXPECT_NE(refusal(name, bytes, {.triangles = 3}).find("more than the 3"), std::string::npos) << name;
    EXPECT_NE(refusal(name, bytes, {.points = 3}).find("on 3 points"), std::string::npos) << name;
  }
}

/// MuJoCo 3.3.8 has 1, 1, 1 and 2 of these solids; a line of materials or of smoothing begins none.
TEST_F(MeshFile, TheFirstObjectAloneWhereItIsAskedFor) {
  const std::string second = "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n",
                    points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\n",
                    first = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const struct {
    std::string text;
    int left_out;
  } cases[]{{"o a\n" + points + first + "o b\n" + second, 1},
            {points + first + "g\n" + second, 1},
            {"o x\no a\ng y\n" + points + first + "\tg b\n" + second + "g c\nf 1 2 3\no d\n", 2},
            {"o a\n" + points + first + "usemtl m\ns 1\n" + second, 0}};
  for (const auto& one : cases) {
    std::string why;
    const auto mesh = read_mesh(one.text, "obj", {}, why, ObjParts::first), all = read_mesh(one.text, "obj", {}, why);
    ASSERT_TRUE(mesh && all) << why;
    EXPECT_EQ(mesh->objects_left_out, one.left_out) << one.text;
    EXPECT_NEAR(solid_between(*mesh).mass, one.left_out ? 1. / 6 : 1. / 3, 1e-15) << one.text;
    EXPECT_EQ(all->objects_left_out, 0);
    EXPECT_GE(all->faces.size(), 8u);
  }
}

/// Every beginning of each file, and random bytes in random places: a mesh within the limits, or a reason.
TEST_F(MeshFile, ChangedFilesGiveAMeshOrAReason) {
  const MeshLimits limits{.bytes = 1000, .triangles = 20, .points = 60};
  const std::vector<std::pair<std::string, std::string>> files{
      {"stl", stl(tetrahedron)}, {"stl", text_stl}, {"obj", obj}, {"msh", msh(tetrahedron, 4, 3)}};
  std::mt19937_64 random(52);
  for (const auto& [format, whole] : files) {
    int meshes = 0, refused = 0;
    const auto look_at = [&, &format = format](const std::string& bytes) {
      std::string why;
      const auto mesh = read_mesh(bytes, format, limits, why);
      ++(mesh ? meshes : refused);
      ASSERT_EQ(why.empty(), mesh.has_value()) << why;
      if (!mesh) return;
      ASSERT_LE(mesh->faces.size(), limits.triangles);
      ASSERT_LE(mesh->points.size(), limits.points);
      for (const auto& face : mesh->faces)
        for (const int corner : face) ASSERT_LT(static_cast<std::size_t>(corner), mesh->points.size());
      faults_of(*mesh);
      solid_between(*mesh);
      if (mesh->points.size() >= 4) hull_of(*mesh, -1, why);
    };
    for (std::size_t end = 0; end < whole.size(); ++end) look_at(whole.substr(0, end));
    for (int k = 0; k < 500; ++k) {
      std::string bytes = whole;
      for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
      look_at(bytes);
    }
    EXPECT_GT(meshes, 10) << format;
    EXPECT_GT(refused, 10) << format;
  }
}

/// A column on the square (0, 0) to (1, 1) with corners at these heights; its top, seen from above, begins at `first`.
std::string column(const std::array<double, 4>& heights, std::size_t first) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n", top = "f";
  for (std::size_t k = 0; k < 4; ++k) {
    text +=
        "v " + std::to_string(k == 1 || k == 2) + " " + std::to_string(k / 2) + " " + std::to_string(heights[k]) + "\n";
    top += " " + std::to_string(5 + (first + k) % 4);
  }
  return text + top + "\nf 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 -1\n";
}

/// A quadrilateral that is not flat falls in two along the diagonal from its first corner: MuJoCo 3.3.8 has 7/6 and
/// 13/12.
TEST(MeshPolygons, AreCutFromTheirFirstCorner) {
  for (std::size_t first = 0; first < 4; ++first) {
    std::string why;
    const auto mesh = read_mesh(column({1, 1, 1.5, 1}, first), "obj", {}, why);
    ASSERT_TRUE(mesh) << why;
    EXPECT_TRUE(faults_of(*mesh).none());
    EXPECT_NEAR(solid_between(*mesh).mass, first % 2 == 0 ? 7. / 6 : 13. / 12, 1e-12) << first;
  }
}

/// An L and a comb, concave, from each of their corners, in each coordinate plane and both ways round.
TEST(MeshPolygons, ConcaveOnesKeepTheirArea) {
  const struct {
    std::vector<std::array<int, 2>> corners;
    double area;
  } shapes[] = {{{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, 5},
                {{{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {3, 1}, {3, 4}, {2, 4}, {2, 1}, {1, 1}, {1, 4}, {0, 4}}, 14}};
  for (const auto& shape : shapes)
    for (std::size_t first = 0; first < shape.corners.size(); ++first)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool turned : {false, true}) {
          const std::size_t n = shape.corners.size();
          std::string text, low, high;
          for (std::size_t k = 0; k < 2 * n; ++k) {
            std::array<int, 3> p{};
            p[axis] = k < n ? 0 : 2;
            p[(axis + 1) % 3] = 7 + shape.corners[k % n][0];
            p[(axis + 2) % 3] = shape.corners[k % n][1] - 9;
            text += "v " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
          }
          for (std::size_t k = 0; k < n; ++k) {
            low += " " + std::to_string(1 + (first + n - k) % n);
            high += " " + std::to_string(1 + n + (first + k) % n);
            const std::size_t a = 1 + k, b = 1 + (k + 1) % n;
            text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(b + n) + " " +
                    std::to_string(a + n) + "\n";
          }
          std::string why;
          auto mesh = read_mesh(text + "f" + low + "\nf" + high + "\n", "obj", {}, why);
          ASSERT_TRUE(mesh) << why;
          if (turned) scale_points(*mesh, {1, -1, 1});
          EXPECT_TRUE(faults_of(*mesh).none()) << in_words(faults_of(*mesh));
          EXPECT_NEAR(solid_between(*mesh).mass, 2 * shape.area, 1e-11) << n << " from " << first << " along " << axis;
        }
}

TEST(MeshPolygons, ThatTakeTooLongAreRefused) {
  std::string text = "v 0 0 1\n", face = "f";
  for (int k = 0; k < 60; ++k) {
    text += "v " + std::to_string(std::cos(.1 * k)) + " " + std::to_string(std::sin(.1 * k)) + " 0\n";
    face += " " + std::to_string(k + 2);
  }
  std::string why;
  MeshLimits limits;
  EXPECT_TRUE(read_mesh(text + face + "\n", "obj", limits, why)) << why;
  limits.steps = 1000;
  EXPECT_FALSE(read_mesh(text + face + "\n", "obj", limits, why));
  EXPECT_NE(why.find("up to line 62; save the mesh with triangles"), std::string::npos) << why;
}

TEST(MeshHull, OfPointsInsideAndOut) {
  TriangleMesh points{{{.1, .1, .1}}, {}};
  for (int k = 0; k < 8; ++k) points.points.emplace_back(k & 1, k >> 1 & 1, k >> 2 & 1);
  std::string why;
  const auto hull = hull_of(points, -1, why);
  ASSERT_TRUE(hull) << why;
  EXPECT_EQ(hull->faces.size(), 12u);
  EXPECT_TRUE(faults_of(*hull).none());
  EXPECT_NEAR(solid_between(*hull).mass, 1, 1e-14);
  const auto few = hull_of(points, 5, why);
  ASSERT_TRUE(few) << why;
  EXPECT_EQ(few->faces.size(), 6u);
  EXPECT_NEAR(solid_between(*few).mass, .5, 1e-14) << "as MuJoCo 3.3.8 has it";
  EXPECT_FALSE(hull_of(points, 4, why));
  for (auto& p : points.points) p[2] = 0;
  EXPECT_FALSE(hull_of(points, -1, why));
  EXPECT_NE(why.find("in a plane"), std::string::npos) << why;
}

}  // namespace
}  // namespace kinetree::test

#endif
