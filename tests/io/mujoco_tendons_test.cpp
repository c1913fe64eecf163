// Spatial tendons that are springs and dampers between two sites, against MuJoCo's own passive forces.
#include <gtest/gtest.h>

#include <kinetree/forces.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/point_forces.hpp>

#include "io/expect_finding.hpp"
#include "io/mjcf_text.hpp"
#include "io/mujoco_model.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

/// Two links, a free body, a slider, once or in two replicas, and sites on them and on the ground.
std::string with(const std::string& tendons, const std::string& more = "", bool replicas = false) {
  const std::string slider = "<body name=\"r\" pos=\"-1 0 1\"><joint name=\"l\" type=\"slide\"/>" + inertial +
                             "<site name=\"eye\" pos=\"0 0 .3\"/></body>";
  return "<mujoco model=\"m\"><compiler angle=\"radian\"/>" + more +
         "<default><tendon damping=\".7\"/><default class=\"hard\"><tendon stiffness=\"300\"/></default></default>\n"
         "<worldbody><site name=\"roof\" pos=\".1 .2 2\"/>"
         "<body name=\"a\" pos=\"0 0 1\" euler=\".3 .2 .1\"><joint name=\"j\" axis=\"0 1 0\"/>" +
         inertial +
         "<site name=\"elbow\" pos=\".2 0 -.3\"/><body name=\"b\" pos=\".1 0 -.5\" quat=\".8 .6 0 0\">"
         "<joint name=\"k\" axis=\"1 0 0\"/>" +
         inertial +
         "<site name=\"tip\" pos=\"0 .1 -.4\"/></body></body>"
         "<body name=\"c\" pos=\"1 0 1\"><freejoint name=\"f\"/>" +
         inertial + "<site name=\"hook\" pos=\".1 .1 .1\"/></body>" +
         (replicas ? "<replicate count=\"2\" sep=\"-\" offset=\"0 1 0\">" + slider + "</replicate>" : slider) +
         "</worldbody>\n<tendon>" + tendons + "</tendon></mujoco>\n";
}
std::string between(const std::string& words, const std::string& one, const std::string& other) {
  return "<spatial " + words + "><site site=\"" + one + "\"/><site site=\"" + other + "\"/></spatial>\n";
}

TEST(MujocoTendons, SpringsBetweenTwoSitesPullAsTheirs) {
  const std::string text =
      with(between("name=\"up\" stiffness=\"40\" springlength=\".3\" damping=\"2\"", "elbow", "roof") +
           between("name=\"across\" class=\"hard\"", "tip", "hook") +  // at rest as the file stands
           between("damping=\"5\" springlength=\"9\"", "tip", "roof") +
           between("stiffness=\"20\" springlength=\".1\"", "roof", "eye"));
  Theirs theirs(text);
  const Reading reading = read_mjcf_text(text, "m.xml");
  const Model model = make_model(reading.description, {}, reading.findings);
  for (const Finding& f : model.findings()) EXPECT_NE(f.element, "<tendon>") << f.message;
  const PointForces forces(model);
  ASSERT_EQ(forces.count(), 4);
  EXPECT_EQ(forces[0].name, "up");
  EXPECT_EQ(forces[2].name, "tendon_2");
  EXPECT_GT(forces[1].length, 0.5);
  const TestState s = oracle::random_state(model, 3);
  theirs.set(model, s);
  Workspace w(model);
  Eigen::VectorXd f_ext = Eigen::VectorXd::Zero(6 * model.body_count()), tau(model.nv()), none(model.nv());
  ASSERT_TRUE(forces.add(w, s.q, s.v, f_ext).ok());
  ASSERT_TRUE(inverse_dynamics(model, w, s.q, s.v, s.v, f_ext, tau).ok());
  ASSERT_TRUE(inverse_dynamics(model, w, s.q, s.v, s.v, none).ok());
  Eigen::VectorXd passive = Eigen::Map<Eigen::VectorXd>(theirs.d->qfrc_passive, model.nv());
  const int free = model.v_index("f");
  const Eigen::Quaterniond turn(Eigen::Vector4d(s.q.segment<4>(model.q_index("f") + 3)));
  passive.segment<3>(free) = turn.inverse() * passive.segment<3>(free).eval();
  EXPECT_LE((none - tau - passive).norm(), 1e-11 * passive.norm());
  EXPECT_GT(passive.norm(), 10);
}

TEST(MujocoTendons, OfReplicasThereAreAsMany) {
  const std::string text = with(between("name=\"s\" stiffness=\"20\" springlength=\".1 .1\"", "roof", "eye"), "", true);
  const Description d = read_mjcf_text(text, "m.xml").description;
  ASSERT_EQ(d.forces.size(), 2u);
  EXPECT_EQ(d.forces[0].name + d.forces[1].name, "s-0s-1");
  EXPECT_EQ(d.forces[1].second.body, "r-1");
}

/// What is not exactly that is named, and so is what a flag switches off not read.
TEST(MujocoTendons, OthersAreDynamicsThatIsNotRead) {
  const std::string words = "name=\"t\" stiffness=\"3\" springlength=\"1\" ";
  for (const std::string& tendon :
       {between(words + "frictionloss=\"1\"", "tip", "roof"), between(words + "armature=\".1\"", "tip", "roof"),
        between(words + "range=\"0 2\"", "tip", "roof"),
        between("stiffness=\"3\" springlength=\".1 2\"", "tip", "roof"),
        between("class=\"hard\" range=\"0 1\"", "tip", "roof"),
        std::string(
            "<spatial stiffness=\"3\"><site site=\"tip\"/><site site=\"elbow\"/><site site=\"roof\"/></spatial>"),
        std::string("<fixed stiffness=\"3\"><joint joint=\"j\" coef=\"1\"/></fixed>")}) {
    const Reading reading = read_mjcf_text(with(tendon), "m.xml");
    EXPECT_TRUE(reading.description.forces.empty()) << tendon;
    expect_finding({"tendon", "", 3, "<tendon>", {"1 tendon", "dynamics that is not read"}, Severity::warning}, "m.xml",
                   findings_of(reading));
  }
  const std::string all = between(words + "damping=\"2\"", "tip", "roof");
  const Description no_spring =
      read_mjcf_text(with(all, "<option><flag spring=\"disable\"/></option>"), "m").description;
  ASSERT_EQ(no_spring.forces.size(), 1u);
  EXPECT_EQ(no_spring.forces[0].stiffness, 0);
  EXPECT_EQ(no_spring.forces[0].damping, 2);
  EXPECT_TRUE(has_error(read_mjcf_text(with(between("stifness=\"3\"", "tip", "roof")), "m.xml").findings));
}

}  // namespace
}  // namespace kinetree::test

#endif
