// Words of MuJoCo 3 against the same mechanism in older words, as libmujoco reads it: accelerations agree.
#include <kinetree/mjcf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_MJCF
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/io/mjcf_walk.hpp"
#include "engine/scalar/number_text.hpp"
#include "engine/scalar/worst.hpp"
#include "io/mjcf_text.hpp"
#include "io/mujoco_model.hpp"

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

void same_accelerations(const Reading& reading, const std::string& older, double tolerance = 1e-9) {
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  const Model model = make_model(reading.description);
  Theirs theirs(older);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TestState s = oracle::random_state(model, seed);
    theirs.set(model, s);
    const Eigen::VectorXd expected = theirs.accelerations(s);
    Eigen::VectorXd a(model.nv());
    ASSERT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, a).ok());
    EXPECT_LE(largest_of(a - expected), tolerance * largest_of(expected)) << "seed " << seed;
  }
}
void same_accelerations(const std::string& newer, const std::string& older, double tolerance = 1e-9) {
  same_accelerations(read_mjcf_text(newer, "model.xml"), older, tolerance);
}
void same_accelerations(const std::string& text, double tolerance = 1e-9) { same_accelerations(text, text, tolerance); }

std::string model(const std::string& head, const std::string& bodies, const std::string& rest = "") {
  return "<mujoco>" + head + "<option><flag contact=\"disable\"/></option><worldbody>" + bodies + "</worldbody>" +
         rest + "</mujoco>";
}

TEST(Mjcf3, FramesAreFlattened) {
  const std::string leg = "<body name=\"leg\" pos=\"0 0 -.3\"><joint axis=\"0 1 0\"/>" + inertial + "</body>";
  // around bodies a frame is a fixed body; around what a body holds its numbers are turned by hand: x to y, y to -x
  same_accelerations(
      model("",
            "<frame pos=\".1 .2 .3\" euler=\"20 30 40\"><frame axisangle=\"1 2 3 50\"><body name=\"hip\" pos=\"0 .1 "
            "0\"><joint axis=\"1 0 0\"/>" +
                inertial + leg + "</body></frame></frame>"),
      model("<compiler autolimits=\"true\"/>",
            "<body pos=\".1 .2 .3\" euler=\"20 30 40\"><body axisangle=\"1 2 3 50\"><body name=\"hip\" pos=\"0 .1 "
            "0\"><joint axis=\"1 0 0\"/>" +
                inertial + leg + "</body></body></body>"));
  same_accelerations(
      model("",
            "<body name=\"hip\"><frame pos=\".1 0 0\" euler=\"0 0 90\"><joint axis=\"1 0 0\" pos=\".1 .2 .3\"/>"
            "<geom type=\"box\" size=\".1 .2 .3\" pos=\".3 0 0\"/><body pos=\".1 0 0\"><joint axis=\"0 0 1\"/>"
            "<geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\".1\"/></body></frame>"
            "<frame euler=\"0 0 90\"><geom type=\"capsule\" fromto=\"0 0 0 .4 0 0\" size=\".1\"/></frame></body>"),
      model("",
            "<body name=\"hip\"><joint axis=\"0 1 0\" pos=\"-.1 .1 .3\"/>"
            "<geom type=\"box\" size=\".2 .1 .3\" pos=\".1 .3 0\"/><body pos=\".1 .1 0\"><joint axis=\"0 0 1\"/>"
            "<geom type=\"capsule\" fromto=\"0 0 0 0 1 0\" size=\".1\"/></body>"
            "<geom type=\"capsule\" fromto=\"0 0 0 0 .4 0\" size=\".1\"/></body>"));
}

