// Masses of meshes in MJCF files: MuJoCo 3.3.8's numbers, closed forms, and what is said of surfaces that enclose
// nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <kinetree/mjcf.hpp>
#include <string>
#include <vector>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

/// An L whose arms are a tenth of its width: 0.228 kg at a density of 1000, 0.714 its hull.
const std::string
    l_points =
        " vertex=\"0 0 0 .2 0 0 .2 .02 0 .02 .02 0 .02 .2 0 0 .2 0 0 0 .03 .2 0 .03 .2 .02 .03 .02 .02 .03 .02 .2 .03 "
        "0 .2 "
        ".03\"",
    l_rest =
        "6 7 8 0 3 2 6 8 9 0 4 3 6 9 10 0 5 4 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 "
        "5 11 4 11 10 5 0 6 5 6 11",
    l_faces = " face=\"0 2 1 " + l_rest + "\"", l_hole = " face=\"" + l_rest + "\"",
    l_turned = " face=\"0 1 2 " + l_rest + "\"";

Reading read(const std::string& mesh, const std::string& geom = "type=\"mesh\"", const std::string& more = "") {
  return read_mjcf_text("<mujoco>\n<asset><mesh name=\"l\"" + mesh +
                            "/></asset><worldbody>\n<body name=\"a\"><joint/>" + "<geom " + geom + " mesh=\"l\"/>" +
                            more + "</body></worldbody></mujoco>",
                        "m.xml");
}
double mass(const Reading& reading) {
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading.description.bodies.at(0).inertial.value().mass;
}

/// Numbers of MuJoCo 3.3.8 (npm's mujoco-js 0.0.7), which has vertices in single precision.
TEST(MjcfMesh, MassesAreMujocos) {
  const struct {
    std::string what, mesh, geom;
    double mass;
  } rows[]{{"legacy", l_points + l_faces, "type=\"mesh\"", 0.5210019935663374},
           {"exact", l_points + l_faces + " inertia=\"exact\"", "type=\"mesh\"", 0.2279999936521053},
           {"convex", l_points + l_faces + " inertia=\"convex\"", "type=\"mesh\"", 0.7140000012964007},
           {"shell", l_points + l_faces + " inertia=\"shell\"", "type=\"mesh\"", 39.199999737739546},
           {"no faces", l_points, "type=\"mesh\"", 0.7140000012964007},
           {"a hole, exact", l_points + l_hole + " inertia=\"exact\"", "type=\"mesh\"", 0.21764307744796635},
           {"a hole", l_points + l_hole, "type=\"mesh\"", 0.5090072896059179},
           {"turned", l_points + l_turned, "type=\"mesh\"", 0.5210019935663374},
           {"a box fitted to a shell", l_points + l_faces + " inertia=\"shell\"", "type=\"box\"", 1.5768644779476995},
           {"a box fitted to it", l_points + l_faces + " inertia=\"exact\"", "type=\"box\"", 1.0994048162007084},
           {"few points of a hull", l_points + l_faces + " inertia=\"convex\" maxhullvert=\"8\" scale=\"1 5 .3\"",
            "type=\"mesh\"", 0.717000001095235}};
  for (const auto& row : rows) EXPECT_NEAR(mass(read(row.mesh, row.geom)) / row.mass, 1, 1e-7) << row.what;
}

TEST(MjcfMesh, CentreAndMomentsAreMujocos) {
  const Reading reading = read(l_points + l_faces);
  const auto& own = reading.description.bodies.at(0).inertial.value();
  const double centre[]{0.06069472189803044, 0.060694721898030456, 0.01499999966472387};
  const double moments[]{0.0014934164216652336, 0.0014934164216652492, 0.002926262666998068, 0.0008617951901674732};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(own.frame.xyz[k], centre[k], 1e-8);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(own.inertia[k], moments[k], 1e-9);
}

/// refpos and refquat first, then the scale, which MuJoCo with inertia="exact" refuses where it mirrors.
TEST(MjcfMesh, MirroredScalesLeaveTheOutsideOutside) {
  const Reading reading = read(
      l_points + l_faces +
      " inertia=\"exact\" scale=\"-1 1 2\" refpos=\".1 .2 .3\" refquat=\"0.7071067811865476 0 0 0.7071067811865476\"");
  EXPECT_NEAR(mass(reading), .456, 1e-12);
  // centre (c, c, .015): from refpos, turned back by a quarter about z, scaled
  const double c = (.004 * .1 + .0036 * .01) / .0076;
  const double expected[]{-(c - .2), -(c - .1), 2 * (.015 - .3)};
  const auto& frame = reading.description.bodies.at(0).inertial.value().frame;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(frame.xyz[k], expected[k], 1e-12);
}

