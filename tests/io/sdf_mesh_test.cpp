// Automatic inertias of SDFormat's mesh collisions: boxes written as meshes against boxes, where meshes are looked for,
// and what is said of those that enclose nothing.
#include <kinetree/sdf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_SDF && KINETREE_WITH_MJCF
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

using Face = std::array<std::size_t, 4>;
using Point = std::array<float, 3>;

/// Corners of the box between (0, 0, 0) and (1, 2, 3); bits of a corner's number are its x, y and z.
Point corner(std::size_t k) { return {k & 1 ? 1.f : 0.f, k & 2 ? 2.f : 0.f, k & 4 ? 3.f : 0.f}; }
/// Counter-clockwise from outside.
const std::vector<Face> box{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

std::string obj(const std::vector<Face>& faces) {
  std::string text;
  for (std::size_t k = 0; k < 8; ++k) {
    text += "v";
    for (const float x : corner(k)) text += " " + std::to_string(x);
    text += "\n";
  }
  for (const Face& face : faces) {
    text += "f";
    for (const std::size_t k : face) text += " " + std::to_string(k + 1);
    text += "\n";
  }
  return text;
}

template <class T>
void put(std::string& bytes, T x) {
  char raw[sizeof x];
  std::memcpy(raw, &x, sizeof x);
  bytes.append(raw, sizeof x);
}

std::string stl(const std::vector<Face>& faces) {
  std::string bytes(80, ' ');
  put(bytes, static_cast<std::uint32_t>(2 * faces.size()));
  for (const Face& face : faces)
    for (const std::size_t k : {0u, 1u}) {
      for (int n = 0; n < 3; ++n) put(bytes, 0.f);
      for (const std::size_t c : {face[0], face[k + 1], face[k + 2]})
        for (const float x : corner(c)) put(bytes, x);
      put(bytes, std::uint16_t{0});
    }
  return bytes;
}

std::string turned(Face face) {
  return obj({box[0], box[1], box[2], box[3], box[4], {face[3], face[2], face[1], face[0]}});
}

class SdfMesh : public testing::Test {
 protected:
  SdfMesh() : folder_(fs::temp_directory_path() / ("kinetree_sdf_mesh_" + std::to_string(::getpid()))) {
    write("box.obj", obj(box));
  }
  ~SdfMesh() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  /// Line 3 has the link.
  static std::string model(const std::string& geometry, const std::string& version = "1.11") {
    return "<sdf version=\"" + version +
           "\">\n<model name=\"m\">\n<link name=\"a\"><inertial auto=\"true\"><density>10</density></inertial>\n"
           "<collision name=\"c\"><pose>.1 .2 .3 .4 .5 .6</pose><geometry>" +
           geometry + "</geometry></collision>\n</link></model></sdf>\n";
  }
  static std::string mesh(const std::string& uri, const std::string& more = "") {
    return "<mesh><uri>" + uri + "</uri>" + more + "</mesh>";
  }

  Reading read(const std::string& text, const std::string& name = "m.sdf") const {
    write(name, text);
    return read_sdf(folder_ / name);
  }
  std::vector<Finding> findings(const std::string& text) const { return findings_of(read(text)); }

  void expect_box(const Reading& reading, double x, double y, double z, const std::string& what) const {
    std::string text = model("<box><size>" + std::to_string(std::abs(x)) + " " + std::to_string(std::abs(y)) + " " +
                             std::to_string(std::abs(z)) + "</size></box>");
    // its middle, in the axes of the collision
    const std::string pose = ".1 .2 .3 .4 .5 .6";
    text.replace(text.find("<pose>"), 6 + pose.size() + 7,
                 "<pose relative_to=\"f\">" + std::to_string(x / 2) + " " + std::to_string(y / 2) + " " +
                     std::to_string(z / 2) + " 0 0 0</pose>");
    text.replace(text.find("</link>"), 7, "</link><frame name=\"f\"><pose>" + pose + "</pose></frame>");
    const Reading expected = read_sdf_text(text, "box.sdf");
    ASSERT_FALSE(has_error(expected.findings)) << all(expected.findings);
    ASSERT_FALSE(has_error(reading.findings)) << what << "\n" << all(reading.findings);
    const auto &a = reading.description.bodies.at(0).inertial, &b = expected.description.bodies.at(0).inertial;
    ASSERT_TRUE(a && b) << what;
    EXPECT_NEAR(a->mass, b->mass, 1e-13 * b->mass) << what;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a->frame.xyz[k], b->frame.xyz[k], 1e-13) << what;
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(a->inertia[k], b->inertia[k], 1e-13 * b->inertia[0]) << what;
  }

  fs::path folder_;
};