TEST(Mjcf3, ReplicasStandAndAreNamedAsMujocoDoesIt) {
  const auto rod = [](const std::string& number, const std::string& place) {
    return "<body name=\"rod" + number + "\" " + place + "><joint name=\"j" + number + "\" axis=\"1 .2 0\"/>" +
           inertial + "</body>";
  };
  const std::string newer = model("",
                                  "<replicate count=\"3\" offset=\"1 0 0\" euler=\"0 0 90\" sep=\"-\">" +
                                      rod("", "pos=\"0 .5 0\"") + "</replicate>",
                                  "<equality><joint joint1=\"j\" polycoef=\".1\"/></equality>");
  const Reading reading = read_mjcf_text(newer, "m.xml");
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  ASSERT_EQ(reading.description.couplings.size(), 3u);
  EXPECT_EQ(reading.description.couplings[2].terms[0].joint, "j-2");
  Reading free = reading;
  free.description.couplings.clear();
  // the offset is turned as the copy before it stands: 1 along x, then 1 along y
  same_accelerations(free, model("<compiler autolimits=\"true\"/>", rod("-0", "pos=\"0 .5 0\"") +
                                                                        rod("-1", "pos=\".5 0 0\" euler=\"0 0 90\"") +
                                                                        rod("-2", "pos=\"1 .5 0\" euler=\"0 0 180\"")));
}

const std::vector<std::string> solids{
    "<geom size=\".1\" pos=\".1 .2 .3\"/>",
    "<geom type=\"capsule\" size=\".1 .3\" euler=\"10 20 30\"/>",
    "<geom type=\"cylinder\" size=\".1 .2\" pos=\"0 .4 0\" euler=\"40 0 0\" density=\"300\"/>",
    "<geom type=\"ellipsoid\" size=\".1 .2 .3\" axisangle=\"1 1 0 30\" mass=\"2\" group=\"4\"/>",
    "<geom type=\"box\" size=\".1 .05 .3\" zaxis=\"1 2 3\"/>",
    "<geom type=\"box\" size=\".1\" fromto=\"0 1 0 .3 .4 .5\"/>",
    "<geom type=\"cylinder\" size=\".1\" fromto=\"0 .1 0 .3 .4 .5\"/>",
    "<geom type=\"box\" size=\".1 .05 .3\" xyaxes=\"1 1 0 0 1 1\"/>",
    "<geom size=\"1\" mass=\"0\"/>"};

std::string three_joints(const std::string& inside) {
  return "<body><joint axis=\"1 2 3\" pos=\".1 0 0\"/><joint axis=\"3 0 1\"/><joint axis=\"0 1 0\"/>" + inside +
         "</body>";
}

TEST(Mjcf3, InertiasOfGeomsAreMujocos) {
  std::string together, apart;
  for (const std::string& one : solids) {
    together += one;
    apart += "<body>" + one + "</body>";  // MuJoCo has the inertia of a single geom exactly
  }
  same_accelerations(model("", three_joints(together)), model("", three_joints(apart)));
  for (const std::string& one : solids) same_accelerations(model("", three_joints(one + solids[0])), 1e-5);
  // its principal axes of several geoms are good to 5e-7 of the moments
  for (const char* said :
       {"inertiagrouprange=\"0 3\"", "inertiagrouprange=\"4 4\"", "boundmass=\"900\"", "boundinertia=\"70\"",
        "settotalmass=\"3\"", "angle=\"radian\" eulerseq=\"zyx\"", "eulerseq=\"XYZ\"", "eulerseq=\"xZy\""})
    same_accelerations(model("<compiler " + std::string(said) + "/>", three_joints(together)), 1e-5);
  const std::string given = "<inertial pos=\"0 .1 0\" mass=\"2\" diaginertia=\".1 .1 .3\"/>";
  same_accelerations(model("<compiler balanceinertia=\"true\"/>", three_joints(together + given)));
  same_accelerations(model("<compiler inertiafromgeom=\"true\"/>",
                           three_joints(together + "<inertial pos=\"0 .1 0\" mass=\"2\" diaginertia=\".1 .1 .1\"/>")),
                     1e-5);
}

