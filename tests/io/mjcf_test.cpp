// MJCF files against MuJoCo itself on the same text: poses, accelerations, constraint residuals; and what is said.
#include <kinetree/mjcf.hpp>

#include "engine/scalar/worst.hpp"
#include "io/expect_finding.hpp"

#if KINETREE_WITH_MJCF
#include <filesystem>

#include "io/mjcf_text.hpp"
#include "io/mujoco_model.hpp"
#include "oracle/dense_oracle.hpp"

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;
using oracle::TestState;

Description description_of(const std::string& text) {
  const Reading reading = read_mjcf_text(text, "model.xml");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading.description;
}

const std::string other_inertial = "<inertial pos=\"0 .1 .1\" mass=\".7\" diaginertia=\".01 .015 .012\"/>";

/// Everything that moves: anchors, refs, several joints on a body, balls, fixed bodies, two trees.
const std::string everything = file(
    "<body name=\"a\" pos=\".1 .2 .3\" quat=\"1 .3 -.2 .4\"><joint name=\"a1\" axis=\"1 2 -1\" pos=\".2 .1 -.3\" "
    "ref=\".4\"/>" +
    inertial +
    "<body name=\"b\" pos=\"0 .5 0\" quat=\"1 0 .5 0\">"
    "<joint name=\"b1\" type=\"slide\" axis=\"0 1 1\" pos=\"1 2 3\" ref=\"-.3\"/>"
    "<joint name=\"b2\" type=\"hinge\" axis=\"1 0 .2\" pos=\"0 .1 0\" ref=\"-.7\"/>"
    "<joint name=\"b3\" type=\"hinge\" axis=\"0 1 .2\" pos=\".1 .1 .2\"/>" +
    other_inertial + "<body name=\"c\" pos=\".3 0 .1\"><joint name=\"c1\" type=\"ball\" pos=\".1 -.1 .2\"/>" +
    inertial + "<body name=\"d\" pos=\".1 .1 .1\" quat=\"1 1 0 0\">" + inertial + "</body></body>" +
    "<body name=\"e\" quat=\"1 0 0 2\"><joint name=\"e1\" type=\"slide\" ref=\".2\"/>"
    "<joint name=\"e2\" type=\"ball\"/>" +
    inertial + "</body></body></body>\n" +
    "<body name=\"f\" pos=\"0 0 2\" euler=\".1 .2 .3\"><freejoint name=\"f1\"/>" + inertial +
    "<body name=\"g\" pos=\"0 .2 .1\"><joint name=\"g1\" axis=\"0 1 0\" ref=\"1\"/>" + other_inertial +
    "</body></body>\n");

/// Every body stands where MuJoCo puts it.
void poses_agree(const std::string& text) {
  const Description description = description_of(text);
  const Model model = make_model(description);
  Theirs theirs(text);
  oracle::DenseOracle<double> ours(description, model);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TestState s = oracle::random_state(model, seed);
    theirs.set(model, s);
    ours.set(s.q, s.v);
    int found = 0;
    for (int k = 0; k < static_cast<int>(description.bodies.size()); ++k) {
      const int b = mj_name2id(theirs.m, mjOBJ_BODY, description.bodies[static_cast<std::size_t>(k)].name.c_str());
      if (b < 0) continue;  // a link of a joint's own
      ++found;
      for (int axis = 0; axis < 4; ++axis) {
        const double e[3] = {axis == 1 ? 1. : 0., axis == 2 ? 1. : 0., axis == 3 ? 1. : 0.};
        mjtNum point[3];
        mju_rotVecMat(point, e, theirs.d->xmat + 9 * b);
        mju_addTo3(point, theirs.d->xpos + 3 * b);
        const auto p = ours.to_world(k, {e[0], e[1], e[2]});
        EXPECT_NEAR(p.x, point[0], 1e-12) << description.bodies[static_cast<std::size_t>(k)].name;
        EXPECT_NEAR(p.y, point[1], 1e-12);
        EXPECT_NEAR(p.z, point[2], 1e-12);
      }
    }
    EXPECT_EQ(found, theirs.m->nbody - 1);
  }
}

void accelerations_agree(const std::string& text, std::initializer_list<Algorithm> algorithms = {
                                                      Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
  const Description description = description_of(text);
  const Model model = make_model(description);
  Theirs theirs(text);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TestState s = oracle::random_state(model, seed);
    theirs.set(model, s);
    const Eigen::VectorXd expected = theirs.accelerations(s);
    const Eigen::VectorXd asked = oracle::random_state(model, seed + 100).v, needed = theirs.forces(s, asked);
    Workspace workspace(model);
    Eigen::VectorXd tau(model.nv());
    ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, asked, tau).ok());
    EXPECT_LE(largest_of(tau - needed), 1e-9 * largest_of(needed)) << "seed " << seed;
    for (const Algorithm algorithm : algorithms) {
      ForwardDynamics dynamics(model, {.algorithm = algorithm, .executor = ExecutorKind::serial});
      Eigen::VectorXd a(model.nv());
      ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
      EXPECT_LE(largest_of(a - expected), 1e-9 * largest_of(expected)) << "seed " << seed;
    }
  }
}