TEST(MjcfMesh, BodiesSayThatTheirMassComesFromMeshes) {
  expect_finding({"legacy",
                  "",
                  3,
                  "body \"a\"",
                  {"its mass, 0.521 kg, comes from meshes (\"l\")", "129 % larger", "0.228 kg where it is 0.521"},
                  Severity::notice},
                 "m.xml", read(l_points + l_faces).findings);
  const Reading exact = read(l_points + l_faces + " inertia=\"exact\"");
  expect_finding({"exact", "", 3, "body \"a\"", {"its mass, 0.228 kg, comes from meshes (\"l\")"}, Severity::notice},
                 "m.xml", exact.findings);
  EXPECT_EQ(all(exact.findings).find("larger"), std::string::npos);
  expect_finding({"with others", "", 3, "body \"a\"", {"(\"l\") and other geoms"}, Severity::notice}, "m.xml",
                 read(l_points + l_faces, "type=\"mesh\"", "<geom size=\".1\"/>").findings);
  const Reading stated =
      read(l_points + l_faces, "type=\"mesh\"", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>");
  EXPECT_EQ(all(stated.findings).find("comes from meshes"), std::string::npos);
}

TEST(MjcfMesh, HolesAndTurnedFacesAreNamed) {
  const struct {
    std::string what, mesh;
    std::vector<std::string> words;
  } rows[]{{"a hole", l_points + l_hole, {"has a hole: 3 edges without a second face", "all positive"}},
           {"a hole, exact",
            l_points + l_hole + " inertia=\"exact\"",
            {"has a hole: 3 edges", "as if tetrahedra from its centre closed it"}},
           {"turned", l_points + l_turned, {"faces that look to different sides along 3 edges", "all positive"}},
           {"inside out",
            " vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 0 3 1 0 2 3 1 3 2\" inertia=\"exact\"",
            {"is inside out", "with its faces turned"}}};
  for (const auto& row : rows)
    expect_finding({row.what, "", 2, "mesh \"l\"", row.words, Severity::warning}, "m.xml", read(row.mesh).findings);
}

/// MuJoCo 3.3.8 has 1 kg of two such tetrahedra in one file, for `convex` the hull of all points.
TEST(MjcfMesh, TheFirstObjectOfAFileAloneCounts) {
  const fs::path file = fs::temp_directory_path() / ("kinetree_objects_" + std::to_string(::getpid()) + ".obj");
  std::ofstream(file) << "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\no b\nv 5 0 0\n"
                         "v 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
  const auto with = [&](const std::string& inertia) {
    return read(" file=\"" + file.string() + "\"" + inertia, "type=\"mesh\" density=\"6\"");
  };
  for (const std::string inertia : {"", " inertia=\"exact\""}) {
    const Reading reading = with(inertia);
    EXPECT_NEAR(mass(reading), 1, 1e-12) << inertia;
    expect_finding({"objects", "", 2, "mesh \"l\"", {"the first object", "1 other is left out"}, Severity::warning},
                   "m.xml", reading.findings);
  }
  EXPECT_NEAR(mass(with(" inertia=\"convex\"")), 16, 1e-12);
  fs::remove(file);
}

TEST(MjcfMesh, WhatGivesNoInertiaIsAnError) {
  const struct {
    std::string what, mesh;
    std::vector<std::string> words;
  } rows[]{{"turned, exact", l_points + l_turned + " inertia=\"exact\"", {"different sides", "legacy"}},
           {"nothing", "", {"neither a file nor vertices"}},
           {"builtin", " builtin=\"sphere\"", {"builtin shapes"}},
           {"three points", " vertex=\"0 0 0 1 0 0 0 1 0\"", {"at least four points"}},
           {"a word", " vertex=\"0 0 0 1 0 0 0 1 0 0 0 x\"", {"vertex is not three numbers"}},
           {"a point too far", l_points + " face=\"0 1 12\"", {"face names point 12 where points are 0 to 11"}},
           {"half a point", l_points + " face=\"0 1 1.5\"", {"face names point 1.5"}},
           {"flat", " vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\"", {"no hull with a volume"}},
           {"flat with faces", " vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\" face=\"0 1 2 1 3 2\"", {"is not above 1e-15"}},
           {"too small", l_points + l_faces + " scale=\"1e-5 1e-5 1e-5\"", {"is not above 1e-15", "scale the mesh"}}};
  for (const auto& row : rows) {
    std::vector<std::string> words = row.words;
    words.push_back("its mesh \"l\" gives the body no inertia");
    expect_finding({row.what, "", 3, "<geom>", words}, "m.xml", read(row.mesh).findings);
  }
}

}  // namespace
}  // namespace kinetree::test

#endif