/// A shell of unit density is what a solid gains where its surface is moved outwards, by the distance.
TEST(Mjcf3, ShellsAreDerivativesOfSolids) {
  const auto inertial = [](const std::string& type, std::vector<double> size, const std::string& shell) {
    std::string numbers;
    for (const double x : size) numbers += number_text(x, 17) + " ";
    const Reading reading = read_mjcf_text(model("", "<body><joint/><geom type=\"" + type + "\" size=\"" + numbers +
                                                         "\" density=\"1\" " + shell + "/></body>"),
                                           "m.xml");
    EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
    return reading.description.bodies[0].inertial.value();
  };
  const std::string shell = "shellinertia=\"true\"";
  const double h = 1e-6;
  for (const auto& [type, size, moved] : std::vector<std::tuple<std::string, std::vector<double>, std::size_t>>{
           {"sphere", {.2}, 1}, {"capsule", {.1, .3}, 1}, {"cylinder", {.1, .3}, 2}, {"box", {.1, .2, .3}, 3}}) {
    std::vector<double> more = size, less = size;
    for (std::size_t k = 0; k < moved; ++k) more[k] += h, less[k] -= h;
    const InertialDescription thin = inertial(type, size, shell), outer = inertial(type, more, ""),
                              inner = inertial(type, less, "");
    EXPECT_NEAR(thin.mass, (outer.mass - inner.mass) / (2 * h), 1e-8 * thin.mass) << type;
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(thin.inertia[k], (outer.inertia[k] - inner.inertia[k]) / (2 * h), 1e-8 * thin.inertia[k]) << type;
  }
  // MuJoCo 3.3.8's numbers of an ellipsoid of density 1000
  const InertialDescription ellipsoid = inertial("ellipsoid", {.1, .2, .3}, shell);
  EXPECT_NEAR(ellipsoid.mass, .4897193333, 1e-10);
  const std::array<double, 3> moments{.018075175, .014068367, .0081026809};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(ellipsoid.inertia[k], moments[k], 1e-9);
}

TEST(Mjcf3, ClassesOfDefaultsCountInTheirOrder) {
  same_accelerations(
      model("<default><joint axis=\"0 1 0\" armature=\".1\"/><geom size=\".1\" density=\"300\"/>"
            "<default class=\"arm\"><joint axis=\"1 0 0\"/><default class=\"hand\"><joint armature=\".4\"/><geom "
            "type=\"box\" "
            "size=\".1 .2 .3\"/></default></default></default>",
            "<body childclass=\"hand\"><joint/><geom/><body pos=\".2 0 0\"><joint class=\"arm\"/><geom class=\"main\"/>"
            "<body pos=\"0 .3 0\"><joint class=\"main\"/><geom/></body></body></body>"));
}

class Mjcf3Files : public testing::Test {
 protected:
  Mjcf3Files() { fs::create_directories(folder_ / "parts"); }
  ~Mjcf3Files() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  fs::path folder_ = fs::temp_directory_path() / ("kinetree_mjcf3_" + std::to_string(::getpid()));
};