TEST(Mjcf, BodiesStandWhereMujocoPutsThem) { poses_agree(everything); }

TEST(Mjcf, AccelerationsAreMujocos) {
  accelerations_agree(everything);
  // their defaults, degrees and mass from geoms are compiled in: spheres and boxes on their own axes are exact
  accelerations_agree(
      "<mujoco><default><joint axis=\"0 1 0\"/><geom type=\"box\" size=\".1 .2 .3\" density=\"500\"/></default>"
      "<worldbody><body pos=\"0 0 1\" euler=\"10 20 30\"><joint ref=\"30\"/><geom contype=\"0\"/>"
      "<body pos=\"0 0 1\"><joint/><geom contype=\"0\"/></body></body></worldbody></mujoco>");
}

TEST(Mjcf, ArmatureIsMujocos) {
  std::string text = everything;
  for (const char* joint : {"a1", "b1", "b3", "c1", "e2", "g1"}) {
    const std::string name = std::string("name=\"") + joint + "\"";
    text.insert(text.find(name), "armature=\"0.3\" ");
  }
  const Description description = description_of(text);
  for (const BodyDescription& b : description.bodies) {
    const bool has = std::string("a1 b1 b3 c1 e2 g1").find(b.joint.name) != std::string::npos;
    EXPECT_EQ(b.joint.armature, has ? 0.3 : 0) << b.joint.name;
  }
  accelerations_agree(text, {Algorithm::ab, Algorithm::crb});
}

TEST(Mjcf, KeepsTheFilesFullInertia) {
  const std::string text = file(
      "<body name=\"a\"><joint name=\"j\"/><inertial pos=\".1 0 0\" mass=\"1\" "
      "fullinertia=\".3 .4 .5 .01 -.02 .03\"/></body>\n");
  const Description description = description_of(text);
  const InertialDescription& i = description.bodies[0].inertial.value();
  EXPECT_EQ(i.inertia, (std::array<double, 6>{.3, .4, .5, .01, -.02, .03}));
  EXPECT_EQ(i.frame.quaternion, (std::array<double, 4>{0, 0, 0, 1}));
  EXPECT_EQ(i.frame.xyz, (Numbers3{.1, 0, 0}));
  // the file is not right where its compiler is told otherwise
  std::string balanced = text;
  balanced.replace(balanced.find("<compiler "), 10, "<compiler boundinertia=\"1\" ");
  EXPECT_NEAR(description_of(balanced).bodies[0].inertial.value().inertia[0], 1, 1e-15);
}