TEST_F(SdfMesh, AClosedMeshIsTheSolidInIt) {
  write("box.stl", stl(box));
  for (const std::string file : {"box.obj", "box.stl"})
    for (const auto& [x, y, z] :
         std::vector<std::array<double, 3>>{{1, 1, 1}, {.5, 2, .25}, {.5, -2, .25}, {-1, -1, -1}}) {
      const std::string scale = std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
      const Reading reading = read(model(mesh(file, "<scale>" + scale + "</scale>")));
      expect_box(reading, x, 2 * y, 3 * z, file + " by " + scale);
      for (const Finding& f : reading.findings) EXPECT_EQ(f.severity, Severity::notice) << to_string(f);
    }
  const Broken told{"mass", "", 3, "link \"a\"", {"mass of 60 kg", "comes from meshes"}, Severity::notice};
  expect_finding(told, (folder_ / "m.sdf").string(), findings(model(mesh("box.obj"))));
}

TEST_F(SdfMesh, MeshesAreFoundAsModelsAre) {
  write("models/part/meshes/box.obj", obj(box));
  write("elsewhere/far/box.obj", obj(box));
  const fs::path here = folder_;
  for (const std::string& uri :
       {std::string("../models/part/meshes/box.obj"), std::string("model://part/../part/meshes/box.obj"),
        (folder_ / "box.obj").string(), "file://" + (folder_ / "box.obj").string(),
        std::string("package://part/meshes/box.obj")})
    expect_box(read(model(mesh(uri)), "models/m.sdf"), 1, 2, 3, uri);
  // of a model's folder that is included, in whichever folder and version
  for (const std::string version : {"1.9", "1.12"})
    for (const std::string uri : {"meshes/box.obj", "model://part/meshes/box.obj"}) {
      write("models/part/model.config", "<model><name>part</name><sdf version=\"1.9\">model.sdf</sdf></model>");
      write("models/part/model.sdf", model(mesh(uri), version));
      const std::string world =
          "<sdf version=\"1.9\"><world name=\"w\"><include><uri>model://part</uri></include></world></sdf>";
      expect_box(read(world, "models/w.sdf"), 1, 2, 3, uri + " in SDFormat " + version);
    }
  const auto far = [&] { return read(model(mesh("model://far/box.obj"))); };
  EXPECT_TRUE(has_error(far().findings));
  for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH"}) {
    ::setenv(variable, ("/nowhere:" + (folder_ / "elsewhere").string()).c_str(), 1);
    expect_box(far(), 1, 2, 3, variable);
    ::unsetenv(variable);
  }
}