TEST_F(Mjcf3Files, ModelsAreAttachedWithTheirOwnDefaultsAnglesAndEqualities) {
  write("parts/hand.xml",
        "<mujoco><compiler angle=\"radian\"/><default><joint axis=\"0 1 0\"/></default><worldbody><body name=\"palm\" "
        "pos=\"0 0 .1\" euler=\".1 .2 .3\"><joint name=\"turn\"/>" +
            inertial + "<body name=\"finger\" pos=\".1 0 0\"><joint name=\"bend\" axis=\"1 0 0\"/>" + inertial +
            "</body></body><body name=\"table\"/></worldbody><equality><joint joint1=\"turn\" joint2=\"bend\"/>"
            "</equality></mujoco>");
  const Reading reading = read_mjcf(
      write("arm.xml",
            "<mujoco><asset><model name=\"hand\" file=\"parts/hand.xml\"/></asset><worldbody><body name=\"arm\"><joint "
            "name=\"turn\" axis=\"1 0 0\"/>" +
                inertial +
                "<frame pos=\"0 .2 0\" euler=\"0 0 30\"><attach model=\"hand\" body=\"palm\" "
                "prefix=\"left_\"/></frame></body>"
                "</worldbody></mujoco>"));
  ASSERT_EQ(reading.description.couplings.size(), 1u) << all(reading.findings);
  EXPECT_EQ(reading.description.couplings[0].terms[1].joint, "left_bend");
  Reading free = reading;
  free.description.couplings.clear();
  same_accelerations(
      free,
      "<mujoco><worldbody><body name=\"arm\"><joint axis=\"1 0 0\"/>" + inertial +
          "<body pos=\"0 .2 0\" euler=\"0 0 30\"><body pos=\"0 0 .1\" euler=\"5.729577951308232 11.459155902616464 "
          "17.188733853924695\"><joint axis=\"0 1 0\"/>" +
          inertial + "<body pos=\".1 0 0\"><joint axis=\"1 0 0\"/>" + inertial +
          "</body></body></body></body></worldbody></mujoco>");
}

TEST_F(Mjcf3Files, EveryElementOfTwentyIncludesKeepsItsFileAndLine) {
  constexpr int files = 20, bodies = 5;
  std::string main = "<mujoco>\n<worldbody>\n";
  for (int f = 0; f < files; ++f) main += "<include file=\"parts/p" + std::to_string(f) + ".xml\"/>\n";
  const fs::path outer = write("main.xml", main + "</worldbody></mujoco>");
  const auto part = [&](int f, int broken, const std::string& how) {
    std::string text = "<mujoco>\n";
    for (int b = 0; b < bodies; ++b) {
      const std::string name = std::to_string(f) + "_" + std::to_string(b);
      text += "<body name=\"b" + name + "\">\n<joint name=\"j" + name + "\"/>\n<geom size=\".1\" " +
              (b == broken ? how : "") + "/>\n</body>\n";
    }
    write("parts/p" + std::to_string(f) + ".xml", text + "</mujoco>\n");
  };
  for (int f = 0; f < files; ++f) part(f, -1, "");
  EXPECT_EQ(load_model(outer).nv(), files * bodies);
  for (int f = 0; f < files; ++f)
    for (int b = 0; b < bodies; ++b) {
      const std::string file = (folder_ / ("parts/p" + std::to_string(f) + ".xml")).string();
      part(f, b, "colour=\"red\"");
      expect_finding({"attribute", "", 4 + 4 * b, "<geom>", {"unknown attribute colour"}}, file,
                     findings_of(read_mjcf(outer)));
      // what making the model finds: the body of that geom has no inertia
      part(f, b, "mass=\"0\"");
      expect_finding({"mass",
                      "",
                      3 + 4 * b,
                      "joint \"j" + std::to_string(f) + "_" + std::to_string(b) + "\"",
                      {"moves no inertia"}},
                     file, findings_of(read_mjcf(outer)));
      part(f, -1, "");
    }
}

TEST(Mjcf3, WhatReplicasMakeIsCounted) {
  MjcfReading r;
  IncludeGuard guard("m.xml", r.reading.findings);
  std::vector<std::unique_ptr<MjcfSource>> sources;
  sources.push_back(std::make_unique<MjcfSource>());
  MjcfModel made;
  int lines = 0;
  const std::string text = model("",
                                 "<replicate count=\"4\" sep=\"a\">\n<replicate count=\"4\" sep=\"b\"><body "
                                 "name=\"rod\"/></replicate></replicate>");
  ASSERT_TRUE(sources.front()->document.read(text, "m.xml", guard, r.reading.description, lines, r.reading.findings));
  sources.front()->read(r);
  read_bodies(r, made, sources, guard, lines, 21);  // 1 + 4 of <replicate>, 16 bodies
  EXPECT_TRUE(r.reading.findings.empty()) << all(r.reading.findings);
  EXPECT_EQ(made.bodies.back().name, "rodb3a3");
  read_bodies(r, made, sources, guard, lines, 20);
  EXPECT_EQ(
      all(r.reading.findings),
      "  model:2: error: body \"rod\": makes more than 20 elements with what stands before it, which is the limit; "
      "make the model smaller\n");
}