/// Loops and couplings are zero where MuJoCo's own residuals are: they are compared at random states.
TEST(Mjcf, EqualitiesHaveMujocosResiduals) {
  const std::string text =
      everything.substr(0, everything.find("</mujoco>")) +
      "<tendon><fixed name=\"t1\"><joint joint=\"a1\" coef=\"2\"/><joint joint=\"b1\" coef=\"3\"/></fixed>"
      "<fixed name=\"t2\"><joint joint=\"g1\" coef=\"1.5\"/><joint joint=\"a1\" coef=\".5\"/></fixed></tendon>\n"
      "<equality>\n<connect name=\"point\" body1=\"c\" body2=\"g\" anchor=\".1 .2 .3\"/>\n"
      "<connect name=\"ground\" body1=\"e\" anchor=\".3 .2 .1\"/>\n"
      "<weld name=\"weld\" body1=\"d\" body2=\"f\" anchor=\".3 -.2 .1\"/>\n"
      "<weld name=\"placed\" body1=\"b\" body2=\"g\" relpose=\".1 .2 .3 1 .5 -.2 .3\"/>\n"
      "<joint name=\"gear\" joint1=\"a1\" joint2=\"b1\" polycoef=\".1 -2.5 0 0 0\"/>\n"
      "<joint name=\"lock\" joint1=\"g1\" polycoef=\".2 0 0 0 0\"/>\n"
      "<tendon name=\"wire\" tendon1=\"t1\" tendon2=\"t2\" polycoef=\".05 1.2 0 0 0\"/>\n</equality></mujoco>";
  Description description = description_of(text);
  ASSERT_EQ(description.loops.size(), 4u);
  ASSERT_EQ(description.couplings.size(), 3u);
  EXPECT_EQ(description.loops[0].line, 8);
  EXPECT_EQ(description.couplings[0].line, 12);
  EXPECT_EQ(description.loops[1].second.body, "world");
  const auto loops = std::exchange(description.loops, {});
  const auto couplings = std::exchange(description.couplings, {});
  const Model model = make_model(description);
  Theirs theirs(text);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TestState s = oracle::random_state(model, seed);
    theirs.set(model, s);
    const mjtNum* residual = theirs.d->efc_pos;
    const auto map = [](const Placement& p) {
      return Eigen::Translation3d(p.xyz[0], p.xyz[1], p.xyz[2]) *
             Eigen::Quaterniond(p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2]);
    };
    const auto placed = [&](const LoopDescription::End& end) -> Eigen::Isometry3d {
      const int b = mj_name2id(theirs.m, mjOBJ_BODY, end.body.c_str());
      const mjtNum *p = theirs.d->xpos + 3 * b, *q = theirs.d->xquat + 4 * b;
      return Eigen::Translation3d(p[0], p[1], p[2]) * Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * map(end.frame);
    };
    for (const LoopDescription& loop : loops) {
      const Eigen::Isometry3d one = placed(loop.first), two = placed(loop.second);
      const Eigen::Vector3d apart = one.translation() - two.translation();
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(*residual++, apart[k], 1e-12) << loop.name;
      EXPECT_EQ(loop.type, loop.name == "weld" || loop.name == "placed" ? "weld" : "spherical");
      if (loop.type != "weld") continue;
      Eigen::Quaterniond turn(two.rotation().transpose() * one.rotation());
      const Eigen::Vector3d theirs_turned(residual[0], residual[1], residual[2]);
      if (turn.vec().dot(theirs_turned) < 0) turn.coeffs() *= -1;  // the same rotation
      EXPECT_LE((turn.vec() - theirs_turned).norm(), 1e-12) << loop.name;
      residual += 3;
    }
    for (const CouplingDescription& coupling : couplings) {
      double sum = -coupling.offset;
      for (const auto& term : coupling.terms)
        sum += term.coefficient *
               theirs.d->qpos[theirs.m->jnt_qposadr[mj_name2id(theirs.m, mjOBJ_JOINT, term.joint.c_str())]];
      EXPECT_NEAR(*residual++, sum, 1e-12) << coupling.name;
    }
    EXPECT_EQ(residual - theirs.d->efc_pos, theirs.d->ne);
  }
}

TEST(Mjcf, GivesNamesToWhatHasNone) {
  const Description d = description_of(
      file("<body><joint/>" + inertial +
           "</body><body name=\"body_1\"><joint/><joint name=\"body_1_joint\" axis=\"1 0 0\"/>" + inertial +
           "</body><body><freejoint/>" + inertial + "</body><body name=\"still\" pos=\"1 0 0\"/>"));
  std::string names;
  for (const BodyDescription& b : d.bodies) names += b.parent + ">" + b.joint.name + ">" + b.name + " ";
  EXPECT_EQ(names,
            "world>body_1_2_joint>body_1_2 world>body_1_joint_2>body_1_joint_2_link "
            "body_1_joint_2_link>body_1_joint>body_1 world>floating_base>body_3 world>still_fixed>still ");
  EXPECT_EQ(d.name, "m");
  EXPECT_EQ(d.gravity, (Numbers3{.3, -.2, -9}));
}

TEST(Mjcf, GravityThatIsDisabledIsNone) {
  const auto gravity = [](const std::string& flag) {
    return read_mjcf_text("<mujoco><option gravity=\"0.3 -0.2 -9\">" + flag + "</option><worldbody><body><joint/>" +
                              inertial + "</body></worldbody></mujoco>",
                          "model.xml")
        .description.gravity;
  };
  EXPECT_EQ(gravity("<flag gravity=\"disable\"/>"), (Numbers3{0, 0, 0}));
  EXPECT_EQ(gravity("<flag gravity=\"enable\" contact=\"disable\"/>"), (Numbers3{.3, -.2, -9}));
}

TEST(Mjcf, AFreeRootFloatsAlready) {
  const Reading reading = read_mjcf_text(file("<body name=\"a\">\n<freejoint/>" + inertial + "</body>\n"), "model.xml");
  EXPECT_EQ(reading.description.bodies[0].joint.type, "floating");
  expect_finding({"twice floating", "", 4, "joint \"floating_base\"", {"floating root already"}}, "model.xml",
                 findings_of(reading, {.floating_base = true}));
}