TEST_F(SdfMesh, FaultsOfMeshesAreNamed) {
  write("text.obj", "v 0 0 0\nv 1 0\nf 1 2 3\n");
  write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
  write("turned.obj", turned(box[5]));
  write("m.dae", "<COLLADA/>");
  const std::string file = (folder_ / "m.sdf").string(), a = "link \"a\"", c = "collision \"c\"'s mesh \"";
  for (const Broken& broken : std::vector<Broken>{
           {"missing", mesh("none.stl"), 3, a, {c + "none.stl\" is not found beside", "GZ_SIM_RESOURCE_PATH"}},
           {"missing absolute", mesh("/none/none.stl"), 3, a, {"/none/none.stl does not exist"}},
           {"remote", mesh("https://localhost/a.stl"), 3, a, {"on another machine", "fetch it"}},
           {"kind",
            mesh("m.dae"),
            3,
            a,
            {"m.dae is of a kind", "save it as STL, OBJ or MSH, scaled by its <unit>",
             "or give the link <mass> and <inertia>"}},
           {"no mesh", mesh("text.obj"), 3, a, {"vertex in line 2"}},
           {"flat", mesh("flat.obj"), 3, a, {"encloses a volume of 0 m³"}},
           {"flattened", mesh("box.obj", "<scale>1 0 1</scale>"), 3, a, {"encloses a volume of 0 m³"}},
           {"turned face", mesh("turned.obj"), 3, a, {"different sides along 4 edges", "no inside", "convex_hull"}},
           {"parts",
            "<mesh optimization=\"convex_decomposition\"><uri>box.obj</uri></mesh>",
            3,
            a,
            {"optimization=\"convex_decomposition\"", "\"convex_hull\" or none"}}})
    expect_finding(broken, file, findings(model(broken.text)));
}

/// Collada that gives no inertia is a name.
TEST_F(SdfMesh, ColladaBesideAGivenInertiaIsNotOpened) {
  write("m.dae", "<COLLADA/>");
  std::string text = model(mesh("m.dae"));
  const std::string automatic = " auto=\"true\"><density>10</density>";
  text.replace(text.find(automatic), automatic.size(), "><mass>2</mass>");
  const Reading reading = read(text);
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  EXPECT_EQ(reading.description.bodies.at(0).inertial->mass, 2);
  EXPECT_EQ(reading.description.bodies.at(0).collisions.at(0).mesh, "m.dae");
}

/// gz-sim's calculator of inertias goes over all parts of the file.
TEST_F(SdfMesh, ASubmeshIsItsWholeFile) {
  const Reading reading = read(model(mesh("box.obj", "<submesh><name>lid</name></submesh>")));
  expect_box(reading, 1, 2, 3, "submesh");
  expect_finding(
      {"submesh", "", 3, "link \"a\"", {"counts whole, as in Gazebo", "<submesh> \"lid\""}, Severity::warning},
      (folder_ / "m.sdf").string(), reading.findings);
}

/// A lid is missing: the solid that tetrahedra from the middle of the faces close, and a warning.
TEST_F(SdfMesh, HolesAndInsidesOutAreTold) {
  const std::string file = (folder_ / "m.sdf").string();
  write("open.obj", obj({box.begin(), box.end() - 1}));
  const Reading open = read(model(mesh("open.obj")));
  expect_finding({"hole", "", 3, "link \"a\"", {"a hole: 4 edges", "tetrahedra from its centre"}, Severity::warning},
                 file, open.findings);
  EXPECT_LT(open.description.bodies.at(0).inertial->mass, 60);
  EXPECT_GT(open.description.bodies.at(0).inertial->mass, 40);
  std::vector<Face> inside;
  for (const Face& face : box) inside.push_back({face[3], face[2], face[1], face[0]});
  write("inside.obj", obj(inside));
  const Reading in = read(model(mesh("inside.obj")));
  expect_finding({"inside out", "", 3, "link \"a\"", {"is inside out", "faces turned"}, Severity::warning}, file,
                 in.findings);
  expect_box(in, 1, 2, 3, "inside out");
}

TEST_F(SdfMesh, ConvexHullsAreTakenWhereTheyAreAskedFor) {
  write("open.obj", turned(box[5]));
  const Reading reading = read(model("<mesh optimization=\"convex_hull\"><uri>open.obj</uri></mesh>", "1.12"));
  expect_box(reading, 1, 2, 3, "hull");
}

/// A collision that does not give its link its inertia may have any mesh.
TEST_F(SdfMesh, NoOtherMeshIsOpened) {
  std::string text = model("<mesh optimization=\"convex_hull\"><uri>none.stl</uri></mesh>");
  text.replace(text.find("auto=\"true\""), 11, "auto=\"false\"");
  for (const Finding& f : read(text).findings) EXPECT_EQ(f.severity, Severity::notice) << to_string(f);
}

}  // namespace
}  // namespace kinetree::test

#endif