TEST(Mjcf3, FlagsTurnPassiveForcesAndLimitsOff) {
  const auto joint = [](const std::string& flag) {
    const std::string text = "<mujoco><option><flag " + flag +
                             "/></option><worldbody><body><joint damping=\"1\" stiffness=\"2\" "
                             "frictionloss=\"3\" range=\"-1 1\"/>" +
                             inertial + "</body></worldbody></mujoco>";
    const Reading reading = read_mjcf_text(text, "m.xml");
    EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
    return reading.description.bodies[0].joint;
  };
  const auto count = [&](const std::string& flag) {
    const JointDescription j = joint(flag);
    return std::array{j.passive.damping.size(), j.passive.stiffness.size(), j.passive.friction.size(),
                      j.limits.lower.size()};
  };
  using Counts = std::array<std::size_t, 4>;
  EXPECT_EQ(count("contact=\"disable\""), (Counts{1, 1, 1, 1}));
  EXPECT_EQ(count("passive=\"disable\""), (Counts{0, 0, 1, 1}));
  EXPECT_EQ(count("spring=\"disable\""), (Counts{1, 0, 1, 1}));
  EXPECT_EQ(count("damper=\"disable\""), (Counts{0, 1, 1, 1}));
  EXPECT_EQ(count("frictionloss=\"disable\""), (Counts{1, 1, 0, 1}));
  EXPECT_EQ(count("limit=\"disable\""), (Counts{1, 1, 1, 0}));
}

/// What is left out of a free joint with armature A is a ball of mass A and moments A at the body's origin, which has
/// no weight: MuJoCo's accelerations are those with the ball where there is no gravity, and a drop falls by m / (m +
/// A).
TEST(Mjcf3, ArmatureOfAFreeJointIsMassWithoutWeight) {
  const auto robot = [](const std::string& joint, const std::string& gravity, const std::string& more) {
    return "<mujoco><option gravity=\"" + gravity + "\"/><worldbody><body name=\"a\">" + joint + inertial + more +
           "<body pos=\".2 .1 0\"><joint axis=\"0 1 .2\"/>" + inertial + "</body></body></worldbody></mujoco>";
  };
  const std::string free = "<joint type=\"free\" name=\"fly\" armature=\".7\"/>";
  const std::string ball = "<body><inertial pos=\"0 0 0\" mass=\".7\" diaginertia=\".7 .7 .7\"/></body>";
  same_accelerations(robot("<freejoint/>", "0 0 0", ball), robot(free, "0 0 0", ""));
  const Reading reading = read_mjcf_text(robot(free, "0 0 -9", ""), "model.xml");
  expect_finding({"left out",
                  "",
                  1,
                  "joint \"fly\"",
                  {"its armature is left out, 0.7", "without weight", "armature=\"0\" or <freejoint/>"},
                  Severity::warning},
                 "model.xml", reading.findings);
  same_accelerations(reading, robot("<freejoint/>", "0 0 -9", ""));
  const std::string drop = "<mujoco><option gravity=\"0 0 -9\"/><worldbody><body>" + free +
                           "<inertial pos=\"0 0 0\" mass=\"1.3\" diaginertia=\"1 1 1\"/></body></worldbody></mujoco>";
  Theirs theirs(drop);
  mj_forward(theirs.m, theirs.d);
  EXPECT_NEAR(theirs.d->qacc[2], -9 * 1.3 / (1.3 + .7), 1e-13);
}

}  // namespace
}  // namespace kinetree::test

#endif