TEST(Mjcf, ReadsFilesAndWhatTheyInclude) {
  const fs::path folder = fs::path(testing::TempDir()) / "kinetree_mjcf_include";
  fs::create_directories(folder / "parts");
  std::ofstream(folder / "model.xml") << file("<include file=\"parts/arm.xml\"/>");
  std::ofstream(folder / "parts/arm.xml")
      << "<mujoco><body name=\"arm\"><joint name=\"j\"/>" << inertial << "</body></mujoco>";
  EXPECT_EQ(load_model(folder / "model.xml").nv(), 1);
  EXPECT_TRUE(has_error(read_mjcf(folder / "none.xml").findings));
  fs::remove_all(folder);
}

/// MuJoCo 3's files say range without limited; MuJoCo 2.2.2 wants to be told that such a range is a limit.
TEST(Mjcf, ARangeAloneIsALimitAsInMujoco3) {
  const std::string arm = "<body name=\"a\">\n<joint name=\"j\" range=\"-1 1\"/>" + inertial + "</body>\n";
  std::string refused = file(arm);
  refused.insert(refused.find("<compiler ") + 10, "autolimits=\"false\" ");
  for (const std::string& text : {file(arm), refused}) {
    const Reading reading = read_mjcf_text(text, "model.xml");
    ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
    ASSERT_EQ(reading.description.bodies.size(), 1u);
    EXPECT_EQ(reading.description.bodies[0].joint.line, 4);  // the file's lines, whatever was put in
    EXPECT_TRUE(reading.findings.empty()) << all(reading.findings);
    EXPECT_EQ(reading.description.bodies[0].joint.limits.lower, PerFreedom{-1});
    EXPECT_EQ(reading.description.bodies[0].joint.limits.upper, PerFreedom{1});
  }
}

TEST(Mjcf, SaysOnceWhatIsLeftOut) {
  const std::string text =
      "<mujoco><option density=\"1000\"/><size/>\n"
      "<worldbody><light pos=\"0 0 3\"/><camera pos=\"0 0 3\"/><geom type=\"plane\" size=\"1 1 1\"/>\n"
      "<body name=\"hand\" mocap=\"true\"/>\n"
      "<body name=\"a\"><joint name=\"j\" damping=\"1\" stiffness=\"2\" frictionloss=\"3\" limited=\"true\" range=\"-1 "
      "1\"/>\n<joint name=\"k\" axis=\"1 0 0\" damping=\"1\"/><geom size=\".1\"/><site name=\"s\"/></body>\n"
      "<body name=\"f\"><joint type=\"free\" name=\"fly\" armature=\".1\"/><geom size=\".1\"/></body></worldbody>\n"
      "<contact><exclude body1=\"a\" body2=\"f\"/></contact>\n"
      "<tendon><fixed><joint joint=\"j\" coef=\"1\"/></fixed></tendon>\n"
      "<equality><joint joint1=\"j\" active=\"false\"/><connect name=\"c\" body1=\"a\" anchor=\"0 0 1\"/></equality>\n"
      "<actuator><motor joint=\"j\"/></actuator>\n<sensor><gyro site=\"s\"/></sensor>\n<keyframe><key/></keyframe>"
      "</mujoco>";
  const std::vector<Finding> findings = read_mjcf_text(text, "f").findings;
  const std::vector<std::pair<std::string, std::string>> said{
      {"<option density viscosity>", "a force that kinetree does not apply: there are no forces of a fluid"},
      {"<geom>", "1 time: of the world"},
      {"<body mocap>", "1 body stands still"},
      {"joint \"fly\"", "armature is left out"},
      {"<contact>", "no contacts"},
      {"<tendon>", "1 time"},
      {"<equality>", "left out, 1 time: they are not active"},
      {"<equality>", "exactly here (1)"},
      {"<actuator>", "a force that kinetree does not apply: joint forces are given as tau"},
      {"<keyframe>", "1 time"},
      {"model", "1 joint is off"},
      {"model", "left out, without a part in the dynamics: <camera>, <light>, <site>, <size>"},
  };
  EXPECT_EQ(findings.size(), said.size()) << all(findings);
  for (const auto& [element, words] : said) {
    int count = 0;
    for (const Finding& f : findings) {
      EXPECT_EQ(f.severity, f.element == "joint \"fly\"" ? Severity::warning : Severity::notice);
      count += f.element == element && f.message.find(words) != std::string::npos;
    }
    EXPECT_EQ(count, 1) << element << ": " << words << "\n" << all(findings);
  }
}

}  // namespace
}  // namespace kinetree::test

#else

TEST(Mjcf, ABuildWithoutItSaysWhichPackagesAreMissing) {
  const auto reading = kinetree::read_mjcf_text("<mujoco/>", "f");
  ASSERT_EQ(reading.findings.size(), 1u);
  EXPECT_NE(reading.findings[0].message.find("install libassimp-dev and libqhull-dev"), std::string::npos);
}

#endif
