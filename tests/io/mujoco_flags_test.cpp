// What the flags of an MJCF file switch off, and what concave meshes weigh, against MuJoCo itself.
#include <gtest/gtest.h>

#include <kinetree/forces.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>

#include "io/expect_finding.hpp"
#include "io/mjcf_text.hpp"
#include "io/mujoco_model.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

/// An arm with a spring, damping, friction and a limit, with that flag.
std::string arm(const std::string& flag) {
  const std::string set = flag.empty() ? "" : " " + flag + "=\"disable\"";
  return "<mujoco model=\"m\"><compiler angle=\"radian\"/>\n<option><flag contact=\"disable\"" + set +
         "/></option>\n<worldbody><body name=\"a\"><joint name=\"j\" axis=\"0 1 0\" stiffness=\"5\" springref=\".4\" "
         "damping=\".3\" frictionloss=\".2\" range=\"-1 1\" limited=\"true\"/>" +
         inertial + "</body></worldbody></mujoco>\n";
}

TEST(MujocoFlags, WhatTheySwitchOffIsOffHere) {
  for (const std::string flag : {"", "passive", "frictionloss", "limit", "constraint", "gravity"}) {
    Theirs theirs(arm(flag));
    const Reading reading = read_mjcf_text(arm(flag), "m.xml");
    const Model model = make_model(reading.description, {}, reading.findings);
    const JointDescription& joint = reading.description.bodies.at(0).joint;
    TestState s{Eigen::VectorXd::Constant(1, 0.3), Eigen::VectorXd::Constant(1, 0.7), Eigen::VectorXd::Zero(1), {}};
    theirs.set(model, s);

    Eigen::VectorXd tau = Eigen::VectorXd::Zero(1);
    const double friction = joint.passive.friction.empty() ? 0 : joint.passive.friction[0];
    ASSERT_TRUE(add_passive_forces(model, s.q, s.v, tau).ok());
    // Coulomb friction, which MuJoCo has as a constraint, is of the full size at this speed
    EXPECT_NEAR(tau[0] + friction, theirs.d->qfrc_passive[0], 1e-15) << flag;
    EXPECT_EQ(tau[0] + friction == 0, flag == "passive") << flag;
    EXPECT_EQ(friction != 0, theirs.d->nf > 0) << flag;

    s.q[0] = 1.2;  // beyond the limit
    theirs.set(model, s);
    const bool limited = theirs.d->nefc > theirs.d->nf;
    EXPECT_EQ(!joint.limits.upper.empty(), limited) << flag;
    EXPECT_EQ(reading.description.gravity == (Numbers3{0, 0, 0}), flag == "gravity") << flag;

    const std::string element = "<flag " + flag + ">";
    if (flag == "passive" || flag == "frictionloss" || flag == "limit")
      expect_finding({flag, "", 2, element, {"of joints are left out", "disables"}, Severity::notice}, "m.xml",
                     {model.findings().begin(), model.findings().end()});
  }
}

/// An L whose arms are a tenth of its width, as a mesh; its volume is 0.000228 m³.
std::string with_mesh(const std::string& compiler, const std::string& faces, const std::string& geom = "") {
  return "<mujoco><compiler " + compiler +
         "/>\n<asset><mesh name=\"l\" vertex=\"0 0 0 .2 0 0 .2 .02 0 .02 .02 0 .02 "
         ".2 0 0 .2 0 0 0 .03 .2 0 .03 .2 .02 .03 .02 .02 .03 .02 .2 .03 0 .2 .03\"" +
         faces +
         "/></asset>\n<worldbody>"
         "<body name=\"a\"><joint name=\"j\"/><geom type=\"mesh\" mesh=\"l\"" +
         geom + "/></body></worldbody></mujoco>\n";
}
const std::string l_faces =
    " face=\"0 2 1 6 7 8 0 3 2 6 8 9 0 4 3 6 9 10 0 5 4 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 "
    "11 4 11 10 5 0 6 5 6 11\"";

std::vector<Finding> about_meshes(const std::string& text) {
  std::vector<Finding> findings = findings_of(read_mjcf_text(text, "m.xml"));
  std::erase_if(findings, [](const Finding& f) { return f.message.find("MuJoCo's default") == std::string::npos; });
  return findings;
}

TEST(MujocoFlags, AConcaveMeshIsSaidToBeTooHeavy) {
  const std::vector<Finding> said = about_meshes(with_mesh("", l_faces));
  ASSERT_EQ(said.size(), 1u) << all(said);
  EXPECT_EQ(said[0].severity, Severity::notice);
  EXPECT_EQ(said[0].line, 3);
  EXPECT_EQ(said[0].element, "body \"a\"");
  for (const char* word :
       {"its mass, 0.521 kg, comes from meshes (\"l\")", "129 % larger", "0.228 kg where it is 0.521"})
    EXPECT_NE(said[0].message.find(word), std::string::npos) << said[0].message;
  const std::string exact = with_mesh("exactmeshinertia=\"true\"", l_faces);
  EXPECT_NEAR(Theirs(exact).m->body_mass[1], 0.228, 1e-5);
  EXPECT_NEAR(read_mjcf_text(exact, "m.xml").description.bodies.at(0).inertial.value().mass, 0.228, 1e-5);

  // where it is exact, or does not matter
  EXPECT_TRUE(about_meshes(exact).empty());
  std::string stated = with_mesh("", l_faces);
  stated.insert(stated.find("<joint"), "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>");
  EXPECT_TRUE(about_meshes(stated).empty());
}

TEST(MujocoFlags, ForcesOfTendonsAreNamed) {
  const std::string text = "<mujoco><worldbody><body name=\"a\"><joint name=\"j\"/>" + inertial +
                           "</body></worldbody>\n<tendon><fixed name=\"t\" stiffness=\"3\"><joint joint=\"j\" "
                           "coef=\"1\"/></fixed></tendon></mujoco>";
  expect_finding({"tendon", "", 2, "<tendon>", {"1 tendon", "dynamics that is not read"}, Severity::warning}, "m.xml",
                 findings_of(read_mjcf_text(text, "m.xml")));
}

/// MuJoCo refuses them too.
TEST(MujocoFlags, UnknownAttributesAreErrors) {
  for (const std::string word : {"dampling", "vendor"}) {
    std::string text = arm("");
    text.insert(text.find("damping"), word + "=\"1\" ");
    const std::vector<Finding> said = findings_of(read_mjcf_text(text, "m.xml"));
    EXPECT_TRUE(has_error(said));
    EXPECT_NE(all(said).find("unknown attribute " + word), std::string::npos) << all(said);
  }
}

}  // namespace
}  // namespace kinetree::test

#endif
